"""From a question to the words and first nodes of its chart, and what passing over each word would cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Among,
    Has,
    Is,
    Neighbour,
    Own,
    Set,
    Test,
    Value,
)
from ehrtui.planning.offline.identifiers import find_lone_patient, find_patients
from ehrtui.planning.offline.parts import patient_ids
from ehrtui.planning.offline.times import find_times
from ehrtui.planning.offline.words import Text
from ehrtui.planning.reader.ages_then import find_ages_then
from ehrtui.planning.reader.bands import find_bands, find_steps
from ehrtui.planning.reader.beside_first import find_first_values
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.charted_texts import with_texts
from ehrtui.planning.reader.clock_times import find_clock_times
from ehrtui.planning.reader.dates import find_dates
from ehrtui.planning.reader.extremes_beside import extremes_beside
from ehrtui.planning.reader.following import find_following
from ehrtui.planning.reader.given_it import given_it
from ehrtui.planning.reader.harmless import comes_back_as_found, harmless, told_anew
from ehrtui.planning.reader.kinds_of_lists import of_the_kind_behind
from ehrtui.planning.reader.lexicon import Sense, phrases, spans
from ehrtui.planning.reader.linked_names import mentioned, too_short, vaccinated_against, valued
from ehrtui.planning.reader.manner import PLACE_ASKED, admitted_how, find_manner, find_whereabouts, residing
from ehrtui.planning.reader.meanings import Bearer, Event, People, Stays, Trait, Wanted, limited, unit_of
from ehrtui.planning.reader.missing_values import find_missing
from ehrtui.planning.reader.name_parts import find_full_names, find_name_parts
from ehrtui.planning.reader.names_holding import names_holding
from ehrtui.planning.reader.numbers import age_called, find_numbers, number
from ehrtui.planning.reader.observation_words import PERIODS, is_time_observed, remains
from ehrtui.planning.reader.opening_hours import find_openings
from ehrtui.planning.reader.patients_named import find_named
from ehrtui.planning.reader.percentiles import find_percentiles
from ehrtui.planning.reader.pick_words import find_rivals_of_picks
from ehrtui.planning.reader.places_no_routes import without_places
from ehrtui.planning.reader.quoting import as_written
from ehrtui.planning.reader.reason_words import WHY_ASKED, find_why
from ehrtui.planning.reader.register_words import by_whom, of_registers, with_own_number
from ehrtui.planning.reader.side_words import find_both_sides, find_both_ways, find_rival_times
from ehrtui.planning.reader.specialists import find_specialists
from ehrtui.planning.reader.stored_values import (
    PEOPLE,
    SAID_OF_ANOTHER,
    alone,
    before_stays,
    beside_fields,
    beside_records,
    going_home,
    in_part,
    is_of_a_likelier,
    of_named_records,
    people_called,
    said_to_be,
    told_apart_by,
    value_is_no_part,
)
from ehrtui.planning.reader.whole_names import without_parts_of_names
from ehrtui.planning.reader.word_prices import PRICES, prices_of
from ehrtui.planning.reader.world import World
from ehrtui.planning.reader.year_on_year import find_changes
from ehrtui.schema.kinds import kind_of

_AS_FIELD = 1.2
"""What an attribute costs whose name says something else where it stands."""
_DYING = {"died", "die", "deaths", "death", "dead", "expired", "dying"}
_OF_THE_ICU = {"readmission", "readmissions", "patients", "mortality", "deaths"}
_STAY_ID = re.compile(
    r"\b(?:(?P<icu>icu\s*stay|icustay|unit\s+stay)"
    r"|(?P<any>hospital\s+stay|hospital\s+admission|hosp\s+adm|hospitali[sz]ation|hadm|admission|encounter|visit|stay))"
    r"(?:_?\s*ids?|\s+numbers?|\s+no\.?)?\s*[:#=]?\s*(?P<id>\d{5,9})\b"
)
_TWO_UNITS = re.compile(
    r"(?<!\S)(?:that |which |which have |whose )?(?:(?:start|began|begin|beg[au]n|open|enter|admitt)\w*(?: in| on| to)?"
    r"(?: one| a)?(?: (?:care )?unit)? (?:and|but) (?:end|finish|left|close|discharg)\w*(?: in| on| from)?"
    r"(?: a)? (?:different|another|other)"
    r"|(?:a )?(?:different )?first and (?:the )?last (?:care )?units? (?:differ\w*|are different|are not the same)"
    r"|(?:the )?first (?:care )?unit (?:differs from|is not|was not|is different from) the last)"
    r"(?: (?:care |icu )?(?:units?|one))?(?!\S)"
)
_OF_STAYS: frozenset[Bearer] = frozenset({"stay"})
_LONGER = 0.12
"""What a phrase is cheaper for each word more: longer ones are meant as a whole."""
_OF_AGE = 18
"""Years."""
_CAME_FROM, _CAME_ELSEWHERE = ("admission location", "admission type"), 0.6
"""Attributes of stays that tell how somebody came, and what it costs that visits to that place are kept apart."""
_PEOPLE_MEANT = 0.8
_TAKEN_IN = {"hospitalized", "hospitalised", "admitted"}
_ADULTS = {"adult", "adults"}
_OF_AN_ORDER = {"pick", "most", "superlative"}
_REQUESTS = (
    *(("could", "you"), ("would", "you"), ("can", "you"), ("would", "appreciate"), ("i'd", "like", "to")),
    *(("i", "would", "like"), ("i", "need", "to"), ("i", "want", "to"), ("i'd", "be", "grateful"), ("may", "i")),
    *(("i", "would", "need"), ("would", "like", "to"), ("need", "to", "know"), ("i'd", "like", "the"), ("i", "need")),
)
"""How a question begins behind its introduction."""
_RIVALS = {"than", "round", "around", "versa"}
"""Words without which "more" sets nothing against another."""
_WHICH = {"what", "which", "name", "names", "list"}
_HAS = {"has", "had", "is", "was"}
_CAME_WITH = {"for", "with"}
"""Words that end phrases for what brought somebody in."""


_STAYS = ("stay", "visit", "admission", "encounter", "hospitali", "episode")
_LIVING = {"survivors", "survivor"}
_SETTING_BESIDE = {"and", "vs", "versus", "or", "against"}
_TIMES = {"day", "days", "hour", "hours", "week", "weeks", "minutes", "nights", "time", "long"}
"""What people spend that is no money."""
_ORDERED = {"used", "given", "prescribed", "ordered", "administered", "received"}
"""Verbs that say that an antibiotic was a drug, and none that a culture was tested with."""

_KEPT = 32
"""Texts: a question, its parts and what it is spelled as are looked at for several reasons, one after the other."""


@dataclass(frozen=True)
class Lexed:
    """A question as the chart takes it: `words` with their places, `prices` of passing each over, first `nodes`."""

    text: Text
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    prices: tuple[float, ...]
    nodes: tuple[Node, ...]
    classes: tuple[frozenset[str], ...]
    clause: tuple[int, ...]


_MEANING = Sense("ask", "meaning")
_DOES = {"does", "do", "did", "would", "can", "could"}


@lru_cache(maxsize=_KEPT)
def lexed(text: Text, world: World) -> Lexed:
    """The words of a question and everything that single words and phrases of it may mean."""
    found = list(spans(text.lower))
    words = tuple(word for word, _, _ in found)
    places = tuple((start, end) for _, start, end in found)
    nodes: list[Node] = []
    classes: list[set[str]] = [set() for _ in words]
    nodes += _identified(text, world, places)
    identified = {at for node in nodes for at in range(node.start, node.end)}
    nodes += _timed(text, world, places)
    nodes += find_rival_times(words, nodes)
    nodes += find_both_sides(words, nodes)
    nodes += find_changes(words)
    for node in find_manner(words, world):
        nodes.append(node)
        classes[node.start].add("field")
    for start, end, field in find_why(words):
        if world.knows(field):
            nodes.append(Node("field", Wanted((field,)), start, end, WHY_ASKED))
            classes[start].add("mention")
    said_of_places = residing(words)
    for where, verb, field in find_whereabouts(words, world):
        nodes.append(Node("field", Wanted((field,)), where, where + 1, PLACE_ASKED))
        said_of_places |= {where, verb}
        classes[verb].add("light")
    nodes += find_full_names(words, world)
    nodes += find_name_parts(words, world)
    nodes += _strengths(words)
    nodes += find_first_values(words)
    nodes += find_rivals_of_picks(words)
    nodes += find_following(words)
    nodes += _and_others(words)
    nodes += _changing_units(words, world)
    nodes += [node for node in find_clock_times(words) if not identified & set(range(node.start, node.end))]
    nodes += find_bands(text.lower, places)
    nodes += find_steps(words)
    nodes += find_percentiles(words)
    if world.knows("birth date"):
        nodes += find_ages_then(words)
    nodes += _of_an_age(words, world)
    nodes += [node for node in find_numbers(words) if not identified & set(range(node.start, node.end))]
    nodes += find_openings(words, nodes)
    idle: list[tuple[int, int]] = []
    how_admitted = admitted_how(words)
    for at in range(len(words)):
        for source in (phrases(), world.own):
            for size, senses in source.at(words, at):
                if size > 1 and all(sense.kind in ("free", "light") for sense in senses):
                    idle.append((at, at + size))
                for sense in senses:
                    if sense.kind == "rival" and not (_RIVALS & set(words) or _weighs(words, at, size)):
                        continue
                    if sense.kind == "readmitted" and comes_back_as_found(words, at + size):
                        for one in range(at, at + size):
                            classes[one].add("light")
                        continue
                    if size == 1 and at in said_of_places:
                        continue
                    if sense == _MEANING and words[at] == "mean" and _DOES.isdisjoint(words[:at]):
                        continue  # "mean age" asks for no meaning
                    if sense.kind == "count" and words[at] == "quantity" and world.knows("quantity"):
                        continue
                    if sense == Sense("field", "dose") and words[at] == "strength" and world.names_tell_strengths:
                        sense = Sense("field", "name")
                    spent = sense == Sense("field", "cost") and _spends_time(words, at)
                    if spent or (sense == Sense("field", "admission time") and how_admitted):
                        classes[at].add("light")
                        continue
                    for one in _telling(words, at, size):
                        classes[one].add(_class_of(sense))
                    for node in _sensed(sense, at, at + size, world, words):
                        nodes.append(replace(node, cost=node.cost - _LONGER * (size - 1)))
    fields = [(node.start, node.end, node.sense.fields[0]) for node in nodes if node.kind == "field"]
    visits = [(start, end, f"visit {field}") for start, end, field in fields if world.knows(f"visit {field}")]
    nodes += find_missing(words, [*fields, *visits], world)
    fields += [(start, end, "discharge location") for start, end in going_home(words)]
    stays = {node.start for node in nodes if node.kind == "stays" and not node.sense.loose and not node.sense.one}
    nouns = {(node.start, node.end, node.sense.role) for node in nodes if node.kind == "event" and node.sense.noun}
    for said in (
        *beside_fields(words, fields, world),
        *alone(words, world),
        *in_part(words, world),
        *said_to_be(words, world),
        *before_stays(words, stays, world),
        *beside_records(words, sorted(nouns), world),
    ):
        trait = valued(said.role, said.field, said.values)
        cost = said.cost + (SAID_OF_ANOTHER if is_of_a_likelier(said, world) else 0.0)
        nodes.append(Node("trait", trait, said.start, said.end, cost, ("value",)))
    for said in people_called(words, world):
        of = Set(PATIENT, (), valued(said.role, said.field, said.values).condition)
        nodes.append(Node("people", People(of), said.start, said.end, said.cost, ("value",)))
    nodes += find_specialists(words, world)
    for at in range(len(words)):
        for done in (verbs for verbs in world.verbs if words[at : at + len(verbs)] == verbs):
            for place in range(at, at + len(done)):
                classes[place].add("verb")
    hints = _hints(words)
    for linked in world.link(text.lower):
        span = _covered(places, linked.start, linked.end)
        if span is not None:
            nodes += [
                as_written(node, text.lower, places)
                for node in mentioned(linked, span, hints, world, words)
                if not too_short(node, text.typed, places, words)
            ]
    nodes = [*without_parts_of_names(nodes), *names_holding(words, nodes, world)]
    nodes = list(without_places(nodes, words))
    nodes = list(_of_visits_there(nodes))
    nodes = list(_people_no_names(nodes, words))
    spoken_of = [(node.start, node.end, node.sense.role) for node in nodes if node.kind == "event"]
    for said in of_named_records(words, spoken_of, world):
        trait = valued(said.role, said.field, said.values)
        nodes = list(told_apart_by(said, nodes))
        nodes.append(Node("trait", trait, said.start, said.end, said.cost, ("value",)))
    nodes = list(with_own_number([*value_is_no_part(of_the_kind_behind(nodes, words))], world))
    nodes += [*given_it(nodes, words), *extremes_beside(nodes, words)]
    nodes = list(by_whom(list(of_registers(nodes, words, world)), classes))
    nodes = list(with_texts(nodes, words, world))
    nodes += [*vaccinated_against(nodes, words, world)]
    nodes = [node for node in nodes if not (node.kind in ("trait", "event") and _says_top_many(words, node))]
    nodes = [node for node in nodes if not (node.kind == "most" and _says_principal(words, node))]
    nodes = [node for node in nodes if not _died_anywhere(node, nodes)]
    nothing = harmless(words)
    nodes = [
        node for node in _outside_others(nodes, idle, words) if not nothing.issuperset(range(node.start, node.end))
    ]
    nodes = [node for node in nodes if not (node.kind == "ask" and _is_relative(node, nodes))]
    nodes = list(_no_pick_of_an_order(_of_one_name(nodes), words))
    ways = [*find_both_ways(words)]
    denials = {at for node in ways for at in range(node.start, node.end)}
    nodes = [*ways, *(node for node in nodes if node.kind != "negation" or node.start not in denials)]
    remaining = {at for at in range(len(words)) if remains(words, at)}  # "stay insured": no stay
    nodes = [node for node in nodes if node.kind != "stays" or node.start not in remaining]
    for at in remaining:
        classes[at] = {"light"}
    for node in [node for node in nodes if _is_what_it_is_towards(node, nodes, hints, words)]:
        nodes.remove(node)
        classes[node.start].add("light")
    for node in nodes:
        kind = _class(node)
        if kind:
            for one in range(node.start, node.end):
                classes[one].add(kind)
    clause = _clauses(words, places)
    prices = prices_of(words, classes, nodes, clause)
    meant = {at for node in nodes for at in range(node.start, node.end)}
    for at in {*_said_again(nodes, clause, words), *nothing, *({*told_anew(words)} - meant)}:
        prices[at] = min(prices[at], PRICES["light"])
    return Lexed(text, words, places, tuple(prices), tuple(nodes), tuple(map(frozenset, classes)), clause)


def _of_visits_there(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes, where a place names visits of its own ("in the ED"): it says less likely where stays came from."""
    visits = {(node.start, node.end) for node in nodes if node.kind == "event" and node.sense.noun}
    for node in nodes:
        came = node.kind == "trait" and node.sense.field in _CAME_FROM and (node.start, node.end) in visits
        yield replace(node, cost=node.cost + _CAME_ELSEWHERE) if came else node


