"""Rows that are told once where several say the same: whose lowest value stands in two records had it once."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Own, Rows, Set, Statement

_TOLD = {Own(PATIENT), Own("value")}


def told_once(statement: Statement) -> Statement:
    """The highest or lowest value of each patient once, where nothing is asked that would tell its records apart."""
    match statement:
        case Rows(of=Set(pick=pick), columns=columns) if pick is not None and pick.by == Own("value"):
            return replace(statement, distinct=True) if set(columns) == _TOLD and pick.per == PATIENT else statement
    return statement
