"""What the user decided that words mean: kept in memory from now on, or saved as a concept of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ehrtui.concepts.candidates import Candidate
from ehrtui.concepts.model import Concept, Member
from ehrtui.errors import CaseError, ConceptError
from ehrtui.logic.algebra.model import Item
from ehrtui.memory.meanings import KeptMeaning
from ehrtui.memory.recall import Memory
from ehrtui.planning.mentions import BY_USER, Choice, LinkedMention
from ehrtui.planning.proposal import Planner
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import Stored


class OwnMeanings:
    """The decisions of one conversation's user. `memory` is None where there is none; the user's own concepts are in
    the file at `concepts`; `session` names the conversation ("" for one that is not saved)."""

    def __init__(self, memory: Memory | None, planner: Planner, profile: Profile, concepts: Path, session: str) -> None:
        self._memory = memory
        self._planner = planner
        self._profile = profile
        self._concepts = concepts
        self._source = f"chosen in session {session}" if session else "chosen in a session that was not saved"

    def keep(self, mention: LinkedMention) -> Choice:
        """Take the words of a mention so from now on, in every conversation about this family. The value is the choice
        that they are then. Raises CaseError, and LogicError for what is no meaning."""
        text = self._planner.text_of(mention.taken, mention.without)
        today = date.today().isoformat()
        memory = self._open()
        kept = KeptMeaning(memory.family, mention.said, mention.role, text, self._source, today)
        memory.store.keep_meaning(kept)
        return Choice(mention.said, mention.role, mention.taken, mention.without, f"{self._source}, {today}")

    def forget(self, mention: LinkedMention) -> bool:
        """Take the words of a mention as they are read again; False where nothing was kept. Raises CaseError."""
        memory = self._open()
        return memory.store.forget_meaning(memory.family, mention.said)

    def is_kept(self, mention: LinkedMention) -> bool:
        """True where memory has a meaning for these words."""
        return self._memory is not None and mention.said in self._memory.meanings()

    def save(self, name: str, mention: LinkedMention, members: Sequence[Stored]) -> Choice:
        """Save what a mention was taken for, its `members` here, as a concept of the user's own. The value is the
        choice of that concept. Raises ConceptError."""
        from ehrtui.concepts.making import concept_of
        from ehrtui.concepts.store import ConceptStore

        store, taken = ConceptStore(self._concepts), mention.taken
        stored = [one for one in members if one.name not in mention.without]
        if self._planner.members(taken, ()).limited:
            raise ConceptError(
                f"“{taken.label}” takes only some values.",
                why="A concept made of its names would take all of them.",
                next_step="`ehrtui concepts add` makes one with a limit.",
            )
        same = [one for one in store.concepts() if one.name.lower() == name.strip().lower()]
        source = f"made on {date.today().isoformat()} of “{mention.said}”"
        made = concept_of(
            name, taken.role, taken.field, stored, self._profile, version=str(len(same) + 1), source=source
        )
        store.add([made])
        if taken.field:
            return Choice(mention.said, mention.role, taken, mention.without)
        label = f"{made.name}: {len(stored)} name{'' if len(stored) == 1 else 's'}"
        meaning = Candidate(taken.role, (Item("concept", made.name),), how="concept", label=label, rows=taken.rows)
        return Choice(mention.said, mention.role, meaning, (), BY_USER)

    def save_cohort(self, name: str, logic: str) -> Concept:
        """Save patients or stays, as their query logic, under a name of the user's own; a cohort of that name which is
        there gets a new version. Raises ConceptError for a name that is taken by another kind of concept."""
        from ehrtui.concepts.store import ConceptStore

        name = " ".join(name.split())
        if not any(map(str.isalnum, name)):
            raise ConceptError("A cohort needs a name.", next_step="Write a few words, such as sepsis without AKI.")
        store = ConceptStore(self._concepts)
        same = [one for one in store.concepts() if one.name.lower() == name.lower()]
        if other := next((one for one in same if one.kind != "cohort"), None):
            raise ConceptError(f"“{name}” is a {other.kind} already.", next_step="Choose another name.")
        source = f"named on {date.today().isoformat()}"
        made = Concept(name, "cohort", (Member("logic", logic),), version=str(len(same) + 1), source=source)
        store.add([made])
        return made

    def _open(self) -> Memory:
        if self._memory is None:
            raise CaseError(
                "There is no memory in this session.",
                why="It was started without.",
                next_step="Start ehrtui without --no-memory to keep what words mean.",
            )
        return self._memory