def _people_no_names(nodes: Sequence[Node], words: Sequence[str]) -> Iterator[Node]:
    """The nodes, where a name that is found among thousands ends in a word for people ("dialysis patients"): they are
    meant rather."""
    for node in nodes:
        named = node.kind == "event" and not node.sense.noun and node.end - node.start > 1
        people = named and kind_of(node.sense.role).loose and words[node.end - 1] in PEOPLE
        yield replace(node, cost=node.cost + _PEOPLE_MEANT) if people else node


def _says_top_many(words: Sequence[str], node: Node) -> bool:
    """True for the "top" of "top 5" and "top drug": so many of a ranking, whatever else is called so."""
    said = words[node.start : node.end] == ("top",)
    return said and words[max(0, node.start - 1) : node.start] not in _BEFORE_ROUTES


_BEFORE_ROUTES = (("route",), ("via",), ("by",), ("as",), ("=",))


def _died_anywhere(node: Node, nodes: Sequence[Node]) -> bool:
    """True for the "deaths" of "hospital deaths", which are not all that there were."""
    if node.kind != "dead" or node.sense != "died":
        return False
    return any(one.kind == "dead" and one.sense == "hospital" and _within(node, one) for one in nodes)


def _says_principal(words: Sequence[str], node: Node) -> bool:
    """True for "main diagnosis", which is one of each; "main diagnoses" are the commonest."""
    return words[node.start : node.end] == ("main",) and not _SINGULAR.isdisjoint(words[node.end : node.end + 1])


