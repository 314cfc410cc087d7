"""What the user asks of the patients or stays of an answer, and the names that cohorts are kept under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.errors import LogicError
from ehrtui.tui.boxes import open_over
from ehrtui.tui.formatting import printable
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.concepts.model import Concept
    from ehrtui.logic.algebra.model import Set, Statement
    from ehrtui.planning.follow.offers import Offer
    from ehrtui.session.draft import Draft
    from ehrtui.tui.controls.plan_runs import PlanRuns
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.screens.cohort_box import Chosen

_EARLIER = 3
"""Cohorts of earlier answers that one is compared with: so many of the latest."""
_LONGEST = 40


class Cohorts:
    """Offers what fits, and runs it as a turn of its own."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing, runs: PlanRuns) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._runs = runs

    def open(self) -> None:
        """Show what can be asked of the cohort of the shown turn."""
        turn = self._desk.turn()
        if turn is None:
            return
        if self._desk.busy:
            self._showing.busy()
            return
        in_thread(
            self._screen,
            lambda: self._offered(turn.number),
            lambda found: self._show(turn.number, found),
            self._showing.trouble,
            group="cohort",
        )

    def _offered(self, number: int) -> tuple[str, list[Offer]] | None:
        """The cohort of a turn and what can be asked of it; None where its answer tells of no patients or stays."""
        from ehrtui.logic.algebra.render import set_text
        from ehrtui.planning.follow.offers import offers

        conversation = self._desk.conversation
        of = self._cohort(number)
        if of is None:
            return None
        earlier: dict[str, Set] = {}
        for turn in reversed(conversation.turns):
            if turn.number != number and len(earlier) < _EARLIER and turn.result is not None:
                other = self._cohort(turn.number)
                if other is not None and other.unit == of.unit and other not in (of, *earlier.values()):
                    earlier[f"A{turn.number}"] = other
        return set_text(of), offers(of, earlier, self._fits, conversation.profile)

    def _fits(self, logic: str) -> bool:
        """Whether the database has what query logic asks for, in a way that means something."""
        from ehrtui.planning.refuse.shifted import calendar_of_shifted

        conversation = self._desk.conversation
        try:
            conversation.propose(logic, "logic")
        except LogicError:
            return False
        return calendar_of_shifted(logic, conversation.profile) is None

    def _cohort(self, number: int) -> Set | None:
        from ehrtui.planning.follow.offers import cohort_of

        conversation = self._desk.conversation
        turn = conversation.turns[number - 1]
        return cohort_of(number, self._statements().get(number), turn.columns, conversation.profile)

    def _statements(self) -> dict[int, Statement]:
        """The statements of the turns that have one."""
        from ehrtui.logic.written import statement_of

        found = {}
        for turn in self._desk.conversation.turns:
            try:
                found[turn.number] = statement_of(turn.proposal.logic or "")
            except LogicError:  # SQL, or a language model's own words for its plan
                continue
        return found

    def _show(self, number: int, found: tuple[str, list[Offer]] | None) -> None:
        from ehrtui.tui.screens.cohort_box import CohortBox

        if found is None:
            self._screen.notify("This answer tells of no patients or stays.", timeout=4)
        else:
            open_over(self._screen, CohortBox(number, *found), lambda chosen: self._chosen(number, chosen))

    def _chosen(self, number: int, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        conversation = self._desk.conversation
        if chosen.logic:

            def drafted() -> Draft:
                return conversation.propose(chosen.logic, "logic")

            in_thread(
                self._screen,
                drafted,
                lambda draft: self._runs.run_behind(draft, number),
                self._showing.trouble,
                group="cohort",
            )
        else:
            in_thread(
                self._screen,
                lambda: self._kept(number, chosen.name),
                lambda made: self._screen.notify(
                    f"Kept as “{printable(made.name)[:_LONGEST]}”: say the name in a question, or in query logic "
                    f'patients concept "{printable(made.name)[:_LONGEST]}". `ehrtui concepts list --own` shows it.',
                    timeout=8,
                    markup=False,
                ),
                self._showing.trouble,
                group="cohort",
            )

    def _kept(self, number: int, name: str) -> Concept:
        """Keep the cohort of a turn under a name, without the answers that it builds on."""
        from ehrtui.logic.algebra.render import set_text
        from ehrtui.planning.follow.offers import standing_alone

        of = self._cohort(number)
        if of is None:
            raise LogicError("This answer tells of no patients or stays.")
        return self._desk.conversation.meanings.save_cohort(name, set_text(standing_alone(of, self._statements())))
