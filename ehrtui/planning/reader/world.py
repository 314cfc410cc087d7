"""What the reader knows of the database at hand: its kinds of records, their attributes, its words, its clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from ehrtui.concepts.candidates import Mention
from ehrtui.concepts.library import Library
from ehrtui.concepts.linking import link
from ehrtui.concepts.meaning import Meanings
from ehrtui.logic.algebra.ages import age_of_patients
from ehrtui.logic.algebra.concepts import Concepts
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Among,
    Comparison,
    Condition,
    Has,
    Is,
    Item,
    Measure,
    Of,
    Own,
    Set,
    State,
    Test,
    Value,
)
from ehrtui.planning.offline.lexicon import Lexicon
from ehrtui.planning.reader.lexicon import Phrases, Sense, indexed, phrases, tokens
from ehrtui.planning.reader.meanings import every, plain, unit_of
from ehrtui.schema.called import sayings_of, untold, without_unit, words_of
from ehrtui.schema.columns import plural
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.naming import spoken
from ehrtui.schema.profile import GUESSED, Profile, Role
from ehrtui.schema.value_index import ValueIndex, split
from ehrtui.schema.word_forms import stem

_OF_STAYS = {"admission", "icu_stay", "discharge", "death", "patient", "cost"}
_STAYS_OF = {"admission": "hospital", "icu_stay": "icu"}
"""The roles of stays, with what the lexicon calls those."""
_MANNERS = {"type", "status", "name", "class", "category", "kind", "label"}
"""What the name of an attribute may end in that nobody says beside one of its values: "spinal anaesthesia"."""
_TAG = re.compile(r"\s*\([^()]*\)\s*$")
"""What a vocabulary puts behind a name: "(body structure)"."""
_OF_ANATOMY = {"structure", "region", "entire", "of", "part", "the"}
_STRENGTH = re.compile(r"\d ?mg\b", re.IGNORECASE)
_SAMPLE = 20
"""Names: so many are looked at."""
_REGISTERED = re.compile(r"\b(?:join|regist|enrol|sign(?:ed)? up\b|(?:patient|client|member) since\b)")
"""What attributes of people are called that tell since when they have been patients."""
_BEARERS = (PATIENT, "admission", "icu_stay")
"""Roles whose attributes are those of people and stays."""
_OF_ICU_STAYS = "Of an ICU stay"
_MOMENTS = ("admission time", "discharge time", "icu admission time", "icu discharge time", "death time")

_INTERPRETED = {"R": ("resist",), "S": ("sens", "susc"), "I": ("inter",)}
"""How words begin that may be stored in the place of a letter."""


@dataclass(frozen=True, eq=False)
class World:
    """A database to read questions about. `words` are the profile's own words, `now` is the database now. A world is
    like no other, so that what was read in it can be kept for it."""

    profile: Profile
    index: ValueIndex
    words: Lexicon
    now: str
    library: Library | None = None
    texts: Callable[[str, tuple[str, ...]], tuple[str, ...]] = lambda role, names: ()
    """The texts that are charted of items (a role, and their names) that have no numbers."""

    @cached_property
    def concepts(self) -> Concepts:
        """What names of concepts mean in this database."""
        library = self.library
        return {} if library is None else Meanings(lambda: library, self.profile)

    @cached_property
    def cohorts(self) -> Mapping[tuple[str, ...], Set]:
        """The cohorts that the user named, by the words of their names."""
        kept = self.library.of_kind("cohort") if self.library is not None else ()
        found = {}
        for one in kept:
            unit = next((unit for unit in (ICU, HOSPITAL) if "".join(one.of("logic")).startswith(unit)), PATIENT)
            # As a condition, since rules take patients without any for all of them.
            found[tuple(tokens(one.name.lower()))] = Set(unit, where=Of(Set(unit, (Item("concept", one.name),))))
        return found

    @cached_property
    def measures(self) -> Mapping[tuple[str, ...], tuple[str, str]]:
        """Measures with a name, by the words of what they are called: the name, and the unit that has it."""
        kept = self.library.of_kind("measure") if self.library is not None else ()
        return {
            tuple(tokens(said.lower())): (one.name, ICU if one.description.startswith(_OF_ICU_STAYS) else HOSPITAL)
            for one in kept
            for said in (*one.synonyms, one.name)
        }

    def link(self, question: str) -> Sequence[Mention]:
        """The stored names that a question, in lower case, mentions."""
        return link(question, self.index, self.profile, self.library)

    @property
    def roles(self) -> dict[str, Role]:
        """The roles of the profile by name."""
        return dict(self.profile.roles)

    def has(self, role: str) -> bool:
        """True where there are records of that role."""
        return role in self.profile.roles

    def has_stays(self, unit: str) -> bool:
        """True where there are stays of that unit."""
        return ({HOSPITAL: "hospital", ICU: "icu"}[unit]) in self.profile.stays

    def growth(self, state: State) -> Condition:
        """That something grew in a culture ("present"), or nothing did ("missing"), which some databases keep as an
        organism of its own."""
        cultures = [role for name, role in self.profile.roles.items() if kind_of(name).microbial]
        nothing = next(filter(None, (role.sayings.get("organism", {}).get("negative") for role in cultures)), None)
        if nothing is None:
            return Is(Own("organism"), state)
        return Test(Own("organism"), "!=" if state == "present" else "=", Value(nothing))

    @cached_property
    def holders(self) -> dict[str, tuple[str, ...]]:
        """By attribute, the units whose rows have it: patients and stays first."""
        found: dict[str, list[str]] = {}
        ordered = sorted(self.profile.roles, key=lambda name: (kind_of(name).implied or 99, kind_of(name).rank))
        for name in ordered:
            role = self.profile.roles[name]
            own = list(role.fields)
            own += [
                field
                for field, column in (("time", role.time), ("end time", role.end), ("value", role.value))
                if column
            ]
            own += ["name"] if role.item or role.wide else []
            own += list(role.dictionary.fields) if role.dictionary else []
            for field in own:
                found.setdefault(field, []).append(unit_of(name))
        return {field: tuple(dict.fromkeys(units)) for field, units in found.items()}

    def holds(self, unit: str, field: str) -> bool:
        """True where rows of a unit have an attribute of their own, or one of their stay's moments."""
        if field in ("id", "patient"):
            return True
        if field == "length":
            return unit in (HOSPITAL, ICU)
        if field in _MOMENTS:
            return self.knows(field)
        return unit in self.holders.get(field, ())

    def charges(self, unit: str) -> bool:
        """True where what a record of a unit cost is known: kept with it, or told by the charge for it."""
        charged = self.profile.costs is not None and unit.replace(" ", "_") in self.profile.costs.kinds
        return charged or self.holds(unit, "cost")

    def knows(self, field: str) -> bool:
        """True where the attribute is kept anywhere."""
        if field in ("admission time", "discharge time"):
            return self.has_stays(HOSPITAL)
        if field in ("icu admission time", "icu discharge time"):
            return self.has_stays(ICU)
        if field == "cost":
            return self.has("cost") or field in self.holders
        if field in ("length", "id", "patient", "time", "name", "value"):
            return True
        if field == "death time":
            return self.has("death") or "death date" in self.holders
        return field in self.holders

    @cached_property
    def admissions(self) -> Set:
        """The stays that people call admissions: those of inpatients, where visits of other kinds are kept beside."""
        for one in self.index.of(("inpatient",)):
            stored = self.stored.get(one.field, ()) if one.role == "admission" and one.field else ()
            if len(stored) > 1:
                named = {name for role, name, words in stored if role == one.role and "inpatient" in words}
                if named - {one.name}:  # "inpatient hospital stay", and such as came through the emergency room
                    return Set(HOSPITAL, (), Among(Own(one.field), tuple(sorted({*named, one.name}))))
                return Set(HOSPITAL, (), Test(Own(one.field), "=", Value(one.name)))
        return Set(HOSPITAL)

    @cached_property
    def icu_based(self) -> bool:
        """True where what happened is kept by ICU stays: "stays" are then those."""
        keyed = [self.profile.roles[name].stay for name in ("diagnosis", "prescription", "lab") if self.has(name)]
        return bool(keyed) and all(one == "icu" for one in keyed)

    @cached_property
    def own(self) -> Phrases:
        """The words of this database: nouns of its kinds of records and stays, names of attributes."""
        found: dict[tuple[str, ...], dict[Sense, None]] = {}
        for words, meanings in self.words.phrases.items():
            for one in meanings:
                named = {other.which for other in meanings if other.kind == "field"}
                if one.kind == "role" and named & self.profile.role(one.which).fields.keys():
                    continue  # "wards": those of the transfers, not the transfers
                if one.kind == "role" and one.which not in _OF_STAYS and self.has(one.which):
                    found.setdefault(words, {})[Sense("role", one.which)] = None
                elif one.kind == "field" and one.which not in ("time", "name", "value", "id", "length", "cost"):
                    found.setdefault(words, {})[Sense("field", one.which)] = None
        for name in self.profile.roles:
            if name not in _OF_STAYS:
                for noun in _nouns(name):
                    found.setdefault(noun, {})[Sense("role", name)] = None
        for field in (field for role in self.profile.roles.values() for field in role.fields):
            called = tuple(tokens(field))
            for said in (called, called[:-1] if called[-1] in _MANNERS else ()):
                if said and said not in found and said not in phrases().senses:
                    found[said] = {Sense("field", field): None}  # "quantity", which elsewhere asks how much
        for called, field in self._as_called():
            if called not in found and all(map(self._lacks, phrases().senses.get(called, ()))):
                found[called] = {Sense("field", field): None}
        for called in (tuple(tokens(one)) for one in self.profile.role(PATIENT).nouns):
            if called not in phrases().senses:
                found.setdefault(called, {})[Sense("people", "any")] = None
        for name, which in _STAYS_OF.items():
            nouns = self.profile.roles[name].nouns if name in self.profile.roles else ()
            for noun in {tuple(tokens(form)) for one in nouns for form in (one, plural(one))}:
                if noun not in phrases().senses:
                    found.setdefault(noun, {})[Sense("stay", which)] = None
        return indexed(found)

    @cached_property
    def verbs(self) -> frozenset[tuple[str, ...]]:
        """What is said to be done with records, by the profile, in words."""
        return frozenset(tuple(tokens(verb)) for role in self.profile.roles.values() for verb in role.verbs)

    @cached_property
    def registered(self) -> frozenset[str]:
        """The nouns for entries of registers, which belong to no patient."""
        return frozenset(noun for role in self.profile.roles.values() if role.is_register for noun in role.nouns)

    @cached_property
    def stored(self) -> Mapping[str, Sequence[tuple[str, str, tuple[str, ...]]]]:
        """By attribute, the values that are stored of it: the role, the value and its words."""
        found: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {}
        for one in self.index.values:
            if one.field:
                found.setdefault(one.field, []).append((one.role, one.name, split(one.name)))
        return found

    def interpretation(self, letter: str) -> str:
        """How it is stored that an organism is resistant ("R"), sensitive ("S") or between ("I")."""
        kept = [value for _, value, _ in self.stored.get("interpretation", ())]
        spelled = (value for value in kept if value.lower().startswith(_INTERPRETED.get(letter, (letter,))))
        return letter if letter in kept else next(spelled, letter)

    @cached_property
    def care_units(self) -> frozenset[str]:
        """The names of the units on which ICU stays began or ended."""
        values = (one for unit in ("first care unit", "last care unit") for one in self.stored.get(unit, ()))
        return frozenset(name for role, name, _ in values if role == "icu_stay")

    @cached_property
    def by_words(self) -> Mapping[tuple[str, ...], Sequence[tuple[str, str, str]]]:
        """By the words of a stored value, the roles and attributes that have it, and how it is spelled; a value that is
        called as its attribute ("organism") is not said by that."""
        found: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
        for field, values in self.stored.items():
            for role, name, words in values:
                for said in dict.fromkeys((words, split(spoken(name)))):
                    if said != split(field):
                        found.setdefault(said, []).append((role, field, name))
        return found

    @cached_property
    def plainly(self) -> Mapping[tuple[str, ...], Sequence[tuple[str, str, str]]]:
        """By the plain words of a stored value of records ("knee" for "Knee region structure (body structure)"), the
        roles, the attributes and the value."""
        found: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
        for field, values in self.stored.items():
            for role, name, words in values:
                tagged = _TAG.sub("", name)
                plain = tuple(word for word in split(tagged) if word not in _OF_ANATOMY)
                if plain and plain != split(field) and role not in _BEARERS and (plain != words or len(plain) == 1):
                    found.setdefault(plain, []).append((role, field, name))
        return found

    def _lacks(self, sense: Sense) -> bool:
        """True for records and attributes that this database does not keep."""
        return (sense.kind == "field" and not self.knows(sense.which)) or (
            sense.kind == "role" and not self.has(sense.which)
        )

    def _as_called(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """The attributes of a guessed profile by the names of their columns, which people know there: the "tariff" that
        is a cost."""
        guessed = self.profile.name == GUESSED
        for role in self.profile.roles.values() if guessed else ():
            for field, column in role.fields.items():
                words = without_unit(words_of(column))
                for called in dict.fromkeys((tuple(tokens(words)), tuple(tokens(untold(words))))):
                    if called and called != tuple(tokens(field)) and field not in ("id", "name", "code"):
                        yield called, field

    @cached_property
    def flags(self) -> Mapping[tuple[str, ...], Sequence[tuple[str, str, str]]]:
        """By the words of an attribute that says whether something is so ("chronic"), the role, the attribute and its
        "yes"."""
        found: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
        for name, role in self.profile.roles.items():
            for field, sayings in role.sayings.items():
                for said, value in sayings.items():
                    if said in field and value.lower() in ("y", "yes", "t", "true"):
                        for form in dict.fromkeys((said, plural(said))):
                            found.setdefault(split(form), []).append((name, field, value))
        return found

    @cached_property
    def called(self) -> Mapping[tuple[str, ...], Sequence[tuple[str, str, str]]]:
        """By the words of a name of several words that people say for a stored code ("elm ward" for "W1"), the roles,
        the attributes and the code."""
        found: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
        for name, role in self.profile.roles.items():
            for field, sayings in role.sayings.items():
                for said, value in sayings.items():
                    if " " in said and field in role.said:
                        found.setdefault(split(said), []).append((name, field, value))
        return found

    @cached_property
    def of_people(self) -> Mapping[tuple[str, ...], Sequence[tuple[str, str, str]]]:
        """By the words that people say for a stored value of patients ("smokers"), the role, the attribute and how the
        value is spelled."""
        found: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
        role = self.profile.role(PATIENT)
        for field in role.said:
            values = [name for of, name, _ in self.stored.get(field, ()) if of == PATIENT]
            said = {**sayings_of(field, values), **role.sayings.get(field, {})}
            for words, value in said.items():
                found.setdefault(split(words), []).append((PATIENT, field, value))
        return found

    @cached_property
    def by_part(self) -> Mapping[str, Mapping[tuple[str, str], tuple[str, ...]]]:
        """By a word, in one form, of values of stays and people that have several: the roles and attributes, with their
        values that have it, where it tells them from others."""
        found: dict[str, dict[tuple[str, str], list[str]]] = {}
        for field, values in self.stored.items():
            for role, name, words in values:
                if role in _BEARERS and len(words) > 1:
                    for word in {stem(word) for word in words}:
                        found.setdefault(word, {}).setdefault((role, field), []).append(name)
        all_of = {
            (role, field): len(list(of_role))
            for field, values in self.stored.items()
            for role, of_role in groupby(sorted(role for role, _, _ in values))
        }
        return {
            word: {place: tuple(names) for place, names in places.items() if len(names) < all_of[place]}
            for word, places in found.items()
        }

    @cached_property
    def age_of_patients(self) -> Measure:
        """How old a patient is, as far as the database tells that."""
        return age_of_patients(self.profile)

    @cached_property
    def names_tell_strengths(self) -> bool:
        """True where drugs are named by the product, with its strength: "Lisinopril 10 MG Oral Tablet"."""
        if not self.has("prescription") or self.profile.role("prescription").dictionary is None:
            return False
        named = self.index.matching("mg", limit=_SAMPLE)
        return any(one.role == "prescription" and _STRENGTH.search(one.name) for one in named)

    @cached_property
    def registers_people(self) -> bool:
        """True where it is kept since when somebody has been a patient here, which their first stay does not tell."""
        return any(map(_REGISTERED.search, self.profile.role(PATIENT).fields))

    @cached_property
    def aged(self) -> str:
        """The unit whose age is that of a patient: the patients, where their ages are kept; else their stays."""
        return next((unit for unit in (PATIENT, HOSPITAL, ICU) if self.holds(unit, "age")), HOSPITAL)

    def of_age(self, *tests: tuple[Comparison, float]) -> Condition:
        """The condition of patients that their age, or that at a stay, is within limits in years."""
        within = every([Test(Own("age"), relation, Value(plain(years))) for relation, years in tests])
        return within if self.aged == PATIENT else Has(Set(self.aged, (), within))

    def is_number(self, field: str) -> bool:
        """True for an attribute that is an amount, which makes no groups: what something cost, how much was given."""
        return field == "cost" or any(
            role.fields.get(field) in role.spelled for role in self.profile.roles.values() if field in role.fields
        )

    def is_amount(self, field: str) -> bool:
        """True for an attribute of which one takes a mean."""
        if self.is_number(field):
            return field not in ("age", "birth year", "death year")
        return any(
            role.fields.get(field) in role.amounts for role in self.profile.roles.values() if field in role.fields
        )

    def owner(self, field: str) -> str:
        """The unit that an attribute asked of nobody's records belongs to."""
        units = self.holders.get(field, ())
        return next((unit for unit in (PATIENT, HOSPITAL, ICU) if unit in units), units[0] if units else "")


def _nouns(role: str) -> Iterator[tuple[str, ...]]:
    plain = kind_of(role).noun.lower()
    for noun in (plain, plural(plain), role.replace("_", " ")):
        yield tuple(tokens(noun))