_SINGULAR = {"diagnosis", "condition", "problem", "illness", "disease", "dx", "procedure"}


def _of_one_name(nodes: Sequence[Node]) -> Iterator[Node]:
    """The nodes, those dearer that are parts of names, each of which stands right beside what means something else:
    "chest pain" is one name, and no chest film with a score of pain."""
    linked = [node for node in nodes if node.kind == "event" and "link" in node.why]
    for node in nodes:
        if "how:family" in node.why and node.kind == "event":
            beside = [one for one in linked if node.end == one.start or one.end == node.start]
            same = any(one.sense.role == node.sense.role for one in beside)
            node = replace(node, cost=node.cost + _OF_TWO) if beside and not same else node
        yield node


_OF_TWO = 1.2
"""What a part of a name costs that stands beside a name of another kind."""
_OF_THINGS = ("event", "trait", "stays")
_WITHIN = 1.5
"""What a name costs within the words of a limit: "fell" of "fell under 50"."""
_ANY_VISIT = 0.6
"""What it costs that "admission" means a visit of any kind where others are kept beside those of inpatients."""
_THIS = -0.3
"""What it saves that "this stay" is the one that goes on."""
_WITHIN_FIELD = 0.4
"""What a stay costs within the name of an attribute: "admission" of "admission type"."""


