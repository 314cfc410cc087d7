"""Questions that no record can answer, in the words of hospital staff, and answerable ones like them, over the demo
database (`answerability.toml`)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.paraphrases import NOW, PATIENTS
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.demo.build import build
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import Proposal, Refusal
from ehrtui.session.turn import Turn
from ehrtui.settings import DEFAULTS

SETS = tomllib.loads((Path(__file__).with_name("answerability.toml")).read_text("utf-8"))
UNANSWERABLE = {question: kinds for name in SETS for question, kinds in SETS[name]["unanswerable"].items()}
LEAST_DECLINED = 0.98
LEAST_WITH_THE_RIGHT_REASON = 0.97
MOST_DECLINED_THOUGH_ANSWERABLE = {"first": 0.08, "second": 0.14}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("demo")
    path = folder / "demo.sqlite"
    build(path, patients=PATIENTS, seed=0, progress=lambda doing, share: None, cancelled=lambda: False)
    with closing(open_database(str(path), now=NOW, profile=None, planner="offline", state=folder)) as found:
        yield found


@pytest.fixture(scope="module")
def ask(database: Database) -> Callable[[str], Turn]:
    def asked(question: str) -> Turn:
        with closing(Conversation(database, threshold=DEFAULTS.threshold)) as conversation:
            return conversation.run(conversation.propose(question))

    return asked


@pytest.fixture(scope="module")
def propose(database: Database) -> Callable[[str], Proposal]:
    return lambda question: database.planner.propose(question, ())


@pytest.fixture(scope="module")
def refusals(propose: Callable[[str], Proposal]) -> dict[str, Refusal]:
    proposals = {question: propose(question) for question in UNANSWERABLE}
    return {question: one.refusal for question, one in proposals.items() if one.refusal is not None}


def test_the_sets_are_large_and_of_all_kinds() -> None:
    kinds = Counter(kind for kinds in SETS["first"]["unanswerable"].values() for kind in kinds.split(" or "))
    assert sum(kinds.values()) >= 100
    assert len(SETS["first"]["answerable"]["questions"]) >= 100
    assert min(kinds.values()) >= 4
    assert len(kinds) == 10


def test_what_no_record_can_answer_is_declined(ask: Callable[[str], Turn]) -> None:
    answered = [question for question in UNANSWERABLE if ask(question).decision == "answered"]
    assert 1 - len(answered) / len(UNANSWERABLE) >= LEAST_DECLINED, "\n".join(answered)


def test_it_is_declined_for_the_right_reason(refusals: dict[str, Refusal]) -> None:
    wrong = [
        f"{kinds}, not {refusals[question].kind if question in refusals else 'none'}: {question}"
        for question, kinds in UNANSWERABLE.items()
        if question not in refusals or refusals[question].kind not in kinds.split(" or ")
    ]
    assert 1 - len(wrong) / len(UNANSWERABLE) >= LEAST_WITH_THE_RIGHT_REASON, "\n".join(wrong)


@pytest.mark.parametrize("name", SETS)
def test_what_the_database_holds_is_seldom_declined(name: str, ask: Callable[[str], Turn]) -> None:
    questions = SETS[name]["answerable"]["questions"]
    declined = [question for question in questions if ask(question).decision != "answered"]
    assert len(declined) / len(questions) <= MOST_DECLINED_THOUGH_ANSWERABLE[name], "\n".join(declined)


def test_every_refusal_offers_questions_that_are_understood(
    refusals: dict[str, Refusal], propose: Callable[[str], Proposal]
) -> None:
    without = [question for question, refusal in refusals.items() if not refusal.instead]
    offered = {other for refusal in refusals.values() for other in refusal.instead}
    wrong = [other for other in offered if propose(other).reason or propose(other).confidence < DEFAULTS.threshold]
    assert without == []
    assert wrong == []


def test_a_refusal_rests_on_words_of_the_question(refusals: dict[str, Refusal]) -> None:
    strangers = [
        (question, word)
        for question, refusal in refusals.items()
        for word in refusal.words
        if word.lower() not in question.lower()
    ]
    assert strangers == []


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        (
            "how many patients were prescribed furosemide in 1998?",
            "how many patients were prescribed furosemide in 2101?",
        ),
        ("please print the last sodium value of patient 10031", "the last sodium value of patient 10031"),
        ("will patient 10031 get furosemide?", "when was furosemide last prescribed to patient 10031?"),
        ("email address of patient 10031", "what is the language of patient 10031?"),
        ("when did patient 10031 get apixaban?", "when did patient 10031 get {drug}?"),
    ],
)
def test_the_nearest_question_keeps_what_was_understood(
    question: str, offered: str, propose: Callable[[str], Proposal], database: Database
) -> None:
    refusal = propose(question).refusal
    assert refusal is not None
    drugs = database.engine.read("SELECT DISTINCT drug FROM prescriptions") if "{drug}" in offered else [("",)]
    assert {offered.format(drug=drug) for (drug,) in drugs} & set(refusal.instead)


@pytest.mark.parametrize(
    "question",
    [
        "how many patients were admitted last year?",
        "how many patients were admitted since 1998?",
        "how many patients were admitted before 2110?",
        "list the patients born in 1998",
        "how many patients were admitted 7 years ago?",
        "which drugs were prescribed within the next month after thoracentesis?",
    ],
)
def test_a_time_that_may_hold_records_is_asked_for(question: str, propose: Callable[[str], Proposal]) -> None:
    refusal = propose(question).refusal
    assert refusal is None or refusal.kind not in ("span", "future")


def test_a_turn_that_was_refused_suggests_the_nearest_questions(ask: Callable[[str], Turn]) -> None:
    turn = ask("how many patients were admitted in 1998?")
    assert turn.decision == "abstained"
    assert turn.error is not None
    assert turn.proposal.refusal is not None
    assert turn.error.suggestions == turn.proposal.refusal.instead
    assert [ask(question).decision for question in turn.error.suggestions] == ["answered"] * len(turn.error.suggestions)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("average blorbium in men under 70", "blorbium"),
        ("percentage of patients with blorbitis", "blorbitis"),
        ("highest blorbium per patient", "blorbium"),
    ],
)
def test_a_refusal_names_what_is_not_known_and_no_word_of_asking(
    planner: OfflinePlanner, question: str, unknown: str
) -> None:
    assert f"“{unknown}”" in planner.propose(question, []).reason
