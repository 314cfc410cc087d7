"""The chart: what nobody uses is paid for, what is understood makes a text no dearer, rules combine neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ehrtui.planning.reader.chart import Chart, Grammar, Made, Node

_PRICES = st.lists(st.integers(0, 40).map(lambda tenths: tenths / 10), min_size=1, max_size=8)


def covers(prices: list[float], nodes: list[Node], grammar: Grammar | None = None) -> list[tuple[float, list[Node]]]:
    chart = Chart(prices)
    chart.fill(nodes, grammar or {}, None)
    return [(price, list(cover)) for price, cover in chart.covers()]


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[float], list[Node]]:
    prices = draw(_PRICES)
    spans = draw(st.lists(st.tuples(st.integers(0, len(prices) - 1), st.integers(1, 3)), max_size=5))
    nodes = [
        Node(f"kind {at}", at, start, min(start + size, len(prices)), draw(st.integers(-5, 20)) / 10)
        for at, (start, size) in enumerate(spans)
    ]
    return prices, nodes


@settings(deadline=None)
@given(_PRICES)
def test_what_is_not_understood_is_paid_for_word_by_word(prices: list[float]) -> None:
    [(price, nodes)] = covers(prices, [])
    assert price == pytest.approx(sum(prices))
    assert nodes == []


@settings(deadline=None)
@given(texts())
def test_understanding_more_makes_a_text_no_dearer(text: tuple[list[float], list[Node]]) -> None:
    prices, nodes = text
    bests = [covers(prices, nodes[:count])[0][0] for count in range(len(nodes) + 1)]
    assert all(more <= less + 1e-9 for less, more in pairwise(bests))


@settings(deadline=None)
@given(texts(), st.integers(0, 40))
def test_a_further_word_that_nothing_uses_costs_its_price(text: tuple[list[float], list[Node]], tenths: int) -> None:
    prices, nodes = text
    assert covers([*prices, tenths / 10], nodes)[0][0] == pytest.approx(covers(prices, nodes)[0][0] + tenths / 10)


@settings(deadline=None)
@given(texts())
def test_nodes_of_a_cover_do_not_overlap_and_the_cheapest_comes_first(text: tuple[list[float], list[Node]]) -> None:
    found = covers(*text)
    assert [price for price, _ in found] == sorted(price for price, _ in found)
    for _, nodes in found:
        assert all(left.end <= right.start for left, right in pairwise(nodes))


def test_a_rule_combines_two_nodes_over_words_that_may_be_passed() -> None:
    def both(_: object, left: Node, right: Node) -> Iterator[Made]:
        yield Made("both", (left.sense, right.sense), 0.1, "both")

    nodes = [Node("a", "left", 0, 1), Node("b", "right", 2, 3)]
    for price, combined in ((0.5, True), (9.0, False)):
        made = [node for _, nodes_of in covers([3.0, price, 3.0], nodes, {("a", "b"): [both]}) for node in nodes_of]
        assert any(node.sense == ("left", "right") for node in made) is combined