def _is_relative(where: Node, nodes: Sequence[Node]) -> bool:
    """ "Admissions where the patient came from a clinic": what is said of them, and no question of where."""
    return where.sense == "where" and any(node.kind == "stays" and node.end == where.start for node in nodes)


def _opens_a_name(words: Sequence[str], order: Node) -> bool:
    """ "Most common first diagnosis": the first are ranked, where "most common first" says how a table is sorted."""
    return (
        words[order.end - 1] == "first"
        and "".join(words[order.end : order.end + 1]).isalpha()
        and any(
            sense.kind in ("role", "stay") for _, senses in phrases().at(tuple(words), order.end) for sense in senses
        )
    )


def _no_pick_of_an_order(nodes: Iterable[Node], words: Sequence[str]) -> Iterator[Node]:
    """The nodes without what a part of "most frequent first" would pick: it says how a table is sorted."""
    nodes = list(nodes)
    orders = [node for node in nodes if node.kind == "order" and not _opens_a_name(words, node)]
    nodes = [node for node in nodes if node.kind != "order" or node in orders]
    for node in nodes:
        within = any(one.start <= node.start and node.end <= one.end for one in orders)
        if not (within and node.kind in _OF_AN_ORDER):
            yield node


def _outside_others(nodes: Sequence[Node], idle: Sequence[tuple[int, int]], words: Sequence[str]) -> Iterator[Node]:
    """The nodes, those dearer that are words of a longer phrase: of a limit, of an attribute's name, of a phrase that
    says nothing (`idle`)."""
    flows = {node.start for node in nodes if node.kind == "event" and kind_of(node.sense.role).flow}
    limits = [node for node in nodes if node.kind == "limit"]
    fields = [node for node in nodes if node.kind == "field"]
    for node in nodes:
        inside = any(one.start <= node.start and node.end < one.end for one in limits)
        if inside and ("link" in node.why or node.kind in ("most", "superlative")):  # "at least 15 patients"
            node = replace(node, cost=node.cost + _WITHIN)
        if node.kind == "stays" and any(one.start <= node.start and node.end < one.end for one in fields):
            node = replace(node, cost=node.cost + _WITHIN_FIELD)
        if node.kind == "count" and node.end in flows and words[node.start : node.end] == ("total", "of"):
            node = replace(node, cost=node.cost + _WITHIN)  # "the total of saline intake": a volume
        if node.kind in ("dead", "count") and any(_within(node, one) for one in fields):
            node = replace(node, cost=node.cost + _WITHIN_FIELD)  # "what they died of"
        if node.kind in _OF_THINGS and any(start <= node.start and node.end <= end for start, end in idle):
            size = node.end - node.start
            if any(start <= node.start and node.end <= end and size < end - start for start, end in idle):
                node = replace(node, cost=node.cost + _WITHIN)  # "set foot in", "at any admission"
        yield node


