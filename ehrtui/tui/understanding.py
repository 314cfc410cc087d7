"""How a question is understood, below it: its logic, and what its words were taken for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from ehrtui.tui.formatting import count, printable
from ehrtui.tui.member_counts import Meant, MemberCounts, meant

if TYPE_CHECKING:
    from ehrtui.planning.mentions import LinkedMention
    from ehrtui.planning.proposal import Link, Proposal

_WORDS_OF_GRAMMAR = frozenset({"role", "verb", "field", "want", "count", "people"})
"""Links that say how the question is built; the logic shows that already."""
NO_COUNTS: Mapping[Meant, MemberCounts] = {}


def read_as(proposal: Proposal) -> Content:
    """The logic with its confidence, or why there is none."""
    return Content.assemble(("⟶ ", "$accent bold"), *_reading(proposal))


def told_of_words(proposal: Proposal, counts: Mapping[Meant, MemberCounts] = NO_COUNTS, scope: str = "") -> Content:
    """What it is about (`scope`), the words that it leaves out, those that nothing explains after a '?', every name
    with its meaning in brackets, and what else was understood."""
    told: list[str | tuple[str, str]] = [(f"[{scope}]", "$accent bold"), "  "] if scope else []
    unexplained = {word.lower() for word in proposal.unexplained}
    for word in proposal.unexplained:
        told += [("? ", "$warning bold"), (printable(word), "$warning underline"), "  "]
    for paid in proposal.paid:
        if paid.text.lower() not in unexplained:
            told += [(printable(paid.text), "$warning underline"), "  "]
    for doubt in proposal.doubts:
        if doubt.kind == "continued" and not scope:
            told += [(doubt.sentence, "$accent"), "  "]
    for mention in proposal.mentions:
        told += [*_chip(mention, counts.get(meant(mention))), "  "]
    for link in proposal.links:
        if link.kind not in _WORDS_OF_GRAMMAR and not (scope and link.kind == "turn") and not _is_told(link, proposal):
            told += [(printable(link.text), "dim"), " → ", printable(link_text(link)), "  "]
    return Content.assemble(*told)


def meaning_words(mention: LinkedMention, counts: MemberCounts | None) -> str:
    """What a mention means, in a few words: `chf nos, 3 patients`, `1 of 2 codes, 3 patients`, or `lab, 3 patients`
    where it is so called."""
    names = [one.name for one in counts.stored] if counts is not None and counts.stored else []
    taken = mention.taken
    if len(names) > 1 or mention.without:
        noun = "value" if taken.field else "code" if counts and all(one.codes for one in counts.stored) else "name"
        left = len(names) - sum(name in mention.without for name in names)
        what = f"{left} of {count(len(names), noun)}" if mention.without else count(len(names), noun)
    else:
        what = names[0] if names else taken.label.rpartition(": ")[2]
        if what.lower() == mention.said:
            what = (taken.field or taken.role).replace("_", " ")
    people = "" if counts is None or counts.patients is None else f", {count(counts.patients, 'patient')}"
    return f"{what}{people}"


def link_text(link: Link) -> str:
    """`prescription furosemide`, with '~' where the letters are not the same."""
    return f"{link.kind.replace('_', ' ')} {'' if link.score >= 1 else '~'}{link.value}".rstrip()


def _chip(mention: LinkedMention, counts: MemberCounts | None) -> list[tuple[str, str]]:
    mark = "✎ " if mention.chosen else ""
    words = f": {printable(meaning_words(mention, counts))}]"
    return [(f"[{mark}", "$accent"), (printable(mention.text), "bold"), (words, "$accent")]


def _is_told(link: Link, proposal: Proposal) -> bool:
    """True for a link whose words are a mention."""
    return any(one.start < link.end and link.start < one.end for one in proposal.mentions)


def _reading(proposal: Proposal) -> list[str | tuple[str, str]]:
    number = (f"  {proposal.confidence:.2f}", "dim")
    understood = proposal.logic is not None and not proposal.unexplained
    if proposal.refusal is not None and understood:
        return [(printable(proposal.reason), "$warning")]
    if proposal.logic:
        more = f"  (1 of {len(proposal.readings)} readings)" if len(proposal.readings) > 1 else ""
        return [printable(" ".join(proposal.logic.split())), number, (more, "dim")]
    if proposal.reason:
        return [(printable(proposal.reason), "$warning")]
    if proposal.sql:
        return ["SQL, run as it stands"]
    return [("not understood yet", "dim")]
