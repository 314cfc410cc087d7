"""How a rank is told whose places are shared: EHRSQL's "top five" are the five highest counts and all names that have
them; people mean five names, and what ties with the fifth."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.algebra.model import Groups, Order, Own
from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.proposal import Proposal
from ehrtui.planning.reader.wording import foreign_words, in_benchmark_wording
from ehrtui.schema.profile import Profile

_TO_US = re.compile(r"\b(show|tell|give) us\b", re.IGNORECASE)
"""EHRSQL asks so, too: it is no colleague who speaks."""
_TOP = re.compile(r"^top (\d+) ")


def with_shared_places(proposal: Proposal, question: str, profile: Profile) -> Proposal:
    """A proposal for a question in EHRSQL's wording, on data in its schema, with its rank as EHRSQL takes it (its gold
    queries rank by DENSE_RANK, Lee et al. 2022); any other as it is."""
    match proposal.statement:
        case Groups(by=(Own("name"),), order=Order(ties=True, each=False, places=False) as order) as groups:
            if profile.wording != "ehrsql" or order.first in (None, 1):
                return proposal
            said = _TO_US.sub(r"\1 me", question.strip())
            if not in_benchmark_wording(said, foreign_words(question, proposal.links)):
                return proposal
            shared = replace(groups, order=replace(order, places=True))
            short = _TOP.sub(r"top \1 places ", proposal.logic or "")
            logic = short if short != proposal.logic else render_statement(shared)
            return replace(proposal, statement=shared, logic=logic)
    return proposal