def _is_what_it_is_towards(
    node: Node, nodes: Sequence[Node], hints: Sequence[tuple[int, str]], words: Sequence[str]
) -> bool:
    """ "What drug is she allergic to": the noun says what she is allergic to, and tells of no prescription, as it does
    where it "was given to" her."""
    if node.kind != "event" or not node.sense.noun or not _WHICH & set(words[max(0, node.start - 6) : node.start]):
        return False
    slot = kind_of(node.sense.role).slot
    verbs = [one for one in nodes if one.kind == "event" and "verbal" in one.why and one.start >= node.end]
    verb = next((one.start for one in verbs if slot and kind_of(one.sense.role).towards == slot), None)
    return verb is not None and not any(node.end <= at < verb and role == node.sense.role for at, role in hints)


def _within(node: Node, other: Node) -> bool:
    return other.start <= node.start and node.end <= other.end and node.end - node.start < other.end - other.start


def _telling(words: Sequence[str], at: int, size: int) -> list[int]:
    """The words of a phrase that tell it: not those that stand in any sentence, where there are others."""
    plain = [("free", word) for word in words[at : at + size]]
    bare = [
        at + place for place, (_, word) in enumerate(plain) if Sense("free") not in phrases().senses.get((word,), ())
    ]
    return bare or ([at] if size > 1 else list(range(at, at + size)))


def _class_of(sense: Sense) -> str:
    return "breakdown" if sense == Sense("by", "breakdown") else sense.kind


def _class(node: Node) -> str:
    if node.kind in ("event", "trait") and "link" in node.why:
        return "mention" if node.kind == "event" else "value"
    if "value" in node.why and node.cost < 0:
        return "value"
    if node.kind in ("window", "number", "followed"):
        return node.kind
    if node.kind == "limit":
        return "limit"
    if node.kind == "people" and node.sense.one:
        return "patient"
    return ""


def _is_in_passing(words: Sequence[str], start: int, end: int) -> bool:
    """True for the name of an attribute that is none where it stands: "ICU readmissions", "on the same day",
    "transferred from the MICU to the SICU"."""
    if words[start:end] == ("icu",):
        there = "in" in words[max(0, start - 2) : start] and bool(_DYING & set(words))  # "died in the ICU"
        return there or "".join(words[end : end + 1]).startswith(_STAYS) or bool(_OF_THE_ICU & {*words[end : end + 1]})
    if words[max(0, start - 1) : start] == ("same",):
        return True
    return words[start:end] == ("transferred", "from") and "to" in words[end + 1 : end + 4]


