"""What the words of a question mean, over the screen: members with their counts, and what else a word may mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ehrtui.concepts.retrieval import reason_of
from ehrtui.errors import EhrtuiError
from ehrtui.planning.mentions import BY_USER, Choice, LinkedMention, PaidWord
from ehrtui.tui.formatting import count, cut, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.member_counts import Meant, MemberCounts, meant
from ehrtui.tui.screens.boxed import Overlay
from ehrtui.tui.understanding import meaning_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from ehrtui.concepts.candidates import Candidate
    from ehrtui.planning.proposal import Proposal
    from ehrtui.schema.value_index import Stored
    from ehrtui.tui.controls.meanings import Meanings

_NUMBERS_WIDE = 20
"""Cells of the two counts of a member."""
_CODE_WIDE = 8
_NARROW = 40
_EDGES = 3
"""Cells of the list that are not for text."""
_MEMBERS = "Members here"


@dataclass(frozen=True)
class _Line:
    """What a line of the list is: a member, another meaning, or a heading."""

    member: Stored | None = None
    other: Candidate | None = None
    heading: str = ""


class MeaningList(OptionList):
    """The lines of one word; its keys work the box."""

    BINDINGS = bindings("meanings")

    @property
    def _box(self) -> MeaningsBox:
        screen = self.screen
        assert isinstance(screen, MeaningsBox)
        return screen

    def action_step(self, by: int) -> None:
        """Another word."""
        self._box.step(by)

    def action_keep(self) -> None:
        """From now on, or no longer."""
        self._box.keep()

    def action_save(self) -> None:
        """As a concept."""
        self._box.ask_name()

    def action_close(self) -> None:
        """Back to the question."""
        self._box.dismiss()


class MeaningsBox(Overlay[None]):
    """The words of a `proposal`, which `meanings` counts and changes; `changed` is told where something was."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "close")]
    DEFAULT_CSS = """
    MeaningsBox Vertical { width: 92%; height: 92%; border: heavy $primary; padding: 0 1; background: $surface; }
    MeaningsBox Static { height: auto; }
    MeaningsBox #words { max-height: 2; }
    MeaningsBox #about { max-height: 3; color: $foreground 70%; }
    MeaningsBox MeaningList, MeaningsBox MeaningList:focus {
        height: 1fr; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1;
    }
    MeaningsBox #asked { max-height: 3; color: $accent; }
    MeaningsBox #note { max-height: 2; color: $warning; }
    MeaningsBox Input, MeaningsBox Input:focus { border: none; height: 1; padding: 0; display: none; }
    MeaningsBox Input.-asked { display: block; }
    """

    def __init__(self, proposal: Proposal, meanings: Meanings, changed: Callable[[], None]) -> None:
        super().__init__()
        self._proposal = proposal
        self._meanings = meanings
        self._changed = changed
        self._at = 0
        self._counts = MemberCounts()
        self._lines: list[_Line] = []

    def compose(self) -> ComposeResult:
        """The words, what the chosen one means, its members and other meanings, the logic, and what is to be said."""
        box = Vertical()
        box.border_title = "What the words mean here"
        box.border_subtitle = "← → words · Space in/out · u from now on · s save · Esc closes"
        with box:
            yield Static(id="words")
            yield Static(id="about")
            yield MeaningList(id="meanings")
            yield Static(id="asked")
            yield Static(id="note")
            yield Input(id="name")

    def on_mount(self) -> None:
        """The first word."""
        self.step(0)

    @property
    def _all(self) -> list[LinkedMention | PaidWord]:
        return [*self._proposal.mentions, *self._proposal.paid]

    @property
    def _word(self) -> LinkedMention | PaidWord:
        return self._all[self._at]

    def step(self, by: int) -> None:
        """Show the word so many further on, and count what it means."""
        self._at = min(max(self._at + by, 0), len(self._all) - 1)
        self._counts = MemberCounts()
        self._say("")
        self._show()
        self._count()

    def _count(self) -> None:
        word = self._word
        if isinstance(word, LinkedMention):
            self._meanings.members(word, self._counted)

    def _counted(self, what: Meant, found: MemberCounts) -> None:
        word = self._word
        if not self.is_running or not isinstance(word, LinkedMention) or meant(word) != what:
            return
        if found.rows is not None or not self._counts.stored:  # else the numbers so far stay until the new ones come
            self._counts = found
            self._show()

    def _show(self) -> None:
        """Draw everything again; the cursor stays on its line."""
        word, listed = self._word, self.query_one(MeaningList)
        self.query_one("#words", Static).update(self._words())
        at = listed.highlighted
        if isinstance(word, PaidWord):
            price = "" if word.price is None else f" That costs the reading {word.price:.1f}."
            self.query_one("#about", Static).update(Content(printable(f"{word.why}{price}")))
            self._lines = []
        else:
            self.query_one("#about", Static).update(self._about(word))
            self._lines = self._lines_of(word)
        listed.set_options([self._option(line, word) for line in self._lines])
        first = next((place for place, line in enumerate(self._lines) if not line.heading), None)
        stays = at is not None and at < len(self._lines) and not self._lines[at].heading
        listed.highlighted = at if stays else first
        logic = " ".join((self._proposal.logic or self._proposal.reason).split())
        self.query_one("#asked", Static).update(Content(f"⟶ {printable(logic)}"))
        listed.focus()

    def _words(self) -> Content:
        parts: list[str | tuple[str, str]] = []
        for at, word in enumerate(self._all):
            sign = "? " if isinstance(word, PaidWord) else "✎ " if word.chosen else ""
            style = "reverse bold" if at == self._at else "underline" if isinstance(word, PaidWord) else ""
            parts += [(f" {sign}{printable(word.text)} ", style), " "]
        return Content.assemble(*parts)

    def _about(self, mention: LinkedMention) -> Content:
        taken, kept = mention.taken, self._meanings.is_kept(mention)
        words = meaning_words(mention, self._counts) if self._counts.stored else taken.label
        parts = [f"{mention.taken.role.replace('_', ' ')}{f' · {taken.field}' if taken.field else ''}: {words}"]
        if self._counts.rows is not None:
            parts.append(count(self._counts.rows, "row"))
        parts.append(mention.chosen or f"found {reason_of(taken)}")
        if kept:
            parts.append("★ kept: u forgets it")
        return Content(printable(" · ".join(parts)))

    def _lines_of(self, mention: LinkedMention) -> list[_Line]:
        stored = self._counts.stored
        used = [one for one in stored if one.rows or one.name in mention.without] or list(stored)
        lines = [_Line(heading=_MEMBERS), *(_Line(member=one) for one in used)] if used else []
        if unused := len(stored) - len(used):
            lines.append(_Line(heading=f"and {unused:,} more without a row here"))
        if mention.others:
            lines += [_Line(heading="Other meanings"), *(_Line(other=one) for one in mention.others)]
        return lines

    def _option(self, line: _Line, word: LinkedMention | PaidWord) -> Option:
        width = self._width
        if line.member is not None:
            return self._member(line.member, out=isinstance(word, LinkedMention) and line.member.name in word.without)
        if line.other is not None:
            kind = (line.other.field or line.other.role).replace("_", " ")
            said = f"→ {printable(line.other.label)} · {kind} · {printable(reason_of(line.other))}"
            return Option(Content(cut(said, width - 14) + f"  {line.other.rows:,} rows"))
        numbers = f"{'rows':>10}{'patients':>10}" if line.heading == _MEMBERS else ""
        room = width - len(line.heading) - len(numbers)
        style = "dim" if line.heading.startswith("and ") else "bold"
        return Option(Content.styled(f"{line.heading}{' ' * room}{numbers}", style), disabled=True)

    @property
    def _width(self) -> int:
        return max(self.query_one("#words").size.width - _EDGES, _NARROW)

    def _member(self, member: Stored, *, out: bool) -> Option:
        """Its sign, code and name, and how many rows and patients it has."""
        rows, patients = self._counts.each.get(member.name, (member.rows, None))
        coded = any(one.codes for one in self._counts.stored)
        code = f"{(member.codes or ('',))[0]:<{_CODE_WIDE}}" if coded else ""
        name = cut(f"{'✗' if out else '✓'} {code}{printable(member.name)}", self._width - _NUMBERS_WIDE)
        people = f"{patients:,}" if patients is not None else "…" if self._counts.rows is None else "0"
        room = self._width - _NUMBERS_WIDE - cell_len(name)
        return Option(Content.styled(f"{name}{' ' * room}{rows:>10,}{people:>10}", "dim" if out else ""))

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Leave a member out or take it in; take another meaning."""
        word, line = self._word, self._lines[message.option_index]
        if not isinstance(word, LinkedMention):
            return
        if line.member is not None:
            name = line.member.name
            rest = tuple(one for one in word.without if one != name)
            self._choose(Choice(word.said, word.role, word.taken, rest if name in word.without else (*rest, name)))
        elif line.other is not None:
            self._choose(Choice(word.said, word.role, line.other))

    def _choose(self, choice: Choice) -> None:
        self._say("")
        self._meanings.choose(choice, self._chosen, self._failed)

    def _chosen(self, proposal: Proposal) -> None:
        """Show the question as it is understood now."""
        self._changed()
        if not self.is_running:
            return
        before = self._word
        self._proposal = proposal
        places = [at for at, one in enumerate(self._all) if (one.start, one.end) == (before.start, before.end)]
        self._at = self._at if self._at in places else places[0] if places else 0
        now = self._word
        if not (isinstance(before, LinkedMention) and isinstance(now, LinkedMention) and before.taken == now.taken):
            self._counts = MemberCounts()
            self.query_one(MeaningList).highlighted = None
        self._show()
        self._count()

    def _failed(self, error: EhrtuiError) -> None:
        self._say(" ".join(part for part in (error.what, error.next_step) if part))

    def _say(self, text: str) -> None:
        if self.is_running:
            self.query_one("#note", Static).update(Content(printable(text)))

    def keep(self) -> None:
        """Use the meaning from now on, or no longer."""
        if isinstance(self._word, LinkedMention):
            self._meanings.keep(self._word, self._kept, self._failed)

    def _kept(self, said: str, proposal: Proposal) -> None:
        self._chosen(proposal)
        self._say(said)

    def ask_name(self) -> None:
        """Ask for the name of the concept."""
        if isinstance(self._word, LinkedMention):
            field = self.query_one(Input)
            field.value = self._word.said
            field.add_class("-asked")
            self._say("Name of the concept (Enter saves it, Esc does not):")
            field.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Save it under that name."""
        word = self._word
        if isinstance(word, LinkedMention):
            self._meanings.save(message.value, word, self._counts.stored, self._saved, self._failed)
        self.action_leave()

    def _saved(self, choice: Choice) -> None:
        self._choose(replace(choice, source=BY_USER))
        self._say("Saved as a concept of your own; `ehrtui concepts list --own` shows it.")

    def action_leave(self) -> None:
        """Leave the name unsaved, or the box."""
        field = self.query_one(Input)
        if not field.has_class("-asked"):
            self.dismiss()
            return
        field.remove_class("-asked")
        self._say("")
        self.query_one(MeaningList).focus()
