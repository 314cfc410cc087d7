"""A database that changes while a conversation is about it."""

from __future__ import annotations

from ehrtui.engines.engine import DataState


def change(before: DataState, now: DataState, label: str, turns: int) -> str:
    """What happened to the database `label` after its first `turns` turns, in words; "" where nothing did."""
    since = f"since A{turns}" if turns else "since it was opened"
    if before == now:
        return ""
    if not now.source:
        return f"{label} is no longer where it was. This session goes on with it as it was opened."
    if now.source != before.source:
        return (
            f"{label} was replaced by another file {since}. This session goes on with the one that it opened; open it "
            "again to see the new one."
        )
    return (
        f"{label} was written to {since}. Earlier answers are kept as they were, and new ones see what it holds now: "
        "run an earlier one again to compare."
    )