ISOLATE = "isolate"
"""A culture is called so in which something grew."""


def _sensed(sense: Sense, start: int, end: int, world: World, words: Sequence[str]) -> Iterator[Node]:
    """The nodes of a phrase of the lexicon."""
    kind, which = sense.kind, sense.which
    if kind == "people":
        if which == "child":
            yield Node("people", People(Set(PATIENT, (), world.of_age(("<", _OF_AGE)))), start, end)
            return
        if words[start] in _ADULTS and world.aged == PATIENT:
            yield Node("people", People(Set(PATIENT, (), world.of_age((">=", _OF_AGE)))), start, end)
            return  # elsewhere all patients are
        of = Set(PATIENT, (), Test(Own("gender"), "=", Value(which)) if which != "any" else None)
        if words[start].startswith("inpatient") and "".join(words[end : end + 1]).startswith(_STAYS):
            return  # "per inpatient stay"
        if words[start].startswith("inpatient") and world.admissions.where is not None:
            yield Node("people", People(Set(PATIENT, (), Has(world.admissions))), start, end, -0.1)
            return
        if which == "any" and _new_here(words, start) and world.has_stays(HOSPITAL) and not world.registers_people:
            first = Has(Set(HOSPITAL, (), Is(Neighbour("previous", Own("id")), "missing")))
            yield Node("people", People(Set(PATIENT, (), first)), start - 1, end, -0.3)
        both = which == "any" and end - start > 1 and {"men", "male", "males", "man"} & set(words[start:end])
        yield Node("people", People(of, sex=which != "any"), start, end, 0.3 if both else 0.0)
    elif kind == "stay":
        by_icu = world.icu_based and words[end - 1].startswith("stay") and not _of_hospital(words[start:end])
        unit = ICU if which in ("icu", "place_icu") or by_icu else HOSPITAL
        if not world.has_stays(unit):
            unit = ICU if unit == HOSPITAL and world.has_stays(ICU) else ""
        ongoing = words[start - 1 : start] == ("this",) and words[end - 1][-1] != "s"
        if unit and ongoing and which in ("hospital", "icu"):
            of = world.admissions if unit == HOSPITAL else Set(unit)
            yield Node("stays", Stays(limited(of, Is(Own("end time"), "missing"))), start - 1, end, _THIS)
        if unit == HOSPITAL and world.admissions.where is not None and not _any_visit(words[start:end]):
            loose = which.startswith("place")
            yield Node("stays", Stays(world.admissions, loose=loose, any_kind=which == "hospital"), start, end, -0.1)
            if "inpatient" in words[start:end]:
                return
            yield Node("stays", Stays(Set(unit), loose=loose, any_kind=which == "hospital"), start, end, _ANY_VISIT)
            return
        if unit:
            loose = which.startswith("place")
            ward = end - start == 1 and words[start - 1 : start] == ("which",) and bool(_HAS & {*words[end : end + 1]})
            cost = 0.6 if ward else 0.0  # "which ICU has the longest stays"
            yield Node("stays", Stays(Set(unit), loose=loose, any_kind=which == "hospital"), start, end, cost)
            if which == "hospital" and world.has_stays(ICU) and end - start == 1 and not _any_visit(words[start:end]):
                other = ICU if unit == HOSPITAL else HOSPITAL
                yield Node("stays", Stays(Set(other)), start, end, 1.1, ("icu-stay",))
    elif kind == "verbal":
        if world.has(which):
            yield Node("event", Event(which, Set(unit_of(which)), noun=True), start, end, 0.35, ("verbal",))
    elif kind == "role":
        if which == "observation" and world.has(PERIODS) and is_time_observed(words, start, end):
            which = PERIODS
        if not world.has(which) or _is_participle(words[start:end]):
            return
        unit = unit_of(which)
        grew = words[start].startswith(ISOLATE) and kind_of(which).microbial and world.holds(unit, "organism")
        yield Node(
            "event", Event(which, Set(unit, (), world.growth("present") if grew else None), noun=True), start, end
        )
    elif kind == "field":
        if words[end - 1] in _TAKEN_IN and world.admissions.where is not None:
            yield Node("stays", Stays(world.admissions), start, end)  # of visits of all kinds these alone
        brought = which == "admission diagnosis" and words[end - 1] in _CAME_WITH
        if brought and not world.knows(which) and world.has("diagnosis"):  # no record has a reason of its own
            yield Node("event", Event("diagnosis", Set(unit_of("diagnosis")), noun=True), start, end, 0.1)
        if which == "unit" and start and words[start - 1] in ("icu", "care"):
            return  # a place, and no unit of measurement
        if world.knows(which) and not _names_another(words[start:end], which, world):
            passing = _is_in_passing(words, start, end) or words[start : end + 1] == ("number", "of")
            passing = passing or (which == "antibiotic" and bool(_ORDERED & set(words)))
            yield Node("field", Wanted((which,)), start, end, _AS_FIELD if passing else 0.0)
    elif kind in ("free", "light", "limit", "verb", "behind", "rewrite"):
        return
    elif kind == "together" and world.icu_based and "stay" in words[start:end] and not _of_hospital(words[start:end]):
        yield Node(kind, "icu", start, end)
    elif kind == "count" and words[start:end] == ("quantity", "of") and world.knows("quantity"):
        return  # what is kept as one, and no number
    elif kind == "pick" and words[end - 1] in ("dose", "of") and _asks_for_dose(words, start, end, world):
        return
    elif kind == "interpretation":
        yield Node(kind, world.interpretation(which), start, end)
    elif kind == "share" and words[start] == "%" and words[max(0, start - 1)][-1].isdigit():
        return  # "NaCl 0.9%"
    else:
        yield Node(kind, which, start, end)


