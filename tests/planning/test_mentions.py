"""What the words of a question were taken for, and what is run when the user takes them for something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.errors import LogicError
from ehrtui.planning.mentions import Choice, LinkedMention
from ehrtui.planning.proposal import Proposal
from tests import small_mimic

HEART = "How many patients have heart failure?"


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Conversation]:
    folder = tmp_path_factory.mktemp("mentions")
    path = small_mimic.two_failures(folder / "two.sqlite")
    opened = start(str(path), now=small_mimic.NOW, state=folder / "state", memory=True)
    yield opened
    opened.close()


def proposed(talk: Conversation, question: str, *choices: Choice) -> Proposal:
    return talk.propose(question, choices=choices).proposal


def mention(proposal: Proposal, text: str) -> LinkedMention:
    return next(one for one in proposal.mentions if one.text == text)


def family(one: LinkedMention) -> Choice:
    """The meaning with the most members."""
    widest = max((one.taken, *one.others), key=lambda meaning: meaning.rows)
    return Choice(one.said, one.role, widest)


def number(talk: Conversation, proposal: Proposal) -> object:
    [(value,)] = talk.engine.read(proposal.sql or "")
    return value


def test_every_name_is_told_where_it_stands_and_what_it_was_taken_for(talk):
    question = "How many patients with heart failure got furosemide?"
    proposal = proposed(talk, question)
    assert [(question[one.start : one.end], one.text, one.taken.role) for one in proposal.mentions] == [
        ("heart failure", "heart failure", "diagnosis"),
        ("furosemide", "furosemide", "prescription"),
    ]
    assert not proposal.paid


def test_names_that_are_asked_for_together_are_told_apart(talk):
    found = proposed(talk, "how many got aspirin or furosemide")
    assert [(one.text, [item.text for item in one.taken.items]) for one in found.mentions] == [
        ("aspirin", ["aspirin"]),
        ("furosemide", ["furosemide"]),
    ]


def test_a_value_of_a_field_is_a_mention_too(talk):
    found = mention(proposed(talk, "how many emergency admissions"), "emergency admissions")
    assert (found.taken.field, found.taken.values) == ("admission type", ("emergency",))
    urgent = next(one for one in found.others if one.values == ("urgent",))
    changed = proposed(talk, "how many emergency admissions", Choice(found.said, found.role, urgent))
    assert number(talk, changed) == 1


def test_members_are_counted_each_and_together(talk):
    choice = family(mention(proposed(talk, HEART), "heart failure"))
    members = talk.planner.members(choice.meaning, ())
    assert {(one.name, one.codes, one.rows) for one in members.stored} == {
        ("chf nos", ("4280",), 4),
        ("diastolic heart failure", ("42833",), 1),
    }
    assert talk.engine.read(members.of_each) == [("chf nos", 4, 3), ("diastolic heart failure", 1, 1)]
    assert talk.engine.read(members.of_all) == [(5, 4)]
    without = talk.planner.members(choice.meaning, ("chf nos",))
    assert talk.engine.read(without.of_all) == [(1, 1)]


def test_another_meaning_changes_what_is_shown_and_run(talk):
    before = proposed(talk, HEART)
    one = mention(before, "heart failure")
    for meaning in (one.taken, *one.others):
        changed = proposed(talk, HEART, Choice(one.said, one.role, meaning))
        told = mention(changed, "heart failure")
        assert (told.taken, told.chosen) == (meaning, "chosen by you")
        assert {other.items for other in (told.taken, *told.others)} == {
            each.items for each in (one.taken, *one.others)
        }
        [(_, patients)] = talk.engine.read(talk.planner.members(meaning, ()).of_all)
        assert number(talk, changed) == patients
        assert changed.readings[0].logic == changed.logic
        assert changed.question == HEART


@pytest.mark.parametrize(("left_out", "patients"), [(("chf nos",), 1), (("diastolic heart failure",), 3), ((), 4)])
@pytest.mark.parametrize("kind", ["concept", "name"])
def test_a_member_that_is_left_out_is_not_asked_for(talk, left_out, patients, kind):
    one = mention(proposed(talk, HEART), "heart failure")
    meaning = next(
        each
        for each in (one.taken, *one.others)
        if {item.kind for item in each.items} == {kind} and len(talk.planner.members(each, ()).stored) == 2
    )
    changed = proposed(talk, HEART, Choice(one.said, one.role, meaning, left_out))
    assert number(talk, changed) == patients
    assert all(name not in (changed.sql or "") or "NOT" in (changed.sql or "") for name in left_out)
    assert mention(changed, "heart failure").without == left_out


def test_what_leaves_nothing_or_another_kind_is_refused(talk):
    one = mention(proposed(talk, HEART), "heart failure")
    with pytest.raises(LogicError, match="Nothing is left"):
        proposed(talk, HEART, Choice(one.said, one.role, one.taken, tuple(item.text for item in one.taken.items)))
    emergency = mention(proposed(talk, "how many emergency admissions"), "emergency admissions").taken
    with pytest.raises(LogicError, match="cannot be asked"):
        proposed(talk, HEART, Choice(one.said, one.role, emergency))


def test_a_choice_for_other_words_changes_nothing(talk):
    one = mention(proposed(talk, HEART), "heart failure")
    other = Choice("sepsis", "diagnosis", one.taken)
    assert proposed(talk, HEART, other) == proposed(talk, HEART)


def test_a_word_that_the_reading_leaves_out_says_why(talk):
    proposal = proposed(talk, "how many zorgled patients had heart failure")
    [word] = proposal.paid
    assert proposal.question[word.start : word.end] == word.text == "zorgled"
    assert word.why.startswith("Nothing that is stored here has this name")


def test_a_misspelt_name_that_the_reading_uses_is_not_left_out(talk):
    proposal = proposed(talk, "how many patients with CHF got furosmide or asprin?")
    assert [one.text for one in proposal.mentions] == ["CHF", "furosmide", "asprin"]
    assert not proposal.paid


def test_where_nothing_was_understood_names_are_told_all_the_same(talk):
    proposal = proposed(talk, "furosemide zorgled quux")
    assert [one.text for one in proposal.mentions] == ["furosemide"]


def test_the_rows_of_a_figure_are_not_the_patients_that_it_is_of(tmp_path):
    talk = start(str(small_mimic.two_failures(tmp_path / "two.sqlite")), now=small_mimic.NOW, state=tmp_path / "state")
    talk.run(talk.propose("which patients have heart failure?"))
    talk.run(talk.propose("of A1, what was their mean age?"))
    first, second = talk.history()
    logic = "count patients in A1"
    listed, figure = talk.planner.scope(first, logic), talk.planner.scope(second, logic)
    assert listed is not None
    assert listed.count == 4
    assert figure is None  # its one row is no patient
    talk.close()
