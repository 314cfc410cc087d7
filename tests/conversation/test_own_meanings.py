"""What the user decided that words mean: from now on, and as a concept of the user's own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import concepts_path, memory_path
from ehrtui.conversation.start import start
from ehrtui.errors import CaseError, ConceptError
from ehrtui.planning.mentions import Choice, LinkedMention
from tests import small_mimic
from tests.planning.test_mentions import HEART, family, mention, number


@pytest.fixture
def open_talk(tmp_path: Path) -> Iterator[Callable[..., Conversation]]:
    """Opens conversations over one database, with one memory."""
    path = small_mimic.two_failures(tmp_path / "two.sqlite")
    with ExitStack() as opened:
        yield lambda memory=True: opened.enter_context(
            closing(start(str(path), now=small_mimic.NOW, state=tmp_path / "state", memory=memory))
        )


def all_failures(talk: Conversation, without: tuple[str, ...] = ()) -> LinkedMention:
    """The mention of heart failure as all that is stored, but for some."""
    one = mention(talk.propose(HEART).proposal, "heart failure")
    choice = Choice(one.said, one.role, family(one).meaning, without)
    return mention(talk.propose(HEART, choices=[choice]).proposal, "heart failure")


def test_words_mean_from_now_on_what_was_kept_in_any_conversation(open_talk, tmp_path):
    talk = open_talk()
    assert number(talk, talk.propose(HEART).proposal) == 4
    talk.meanings.keep(all_failures(talk, ("chf nos",)))
    for again in (talk, open_talk()):
        proposal = again.propose("how many men had HEART  failure in 2105?").proposal
        told = proposal.mentions[0]
        assert told.chosen.startswith("chosen in session ")
        assert again.meanings.is_kept(told)
        assert number(again, again.propose(HEART).proposal) == 1
    assert number(open_talk(False), open_talk(False).propose(HEART).proposal) == 4  # without the memory
    assert memory_path(tmp_path / "state").stat().st_mode & 0o077 == 0


def test_what_was_left_out_stays_left_out(open_talk):
    talk = open_talk()
    talk.meanings.keep(all_failures(talk, ("chf nos",)))
    proposal = open_talk().propose(HEART).proposal
    assert mention(proposal, "heart failure").without in {("chf nos",), ()}
    assert number(talk, proposal) == 1


def test_what_was_kept_can_be_forgotten_and_chosen_otherwise_for_once(open_talk):
    talk = open_talk()
    before = talk.propose(HEART).proposal
    kept = all_failures(talk, ("chf nos",))
    talk.meanings.keep(kept)
    once = Choice(kept.said, kept.role, mention(before, "heart failure").taken)
    assert number(talk, talk.propose(HEART, choices=[once]).proposal) == 4
    assert talk.meanings.forget(kept)
    assert not talk.meanings.forget(kept)
    assert talk.propose(HEART).proposal == before


def test_a_later_meaning_takes_the_place_of_the_earlier(open_talk):
    talk = open_talk()
    talk.meanings.keep(all_failures(talk, ("chf nos",)))
    talk.meanings.keep(all_failures(talk))
    assert number(talk, talk.propose(HEART).proposal) == 4


@pytest.mark.parametrize("logic", ["", "nonsense", "count of patients", "count of diagnosis \x00", 'count of lab "x"'])
def test_a_meaning_that_cannot_be_read_or_asked_any_more_changes_nothing(open_talk, tmp_path, logic):
    talk = open_talk()
    before = talk.propose(HEART).proposal
    talk.meanings.keep(all_failures(talk))
    with closing(sqlite3.connect(memory_path(tmp_path / "state"))) as file, file:
        file.execute("UPDATE meanings SET logic = ?", [logic])
    again = open_talk().propose(HEART).proposal
    assert (again.logic == before.logic) == ("lab" not in logic)


def test_without_a_memory_nothing_can_be_kept(open_talk):
    talk = open_talk(False)
    one = all_failures(talk)
    assert not talk.meanings.is_kept(one)
    with pytest.raises(CaseError, match="no memory"):
        talk.meanings.keep(one)


def test_a_saved_concept_is_known_at_once_with_where_it_is_from(open_talk, tmp_path):
    talk = open_talk()
    one = all_failures(talk)
    members = talk.planner.members(one.taken, ()).stored
    choice = talk.meanings.save("leaky hearts", one, members)
    chosen = talk.propose(HEART, choices=[choice]).proposal
    assert number(talk, chosen) == 4
    asked = talk.propose("how many patients had leaky hearts").proposal
    assert number(talk, asked) == 4
    assert mention(asked, "leaky hearts").taken.rows == 5
    [kept] = [each for each in _own(tmp_path) if each[0] == "leaky hearts"]
    assert kept[1].startswith("made on ")
    assert "“heart failure”" in kept[1]


def test_a_concept_that_is_saved_twice_has_versions(open_talk):
    talk = open_talk()
    one = all_failures(talk)
    members = talk.planner.members(one.taken, ()).stored
    talk.meanings.save("mine", one, members)
    talk.meanings.save("mine", one, members[:1])
    # The newest is meant.
    choice = talk.meanings.save("Mine", one, [each for each in members if each.name != "chf nos"])
    assert number(talk, talk.propose(HEART, choices=[choice]).proposal) == 1


def test_what_is_no_concept_is_refused(open_talk):
    talk = open_talk()
    one = all_failures(talk)
    with pytest.raises(ConceptError, match="name"):
        talk.meanings.save("  ", one, talk.planner.members(one.taken, ()).stored)
    with pytest.raises(ConceptError, match="members"):
        talk.meanings.save("mine", one, [])
    emergency = mention(talk.propose("how many emergency admissions").proposal, "emergency admissions")
    with pytest.raises(ConceptError, match="belong to no concept"):
        talk.meanings.save("mine", emergency, talk.planner.members(emergency.taken, ()).stored)


def _own(tmp_path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(concepts_path(tmp_path / "state"))) as file:
        return file.execute("SELECT name, source FROM concepts").fetchall()