def _new_here(words: Sequence[str], start: int) -> bool:
    """ "New patients": who were never here before; "new users of warfarin" may have been."""
    return words[start - 1 : start] == ("new",) and not words[start].startswith(("user", "case"))


def _is_participle(said: Sequence[str]) -> bool:
    """True for what is no noun and only begins like one of a profile: "covered", for "coverage"."""
    return len(said) == 1 and said[0] != "ed" and said[0].endswith("ed") and tuple(said) not in phrases().senses


def _asks_for_dose(words: Sequence[str], start: int, end: int, world: World) -> bool:
    """ "What was the last dose of heparin": how much it was, and not which of them is meant."""
    return (
        "dose" in words[start:end]
        and world.knows("dose")
        and bool({"what", "which"} & set(words[max(0, start - 3) : start]))
    )


def _of_hospital(words: Sequence[str]) -> bool:
    """True where a noun for stays says that they are those of the hospital."""
    return any(word.startswith(("hosp", "inpatient", "admi")) for word in words)


def _any_visit(words: Sequence[str]) -> bool:
    """True where a noun for stays means visits of any kind."""
    return (
        any(word.startswith(("visit", "encounter", "episode", "attendance", "seen")) for word in words)
        and "inpatient" not in words
    )


def _names_another(said: Sequence[str], field: str, world: World) -> bool:
    """True for words that are the name of another attribute of the same rows: "race", where the ethnicity of patients
    is kept too, and "charge", where visits have a cost besides."""
    name = " ".join(said)
    others = (name, name.removesuffix("s"))
    return any(one != field and world.knows(one) and world.owner(one) == world.owner(field) != "" for one in others)


def _weighs(words: Sequence[str], at: int, size: int) -> bool:
    """ "Are there more men or women": which of two, where "three or more" sets a limit."""
    behind = words[at + size : at + size + 1]
    return "or" in words[at + size + 1 :] and words[at - 1 : at] != ("or",) and behind not in (("or",), ("than",))


def _spends_time(words: Sequence[str], at: int) -> bool:
    """ "How many days did she spend in the ICU"."""
    return words[at] in ("spend", "spent", "spending") and not _TIMES.isdisjoint(words)


def _and_others(words: Sequence[str]) -> Iterator[Node]:
    """ "Diabetics and non-diabetics": some and the rest."""
    for at in range(1, len(words) - 1):
        if words[at] in _SETTING_BESIDE and words[at + 1].startswith("non") and words[at - 1] not in _LIVING:
            end = next((stop for stop in range(at + 2, at + 5) if words[stop - 1 : stop] == (words[at - 1],)), 0)
            whole = words[at + 1] in ("non" + words[at - 1], "non-" + words[at - 1])
            if end or whole:
                yield Node("others", "without", at, end or at + 2, -0.5)


def _changing_units(words: Sequence[str], world: World) -> Iterator[Node]:
    """ "ICU stays that began and ended in different units": whose first unit is not the last."""
    if not (world.holds(ICU, "first care unit") and world.holds(ICU, "last care unit")):
        return
    text = " ".join(words)
    for found in _TWO_UNITS.finditer(text):
        start, end = (len(text[:at].split()) for at in found.span())
        differs = Test(Own("first care unit"), "!=", Own("last care unit"))
        yield Node("trait", Trait(differs, _OF_STAYS, role="icu_stay"), start, end, -0.9, ("two-units",))


_OF_STRENGTHS = {"%", "mg"}


