"""What is asked in a conversation about one patient without a word of whom it is asked: of this patient, too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Among, Of, Own, Rows, Set, Statement
from ehrtui.logic.words import turns_of
from ehrtui.planning.follow.pointing import is_whole
from ehrtui.planning.follow.subject import names_one, person_in, subject_of
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.choosing import names_in
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import parts_of

_EVERYBODY = {"all", "every", "everyone", "everybody", "overall", "anyone", "anybody", "somebody", "someone", "who",
              "whom", "whose", "general", "database", "data", "dataset", "else", "others", "other",
              "mortality", "survival"}  # fmt: skip
"""Words that speak of everybody, or of others."""
_OF_WHOM = {"people", "patient", "most", "by", "share"}
"""Kinds of nodes that say of whom it is, or that it is of all: the commonest of a kind, groups, shares."""
_SOME = {"patients", "pts", "people", "persons", "admissions", "stays", "visits", "women", "men", "who", "anyone",
         "everyone", "patient", "encounters", "top", "most", "common"}  # fmt: skip
_WHAT_ONE_COSTS = re.compile(r"\b(?:does|do|did)\s+an?\b.*\bcost\b|\b(?:cost|price|charge) of an?\b")
_THE_STAYS = re.compile(r"\bthe (?:[a-z]+ ){0,2}(?:stays?|admissions?|visits?|hospitali[sz]ations?)\b")


def tells_the_stays(question: str) -> bool:
    """True for "the ICU stays", "the first admission": those of whom it was spoken."""
    return _THE_STAYS.search(question.lower()) is not None


def asks_what_one_costs(question: str) -> bool:
    """True for "how much does a hemodialysis cost?", which is of everybody."""
    return _WHAT_ONE_COSTS.search(question.lower()) is not None


def says_no_people(question: str) -> bool:
    """True for a question with no noun for people, or for the stays of some."""
    return _SOME.isdisjoint(re.findall(r"[a-z']+", question.lower()))


def says_nobody(question: str, one: Lexed) -> bool:
    """True for a question with no word of whom it is asked, nor of everybody: "admission dates and lengths"."""
    said = [node for node in one.nodes if node.kind in _OF_WHOM or _is_cost(node)]
    names = [node for node in one.nodes if node.kind == "event" and node.end - node.start > 1]
    said = [node for node in said if not any(name.start <= node.start and node.end <= name.end for name in names)]
    typed = re.findall(r"[a-z']+", question.lower())  # "overall" is left out of what is read
    if said or not _EVERYBODY.isdisjoint([*one.words, *typed]) or asks_what_one_costs(question):
        return False  # the "rate" of a heart rate is no share
    return tells_the_stays(question) or not is_whole(question)


def _is_cost(node: Node) -> bool:
    """True for what something costs, which is of everybody where nobody is named."""
    return node.kind == "field" and "cost" in node.sense.fields


def is_about_person(statement: Statement, turn: int) -> bool:
    """True for an answer that was about one patient, or a few, who were named one by one."""
    subject = subject_of(turn, statement)
    return subject is not None and subject.person is not None and isinstance(subject.person.where, Among)


def without_whose(statement: Statement) -> Statement:
    """What is listed of one patient, without a column that tells whose it is."""
    if not isinstance(statement, Rows) or statement.of.unit == PATIENT or statement.columns[:1] != (Own(PATIENT),):
        return statement
    return replace(statement, columns=statement.columns[1:]) if statement.columns[1:] else statement


def once_told(statement: Statement) -> Statement:
    """The highest or lowest value of one patient, once, however often it was measured."""
    match statement:
        case Rows(of=of, columns=(Own(field="value"),), distinct=False, order=None):
            extreme = of.pick is not None and of.pick.by == Own("value") and of.pick.nth == 1
            return replace(statement, distinct=True) if extreme and _of_one(of) else statement
    return statement


def _of_one(of: Set) -> bool:
    """True for records of one patient who is named, be it in a stay of theirs."""
    for part in parts_of(of.where):
        if isinstance(part, Of):
            person = person_in(Set(of.unit, (), part))
            if person is not None and names_one(person):
                return True
    return False


def forgets_person(
    question: str, one: Lexed, earlier: Mapping[int, Statement], latest: int, logic: str
) -> tuple[str, ...]:
    """The first word of a question that says nobody, after an answer about one patient, where the query `logic` that
    was read of it names no patient, and points at no answer; none otherwise."""
    if not says_nobody(question, one) or not is_about_person(earlier[latest], latest):
        return ()
    told = bool(turns_of(logic)) or any(name.startswith("patient ") for name in names_in(logic))
    return () if told else tuple(one.words[:1])
