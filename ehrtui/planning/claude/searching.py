"""The search of the language model: stored names that are a vocabulary, by likeness, and nothing else."""

from __future__ import annotations

from ehrtui.privacy.request import Fixed, Part, ToolUse
from ehrtui.privacy.vocabulary import Speakable, normal

_MOST = 12
_LONGEST = 200


def found(use: ToolUse, speakable: Speakable) -> Part:
    """What a call of the search finds. Whatever its argument is, only shareable names come out."""
    text = use.arguments.get("text")
    if use.name != "search" or not isinstance(text, str) or not text.strip():
        return Fixed("There is only the tool search, with one text.")
    from rapidfuzz import fuzz, process

    wanted = normal(text[:_LONGEST])
    names = sorted(speakable.phrases)
    inside = [name for name in names if wanted in name][:_MOST]
    near = process.extract(wanted, names, scorer=fuzz.ratio, limit=_MOST, score_cutoff=60)
    listed = list(
        dict.fromkeys([*(name for name in inside if name == wanted), *inside, *(name for name, _, _ in near)])
    )
    if not listed:
        return Fixed("No stored name is like it.")
    return Fixed("\n".join(listed[:_MOST]))