def _strengths(words: Sequence[str]) -> Iterator[Node]:
    """ "0.9%": which of several solutions; "10 mg": how much each is of."""
    for at in range(1, len(words)):
        if words[at] in _OF_STRENGTHS and (share := number(words[at - 1])) is not None:
            yield Node("strength" if words[at] == "%" else "dose", share, at - 1, at + 1)


def _of_an_age(words: Sequence[str], world: World) -> Iterator[Node]:
    """ "Octogenarians": people who are called for their age."""
    for at, word in enumerate(words):
        if tests := age_called(word):
            yield Node("people", People(Set(PATIENT, (), world.of_age(*tests))), at, at + 1)


def _hints(words: Sequence[str]) -> list[tuple[int, str]]:
    """The verbs and nouns that tell of which kind a name is, with their places."""
    found = []
    for at in range(len(words)):
        for _, senses in phrases().at(tuple(words), at):
            found += [(at, sense.which) for sense in senses if sense.kind == "verb"]
    return found


def _identified(text: Text, world: World, places: Sequence[tuple[int, int]]) -> Iterator[Node]:
    taken = []
    for match in _STAY_ID.finditer(text.lower):
        said_stay = "stay" in match[0] and "hosp" not in match[0]
        unit = ICU if match["icu"] or (said_stay and world.icu_based) else HOSPITAL
        if (span := _covered(places, *match.span())) and world.has_stays(unit):
            taken.append(match.span())
            stays = Stays(Set(unit, (), Among(Own("id"), (int(match["id"]),))), one=True)
            yield Node("stays", stays, *span)
    texts, nouns = world.profile.patient_ids == "text", world.profile.role(PATIENT).nouns
    marks = [*find_patients(text, texts=texts, nouns=nouns), *find_lone_patient(text.lower)]
    for mark in marks:
        if any(mark.start < end and start < mark.end for start, end in taken):
            continue
        if text.lower[mark.end : mark.end + 1] == "+":
            continue  # "patients 65+": an age
        if span := _covered(places, mark.start, mark.end):
            ids = patient_ids(world.profile, list(mark.value))
            yield Node("people", People(Set(PATIENT, (), Among(Own("id"), ids)), one=True), *span)
    for called in find_named(text.lower, world.index, world.profile):
        if span := _covered(places, called.start, called.end):
            ids = patient_ids(world.profile, list(called.ids))
            cost = 0.3 if called.part else -0.5
            yield Node("people", People(Set(PATIENT, (), Among(Own("id"), ids)), one=True), *span, cost, ("name",))


def _timed(text: Text, world: World, places: Sequence[tuple[int, int]]) -> Iterator[Node]:
    for mark in find_times(text.lower):
        if mark.kind == "window" and (span := _covered(places, mark.start, mark.end)):
            yield Node("window", (mark.value,), *span, -0.05 * (span[1] - span[0]))
    for start, end, windows in find_dates(text.lower, world.now):
        if span := _covered(places, start, end):
            yield Node("window", windows, *span, -0.1 - 0.5 * (len(windows) - 1))


def _covered(places: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    """The words that lie in [start, end) of the text; those that reach out of it included."""
    inside = [at for at, (begin, stop) in enumerate(places) if begin < end and start < stop]
    return (inside[0], inside[-1] + 1) if inside else None


def _clauses(words: Sequence[str], places: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The number of the clause that each word is in."""
    found, number = [], 0
    for at, word in enumerate(words):
        found.append(number)
        ends = word in (":", ";", "?", "!", "—", "–") or (word in (".", "-") and not _joined(words, places, at))
        number += ends or _asks_next(words, at)
    return tuple(found)


def _asks_next(words: Sequence[str], at: int) -> bool:
    """True for the last word of an introduction: "for our audit, could you…", "I am writing this up and need to
    know…"."""
    behind = tuple(words[at + 1 : at + 4])
    return any(behind[: len(request)] == request for request in _REQUESTS)


def _joined(words: Sequence[str], places: Sequence[tuple[int, int]], at: int) -> bool:
    """True for a stroke or a full stop within a word or a number."""
    if 0 < at < len(words) - 1 and places[at - 1][1] == places[at][0] and places[at][1] == places[at + 1][0]:
        return True
    around = words[max(0, at - 1) : at + 2]
    return len(around) < 3 or any(len(one) <= 1 for one in (around[0], around[2]))


def _said_again(nodes: Sequence[Node], clause: Sequence[int], words: Sequence[str]) -> Iterator[int]:
    """The words of a title that say what the question behind it says again: "ER: how many ER visits…"."""
    last = max(clause, default=0)
    titled = ":" in words or "-" in words
    asked = {(node.kind, node.sense) for node in nodes if clause[node.start] == last and "link" in node.why}
    for node in nodes:
        if titled and clause[node.end - 1] < last and "link" in node.why and (node.kind, node.sense) in asked:
            yield from range(node.start, node.end)
