"""Why the records cannot answer a question, told from its words alone, whatever reads it."""

from __future__ import annotations

from ehrtui.planning.offline.words import read
from ehrtui.planning.proposal import Refusal
from ehrtui.planning.refuse.acts import asked_for_more
from ehrtui.planning.refuse.fields import not_kept
from ehrtui.planning.refuse.languages import not_english
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex


def refusal(text: str, profile: Profile, schema: Schema, index: ValueIndex, last: str) -> Refusal | None:
    """Why a question cannot be answered from a database: it is in another language, asks for more than records can
    say, or for a kind of information that this one lacks; None where nothing says so.

    `last` is the day on which the records end, as "YYYY-MM-DD". `instead` is left empty.
    """
    lower = read(text).lower
    return not_english(lower) or asked_for_more(lower, profile, index, last) or not_kept(lower, profile, schema, index)
