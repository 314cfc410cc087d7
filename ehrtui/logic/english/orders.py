"""By what rows and groups are sorted, and which of them are the first."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Aggregate, Order
from ehrtui.logic.english.clauses import At, noun
from ehrtui.logic.english.measures import head
from ehrtui.logic.english.moments import is_moment


def extreme(order: Order, own: At) -> str:
    """The highest or lowest of what is sorted by: "highest number of patients"."""
    word, by = "highest" if order.descending else "lowest", by_words(order, own)
    if is_moment(order.by):
        word = "latest" if order.descending else "earliest"
    return by if by.startswith(f"{word} ") else f"{word} {by}"


def by_words(order: Order, own: At) -> str:
    """What is sorted by, without an article."""
    return head(order.by, own) if isinstance(order.by, Aggregate) and order.by.of is None else noun(order.by, own)


def ties(order: Order) -> str:
    """That those in the last place are all meant, or what shares any place, behind what leads; "" where neither is."""
    return ", shared places counted once" if order.places else ", ties included" if order.ties else ""


def sorted_by(order: Order | None, own: At) -> str:
    """How rows are sorted, behind a question."""
    if order is None:
        return ""
    way = "from highest to lowest" if order.descending else "from lowest to highest"
    return f", sorted by {by_words(order, own)} {way}"
