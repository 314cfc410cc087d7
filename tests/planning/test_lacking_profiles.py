"""Any question, over a profile that lacks any role or field: understood or declined, and never an exception."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.errors import LogicError
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile, Role
from tests import small_mimic

WORDS = tomllib.loads(Path(__file__).with_name("words_of_the_field.toml").read_text("utf-8"))
said = {kind: st.sampled_from(words) for kind, words in WORDS.items()}
asked = st.tuples(said["asked"], said["about"], said["when"], said["about"])
jumbled = st.lists(st.one_of(said["asked"], said["about"], said["when"], said["about"]), min_size=1, max_size=6)
questions = st.one_of(jumbled.map(" ".join), asked.map(" ".join), said["alone"])
pasts = st.builds(
    lambda logic, column, rows: PastTurn(1, "…", logic, "SELECT 1 AS x", (column,), rows, "answered"),
    st.one_of(st.none(), said["earlier"]),
    st.sampled_from(("subject_id", "hadm_id", "name", "x")),
    st.sampled_from((0, 1, 3)),
)
histories = st.lists(pasts, max_size=3).map(
    lambda turns: [replace(turn, number=number) for number, turn in enumerate(turns, 1)]
)


@dataclass(frozen=True)
class Clinic:
    """The five-patient EHR, open, with the whole profile of it."""

    engine: Engine
    profile: Profile

    def planner(self, profile: Profile) -> OfflinePlanner:
        engine = self.engine
        return OfflinePlanner(schema=engine.schema(), profile=profile, now=small_mimic.NOW, read=engine.read)


@pytest.fixture(scope="module")
def clinic(ehr: Path) -> Any:
    engine = open_engine(str(ehr))
    yield Clinic(engine, load_profile(engine.schema(), engine.read))
    engine.close()


@st.composite
def lesser(draw: Callable[..., Any], profile: Profile) -> Profile:
    """The profile without some of its roles, stays and columns."""
    gone = draw(st.sets(st.sampled_from(sorted(profile.roles))))
    poorer = draw(st.sets(st.sampled_from(sorted(profile.roles)), max_size=4))
    roles = {
        name: draw(_lesser_role(role)) if name in poorer else role
        for name, role in profile.roles.items()
        if name not in gone
    }
    stays = draw(st.sampled_from(({}, {"hospital"}, {"icu"}, {"hospital", "icu"}, {"hospital", "icu"})))
    return replace(
        profile,
        roles=roles,
        stays={name: stay for name, stay in profile.stays.items() if name in stays},
        patient=profile.patient if draw(st.integers(0, 4)) else None,
        costs=profile.costs if draw(st.booleans()) else None,
        sexes=profile.sexes if draw(st.integers(0, 4)) else {},
    )


@st.composite
def _lesser_role(draw: Callable[..., Any], role: Role) -> Role:
    lost = draw(st.sets(st.sampled_from(("time", "end", "stay", "item", "value", "row", "patient", "key"))))
    fields = {name: column for name, column in role.fields.items() if draw(st.booleans())}
    less: dict[str, Any] = dict.fromkeys(lost, "")
    if "stay" in lost or "key" in lost:
        less |= {"stay": "", "key": ""}
    if "item" in lost:
        less |= {"dictionary": None}
    if "patient" in lost and not role.stay:
        del less["patient"]  # records that lead to nobody are no role
    said = tuple(name for name in role.said if name in fields)
    return replace(role, fields=fields, said=said, **less)


INTERNAL = re.compile(r"\b[A-Z]\w+\(\w*=?|\b(?:True|False|None)\b|\b[a-z]+_[a-z_]+\b|[{}\[\]]|\b[Aa] [aeiouAEIO]|''|“”")
"""Reprs, names of roles, unfilled places, and a wrong article."""
GRAMMAR = ("role", "verb", "weak verb", "field", "want")
"""Links that say how a question is built; nobody is shown them."""
STORED = re.compile(r"“[^”]*”|\"[^\"]*\"|\(table [^)]*\)")


def said_by(proposal: Proposal) -> list[str]:
    """All that a proposal says in words of ehrtui's own."""
    refusal = proposal.refusal
    texts = [proposal.reason, refusal.sentence if refusal else "", *(doubt.sentence for doubt in proposal.doubts)]
    texts += [link.value for link in proposal.links if link.kind not in GRAMMAR and link.value]
    return [STORED.sub("", text) for text in texts]


def assert_sound(clinic: Clinic, planner: OfflinePlanner, proposal: Proposal, history: list[PastTurn]) -> None:
    """Every reading can be compiled, what is proposed can be run, and what is said is meant for people."""
    assert proposal.plan or proposal.reason
    assert [text for text in said_by(proposal) if INTERNAL.search(text)] == []
    for reading in proposal.readings:
        assert planner.propose_logic(reading.logic, history).plan
    if proposal.sql and "PREV_" not in proposal.sql:
        clinic.engine.read(f"SELECT * FROM ({proposal.sql.replace('MEDIAN', 'AVG')}) LIMIT 0")


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_question_fails_on_a_profile_that_lacks_something(clinic: Clinic, data: st.DataObject) -> None:
    planner = clinic.planner(data.draw(lesser(clinic.profile)))
    history = data.draw(histories)
    for question in data.draw(st.lists(questions, min_size=1, max_size=8)):
        assert_sound(clinic, planner, planner.propose(question, history), history)


def test_a_stay_where_the_database_has_none_is_declined_by_its_name(clinic: Clinic) -> None:
    profile = clinic.profile
    roles = {name: role for name, role in profile.roles.items() if name not in ("admission", "icu_stay")}
    planner = clinic.planner(replace(profile, roles=roles, stays={}))
    proposal = planner.propose("how many patients had a hospital stay of more than 5 days?", [])
    assert proposal.refusal is not None
    assert proposal.refusal.kind == "column"
    assert proposal.reason == "This database has no records of the kind “admission”."


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_logic_over_a_profile_that_lacks_something_is_compiled_or_declined_in_words(
    clinic: Clinic, data: st.DataObject
) -> None:
    planner = clinic.planner(data.draw(lesser(clinic.profile)))
    history = [PastTurn(1, "…", WORDS["earlier"][0], "SELECT 1 AS x", ("subject_id",), 3, "answered")]
    logic = data.draw(st.one_of(said["logic"], said["earlier"]))
    try:
        proposal = planner.propose_logic(logic, history)
    except LogicError as error:
        told = STORED.sub("", f"{error.what} {error.why}")
        assert INTERNAL.search(told.replace(clinic.profile.name, "")) is None, told
    else:
        assert_sound(clinic, planner, proposal, history)
