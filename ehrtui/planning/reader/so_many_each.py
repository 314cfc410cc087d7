"""What is named by how many have it, or how often one patient had it: "drugs given to more than 10 patients", "cities
with fewer than 3 patients", "which drug was she given at least twice"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Comparison,
    Groups,
    Of,
    Own,
    Set,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import grouped, key_of
from ehrtui.planning.reader.meanings import every, limited, plain
from ehrtui.planning.reader.sets import about_one, attach_to_event, whose

_SAID = -0.4
"""What it saves that the words set a limit to how many there are of each."""
_OF = {
    "to",
    "that",
    "which",
    "for",
    "in",
    "with",
    "by",
    "on",
    "among",
    "have",
    "had",
    "has",
    "got",
    "took",
    "affecting",
    "affected",
}
_THEIR = {"diagnosed", "recorded", "given", "prescribed", "seen", "done", "performed", "used", "measured", "ordered"}


def so_many_each(frame: Frame) -> Statement | None:
    """The groups of which the limited number is true; None where the question sets no limit to a number of each."""
    pieces = frame.pieces
    if frame.count or frame.functions or frame.share or frame.by or frame.most:
        return None
    heads = [node for node in pieces.of("event", "field") if _heads(frame, node)]
    if not heads:
        return None
    head = heads[0]
    limits = [node for node in pieces.of("limit", "often") if node.start > head.end]
    one = frame.who is not None or (head.kind == "event" and about_one(frame, head.sense.of))
    if one and (head.kind != "event" or any(node.kind != "often" for node in limits)):
        return None
    if len(limits) != 1 or len(pieces.of("event", "stays")) > (head.kind == "event") + len(frame.stays):
        return None
    [limit] = limits
    apart = next((node for node in pieces.of("distinct") if node.start == limit.end), None)  # "to 3 different patients"
    end = limit.end if apart is None else apart.end
    people = frame.group_said and frame.group_at == end and (frame.group is None or frame.group.where is None)
    stays = next((node for node in pieces.of("stays") if node.start == end and node.sense.of.where is None), None)
    if (limit.kind == "limit" and limit.sense.unit) or not (people or stays or limit.kind == "often"):
        return None
    if people and head.end < limit.start and not (_OF | _THEIR) & set(frame.context.between(head, limit)):
        return None
    if limit.kind == "often" and limit.sense.of == "days":
        return None
    tests: tuple[tuple[Comparison, float], ...] = limit.sense.tests
    if head.kind == "event":
        pieces.use(head)
        of = whose(frame, attach_to_event(frame, head.sense).of)
        for node in pieces.of("stays") if one else ():
            of = limited(of, Of(node.sense.of))
            pieces.use(node)
        keys = (Own("name"),)
    else:
        key = key_of(frame, head)
        owner = frame.world.owner(key.field) if isinstance(key, Own) else ""
        if not isinstance(key, Own) or not owner:
            return None
        pieces.use(head)
        of, keys = Set(stays.sense.of.unit if stays else owner), (key,)
    if pieces.of("trait"):
        return None  # said of those counted, and not of what they had
    pieces.use(limit, *(node for node in (stays, apart) if node is not None))
    in_stays = limit.kind == "often" and limit.sense.of == "stays"
    unit = PATIENT if people else stays.sense.of.unit if stays else HOSPITAL if in_stays else ""
    number = Aggregate("distinct", None, Own(unit)) if unit and unit != of.unit else Aggregate("count", None)
    made = grouped(frame, of, keys, number)
    if not isinstance(made, Groups) or len(made.columns) != 1:
        return None
    frame.pay(_SAID, "")
    having = every([Test(made.columns[0], sign, Value(plain(count))) for sign, count in tests])
    return Groups(made.of, made.by, made.columns, having, asked="keys")


def _heads(frame: Frame, node: Node) -> bool:
    """True for a noun in the plural that the question begins with: "which drugs", "cities"."""
    words = frame.context.lexed.words
    alone = frame.who is not None or (node.kind == "event" and about_one(frame, node.sense.of))
    noun = node.kind == "field" or (
        node.sense.noun and "verbal" not in node.why and (node.sense.of.where is None or alone)
    )
    first = all(frame.context.lexed.prices[at] < 1 for at in range(node.start))
    several = words[node.end - 1].endswith("s") or alone
    return noun and first and several and (frame.group_at < 0 or node.end <= frame.group_at)
