"""The tour: ten steps on the open database, each with the keys that do it and with what tells that it was done.

Keys are named as the registry has them, by place and default key, so that the user's own are shown; what is typed
stands in quotation marks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from textual.content import Content

from ehrtui.tui.key_map import shown_key
from ehrtui.tui.keys import EVERYWHERE


@dataclass(frozen=True)
class Scene:
    """What can be seen now. `runs` were made so far, and `answered` turns came of them; the turn that is shown was
    opened through `depth` turns, itself the last. `place` has the focus, the plan shows its `view`, and the answer a
    `chart` ("" for none). `boxes` were opened and left since the step began."""

    runs: int
    answered: int
    depth: int
    place: str | None
    view: str
    chart: str
    boxes: frozenset[str]


@dataclass(frozen=True)
class Press:
    """A key, by the place and the default of the registry."""

    place: str
    key: str


@dataclass(frozen=True)
class Type:
    """What is typed."""

    text: str


Part: TypeAlias = "Press | Type"


@dataclass(frozen=True)
class Step:
    """`text` has a `{}` for each of the `parts`, in the order in which they are pressed and typed. It is `done` where
    what is seen `now` says so, beside what was seen when it began."""

    title: str
    text: str
    parts: tuple[Part, ...]
    done: Callable[[Scene, Scene], bool]


PLAN, ANSWER, ENTER = Press(EVERYWHERE, "f6"), Press(EVERYWHERE, "f4"), Press("prompt", "enter")
AGAIN, END = Press(EVERYWHERE, "alt+t"), Press(EVERYWHERE, "escape")
"""What skips a step, and what ends the tour."""

STEPS: tuple[Step, ...] = (
    Step(
        "Ask",
        "Type {} or a question of your own, and press {}. While you type, the line below the prompt says how it is "
        "understood.",
        (Type("how many patients are there?"), ENTER),
        lambda before, now: now.answered > before.answered,
    ),
    Step(
        "Read the plan",
        "{} goes to the plan: your question as query logic. {} shows it as Python, and {} as the SQL that answered.",
        (PLAN, PLAN, PLAN),
        lambda before, now: now.place == "plan" and now.view == "sql",
    ),
    Step(
        "Run it",
        "Any of the three could be changed now. {} runs the turn again in its own place, changed or not.",
        (Press(EVERYWHERE, "f12"),),
        lambda before, now: now.runs > before.runs,
    ),
    Step(
        "Open the rows",
        "{} goes to the answer, and {} opens what is behind a value: here, who was counted.",
        (ANSWER, Press("answer", "enter")),
        lambda before, now: now.depth > before.depth,
    ),
    Step(
        "Look at a patient",
        "{} shows the patient of the row on one page: stays, problems, drugs, values. There {} goes to the next one, "
        "and {} closes the page.",
        (Press("answer", "o"), Press("patient", "n"), Press("patient", "escape")),
        lambda before, now: "PatientView" in now.boxes,
    ),
    Step(
        "Go back",
        "What you opened is a turn of its own. {} goes back to the answer that it was opened from.",
        (Press("answer", "backspace"),),
        lambda before, now: now.depth < before.depth,
    ),
    Step(
        "Refer to an answer",
        "{} goes to the turns, {} puts the name of the marked one into the prompt. Go on with {} and press {}.",
        (Press(EVERYWHERE, "f3"), Press("conversation", "r"), Type("by gender"), ENTER),
        lambda before, now: now.answered > before.answered,
    ),
    Step(
        "Draw a chart",
        "{} goes to the answer, {} draws its rows; again: another kind of chart, and the rows.",
        (ANSWER, Press("answer", "p")),
        lambda before, now: bool(now.chart),
    ),
    Step(
        "Save the answer",
        "{} asks for a file: its name's end says the form (.csv, .md, .ipynb, .svg …). Type one and press Enter, or "
        "leave with {}.",
        (Press("answer", "e"), Press("reason", "escape")),
        lambda before, now: "ExportBox" in now.boxes,
    ),
    Step(
        "Leave",
        "{} leaves ehrtui. The session is saved: the next time, {} in the prompt goes on with it. {} has every key.",
        (Press(EVERYWHERE, "ctrl+q"), Press("prompt", "ctrl+y"), Press(EVERYWHERE, "f1")),
        lambda before, now: False,
    ),
)


def step_content(at: int, own_keys: Mapping[str, str]) -> Content:
    """Step `at`, from 0, with the keys that do it, the one that skips it and the one that ends the tour."""
    step = STEPS[at]
    words = step.text.split("{}")
    parts: list[str | tuple[str, str]] = [(f"Tour, {at + 1} of {len(STEPS)} · {step.title}. ", "bold"), words[0]]
    for part, after in zip(step.parts, words[1:], strict=True):
        parts += [_named(part, own_keys), after]
    skips, ends = (shown_key(part.place, part.key, own_keys) for part in (AGAIN, END))
    parts.append((f"  ({skips}: skip the step · {ends}: end the tour)", "dim"))
    return Content.assemble(*parts)


def _named(part: Part, own_keys: Mapping[str, str]) -> tuple[str, str]:
    if isinstance(part, Type):
        return f"“{part.text}”", "italic"
    return shown_key(part.place, part.key, own_keys), "$accent bold"
