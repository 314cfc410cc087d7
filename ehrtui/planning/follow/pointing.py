"""Words that point at an earlier answer: "those", "of them", "she", "that stay", "A3"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, UNITS, Of, Own, Set, Test, Value
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.subject import Subject, as_patients, as_stays
from ehrtui.planning.offline.identifiers import find_patients
from ehrtui.planning.offline.words import Text, read
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, People, Stays, every, parts_of
from ehrtui.planning.reader.wording import is_sentence

_ONE = {"he", "she", "him", "her", "his", "hers", "himself", "herself"}
_MANY = {"them", "they", "their", "theirs", "those", "these"}
_TELLING_NOTHING = {"tested", "same", "above", "said", "found", "listed"}
_DETERMINERS = {"those", "these", "that", "this", "the", "such", "said", "same"}
_PEOPLE = {
    "patient",
    "patients",
    "pt",
    "pts",
    "people",
    "persons",
    "ones",
    "women",
    "men",
    "group",
    "cohort",
    "list",
    "lot",
}
_ONE_PERSON = {"patient", "pt", "person"}
STAY_NOUNS = {"stay", "stays", "admission", "admissions", "visit", "visits", "encounter", "encounters",
              "hospitalization", "hospitalizations", "hospitalisation", "hospitalisations", "discharges"}  # fmt: skip
"""Nouns for stays."""
_THE_GROUP = {"group", "group's", "cohort", "cohort's"}
_OF_HOSPITAL = {"admission", "admissions", "hospitalization", "hospitalizations", "hospitalisation", "hospitalisations"}
"""Those of them that mean a stay in the hospital."""
_SEXES = {"women": "female", "females": "female", "men": "male", "males": "male",
          "women's": "female", "men's": "male"}  # fmt: skip
_TOLD_BEHIND = {"with", "without", "who", "whose", "that", "aged", "on", "having", "over", "under", "above", "below",
                "in", "of", "older", "younger", "admitted", "from"}  # fmt: skip
"""Words behind "the women" that say of which women it is."""
_DESCRIBING = {"with", "without", "who", "whose", "on", "having"}
"""Words behind which patients are described who are others than those of before: "patients with gout"."""
_ASKING_ABOUT = {"describe", "tell", "introduce", "show", "open"}
_FRAGMENT = {"and", "but", "or", "now", "what", "how", "about", "only", "just", "for", "same", "the", "then", "ok"}
_RECORDS = {"results", "values", "records", "ones", "tests", "cultures", "prescriptions", "orders", "measurements",
            "isolates", "samples", "specimens"}  # fmt: skip
_LEANING = {"that", "this", "same", "such", "said", "it", "its", "one", "ones", "then", "there", "also", "too", "again",
            "back", "else", "other", "others", "rest", "remaining", "both", "either", "neither", "latter", "former",
            "previous", "instead", "only", "just", "group", "groups", "more", "she's", "he's", "total"}  # fmt: skip
"""Words that point at something said before, or may."""
_FEW = 3
_FEWEST = 5
"""Words: what is shorter is no whole question, though it says by what groups."""
_GROUPING = {"by", "per"}
_PARTING = {"break", "broken", "split", "divide", "group", "grouped", "stratify", "stratified", "separate", "separated"}
_EACH = {"each", "every"}
_NO_KEYS = {"of", "one", "for"}
_ROWS = {"stay", "patient", "admission", "visit", "person", "case"}
"""What stands behind "each" where it names no groups of all that there are."""
_LASTING = {"last", "lasted", "take", "in", "days", "hours", "long", "please", "was"}
"""What may stand behind that, and names no groups either: "how long did each stay last"."""
_TELLS_OF = {"what", "what's", "when", "where", "why", "how", "did", "do", "does", "is", "are", "was", "were", "has",
             "have"}  # fmt: skip
_TELLS_WHO = {"which", "those", "ones", "who", "whom", "both", "either", "neither", "rest", "others"}
_BEING = {"is", "are", "was", "were"}
_HAVING = {"had", "have", "got", "received", "took", "underwent", "developed"}
"""What people did of whom a question asks how many there are: it says of whom it is."""
_GENERAL = {"patients", "pts", "people", "women", "men", "admissions", "stays", "visits", "encounters", "discharges",
            "hospitalizations", "hospitalisations"}  # fmt: skip
_TELLING_STAYS = {"longer", "shorter", "lasting", "of", "with", "without", "over", "under", "above", "where", "that",
                  "which", "for", "after", "during", "by", "per", "between"}  # fmt: skip
"""Words behind "ICU stays" that say which."""
_ANY_OF_THEM = {"patients", "pts", "people", "admissions", "stays", "visits", "encounters", "hospitalizations",
                "hospitalisations"}  # fmt: skip
_FATES = {"deaths", "dead", "survivors"}
_GOING_ON = {"and", "but", "so", "or", "now", "then", "no", "ok", "what's"}
_SAME_OF = {("what", "about"), ("how", "about")}
_TELLING_SOME = {"with", "without", "had", "have", "has", "got", "on", "over", "under", "above", "below", "older",
                 "younger", "not", "never", "ones", "instead", "died", "dead", "survived", "other",
                 "others"}  # fmt: skip
"""Words that tell some of those of whom it is spoken."""
_LEAVING_OUT = {"exclude", "excluding", "remove", "drop", "omit", "ignore", "discard", "leave", "without", "except",
                "only", "just", "keep", "restrict", "limit", "narrow", "filter"}  # fmt: skip
"""Words by which some of those of before are left out."""
SHARES = {"share", "proportion", "percent", "percentage", "fraction", "%"}
"""Words for a part of a whole."""
OF_TURN = "of turn "
"""How it begins what a node was paid for that says which turn it points at."""
_CALLED = re.compile(
    r"\bthe\s+(?!(?:number|share|percentage|proportion|mean|average|median|total)\b)(?:(?!of\b|with\b|in\b)[\w.-]+\s+){1,4}?"
    r"(?:patients|pts|people|admissions|stays)\b"
)
_ASKS_FROM = re.compile(r"\W*(?:and )?(?:from|in|on|at|of|for|with|to|by) (?:which|what) \w+(?: \w+)?\?\s*\w")
"""A few words that ask of what is known ("from which wards?"), with more behind them."""
_ANEW = re.compile(
    r"\W*(?:(?:ok|okay|now|so|and|but|thanks|right|great)\W+)*(?:(?:an?|on an?|to an?)\s+)?"
    r"(?:(?:new|different|another|other|separate|unrelated|next|completely different|quite different)\s+"
    r"(?:question|topic|subject|thing|matter|one|note)"
    r"|something\s+(?:else|different|completely different)"
    r"|chang(?:e|ing)\s+(?:of\s+)?(?:the\s+)?(?:topic|subject)|unrelated|moving\s+on|next\s+up|on\s+to\s+something\s+else"
    r"|(?:across|for|of)\s+everybody|back\s+to\s+everybody|in\s+general"
    r"|thank(?:s|\s+you)(?:\s+(?:a\s+lot|so\s+much|very\s+much))?|too\s+bad|(?:leave|forget|drop)\s+(?:that|this|it)|never\s+mind)"
    r"(?:\s+(?:now|then|please))?\s*(?:[:.,;!]|\s[-–—]+)\s+"
)
"""Words that say that what follows is about something else."""
_COUNTED_TWICE = re.compile(
    r"(?:\W*(?:ok|okay|and|so|now|please)\b)*\W*how many (?P<first>(?:patients|people|persons|men|women|admissions"
    r"|stays|hospital stays|icu stays|visits)\b[^?.;:]{3,}?)(?:,| and|, and|\?|\? and| -) how many of "
    r"(?:them|those|these)\b"
)
_DONE_WITH = re.compile(r"\b(?:thank|thanks|too bad|leave|forget|drop|never mind)\b")
"""Words that say no more than that the last is done with: what follows is a whole question, or goes on all the same."""
_OF_ITS_OWN = re.compile(
    r"\W+(?:and\s+)?(?:who|what|when|which\s+\w+)\s+(?:is|was)\s+(?:it|that)\W*$"
    r"|\W+(?:(?:and|with)\s+)?(?:the\s+)?(?:number|count)\s+of\s+\w+\s+(?:for\s+|in\s+)?each\W*$",
    re.IGNORECASE,
)
"""What a question asks at its end of what it told itself: "the longest stay, and who was it?", "what languages do they
speak, number of patients each"."""
_AND = re.compile(r"^\s*and\b", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}")
_TURN = re.compile(r"a(\d{1,4})")


def turns_meant(why: Sequence[str]) -> list[int]:
    """The turns that a reading, or a part of one, points at, by the names of what it was paid for."""
    return [int(name.removeprefix(OF_TURN)) for name in why if name.startswith(OF_TURN)]


def pointing_nodes(lexed: Lexed, subjects: Mapping[int, Subject], last: int, common: Set | None = None) -> list[Node]:
    """The nodes of the words that point at earlier answers, at the `last` where no number says which; where it is asked
    of several answers at once, those that they have in `common`."""
    known = [turn for turn in sorted(subjects, reverse=True) if turn <= last]
    if not known:
        return []
    latest = subjects[known[0]]
    if common is not None:
        latest = replace(latest, of=common)
    one = next((subjects[turn] for turn in known if subjects[turn].person), None)
    nodes: list[Node] = []
    words = lexed.words
    for at, word in enumerate(words):
        if word in _ONE and one is not None:
            nodes.append(_person(one, at, at + 1, -0.1))
        if (named := _TURN.fullmatch(word)) and int(named[1]) in subjects:
            nodes += meant(subjects[int(named[1])], at, at + 1, -0.2)
        if is_definite(words, at):
            nodes += _definite(words, at, [subjects[turn] for turn in known], latest)
        elif word in _DETERMINERS and at + 1 < len(words):
            theirs = _of_one_stay(words, at, [subjects[turn] for turn in known]) or latest
            nodes += _determined(words, at, theirs, one)
        behind = words[at + 1] if at + 1 < len(words) else "?"
        if (
            word in ("that", "this", "it")
            and latest.turn == last
            and not behind[0].isalnum()
            and at > 0
            and words[at - 1] in ("is", "was", "of", "in", "during")
        ):
            nodes += meant(latest, at, at + 1, 0.0)
        if word in _MANY and not (at + 1 < len(words) and words[at + 1] in _PEOPLE | STAY_NOUNS | {"who"}):
            nodes += meant(latest, at, at + 1, -0.1)
            if words[at - 2 : at] == ("each", "of") and _is_told_one_by_one(lexed):
                nodes += meant(latest, at - 2, at + 1, -0.1)
    return nodes


def _is_told_one_by_one(lexed: Lexed) -> bool:
    """True for "how long was each of them in": what is told of several is told of each anyway."""
    asks = any(node.kind == "ask" and node.sense in ("long", "old") for node in lexed.nodes)
    return asks and not any(node.kind in ("function", "most", "share") for node in lexed.nodes)


def points(text: Text) -> bool:
    """True for a text with a word that points at something said before."""
    return any(is_pointing(word.text) for word in text.words)


def is_pointing(word: str) -> bool:
    """True for a pronoun."""
    return word in _ONE | _MANY


def points_at_that_one(words: Sequence[str]) -> tuple[str, ...]:
    """The words that point at one patient by a noun: "that patient", "this pt"."""
    pairs = ((one, noun) for one, noun in pairwise(words) if one in ("that", "this") and noun in _ONE_PERSON)
    return next(pairs, ())


def calls_some(question: str) -> bool:
    """True for a question in which a noun and what tells it may mean those of before: "the gout patients"."""
    return "the" in question.lower() and _CALLED.search(question.lower()) is not None


def points_at_one(text: Text) -> bool:
    """True for a text that points at one patient, who stays the same whatever was asked of them in between."""
    words = {word.text for word in text.words}
    return not words.isdisjoint(_ONE) and words.isdisjoint(_MANY)


def keeps_group(question: str) -> bool:
    """True for a question that asks what those who were meant before are like, and of no others: "did they smoke?"."""
    words = _words(question)
    some = words[:2] == ["how", "many"] or "any" in words
    return words[0] in _TELLS_OF and not some and not (_ONE | _MANY).isdisjoint(words)


def names_group(question: str) -> bool:
    """True for a question that tells others than those who were meant before, counts or keeps some of them: it asks
    how many or who, or opens as no question does and points at nobody ("exclude the smokers", "what about asthma")."""
    words = _words(question)
    if keeps_group(question):
        return False
    tells_who = words[:2] == ["how", "many"] or not _TELLS_WHO.isdisjoint(words)
    others = words[0] not in _TELLS_OF or tuple(words[:2]) in _SAME_OF
    return tells_who or (others and (_ONE | _MANY).isdisjoint(words)) or words[0] in _LEAVING_OUT


def tells_some(question: str) -> bool:
    """True for a question that may tell others than those of before, or some of them: it names people, points at them,
    or limits them."""
    words = _words(question)
    opens = words[0] in _LEAVING_OUT or tuple(words[:2]) in _SAME_OF
    some = not _TELLING_SOME.isdisjoint(words) or any(word.isdigit() for word in words)
    return opens or some or names_group(question) or bool((_ONE | _MANY | _GENERAL).intersection(words))


def without_and(question: str) -> str:
    """A question that goes on with a whole one ("and how many women have gout?") without its first word, which is left
    blank; any other as it is."""
    words = question.lower().split()
    goes_on = words[:3] == ["and", "how", "many"] and words[3:4] and words[3] in _GENERAL and len(words) > _FEWEST
    return _AND.sub(lambda said: " " * len(said[0]), question) if goes_on else question


_OLDEST = re.compile(r"\W*(?:who|which one)(?:'s| is| was) the (?:oldest|youngest) (?:patient|person|pt)\W*$")
_SIDES = re.compile(r"\b(?:vs|versus)\b[^:;]{0,80}\b(?:admissions|stays|visits|encounters|patients|people)\s*:")
"""Two sides that are named with what they are sides of, and what is asked of them behind that."""


def is_whole(question: str) -> bool:
    """True for a whole sentence about patients or stays in general, or by groups of them, with no word that points at
    what was said before, or goes on from it."""
    words = _words(question)
    if not words:
        return False
    if _tells_of_its_own(words) or _asks_about_one(words) or _OLDEST.match(question.lower()):
        return True
    if _SIDES.search(question.lower()) and not _points_back(words):
        return True
    general = any(
        word in _GROUPING or (word in _GENERAL and words[at - 1] not in _DETERMINERS) for at, word in enumerate(words)
    )
    each = any(word in _EACH and _names_groups(words[at + 1 :]) for at, word in enumerate(words))
    general = general or each
    by_groups = len(words) > _FEWEST and (each or not _GROUPING.isdisjoint(words))
    if parts_groups(words) or _parts_the(words) or _is_share_alone(words) or asks_from(question):
        return False
    told = words[:2] == ["how", "many"] and words[2:3] and words[2] in _GENERAL and words[3:4] and words[3] in _HAVING
    told = told and len(words) >= _FEWEST
    anew = words[0] in _GENERAL and words[1:2] != [] and words[1] in _DESCRIBING
    return general and not _points_back(words) and bool(by_groups or told or anew or is_sentence(question))


def asks_from(question: str) -> bool:
    """True for a question that opens with a few words which ask of what is known, and then says how it is asked: "from
    which wards? patients per ward"."""
    return _ASKS_FROM.match(question.lower()) is not None


def names_one(question: str, *, texts: bool, nouns: tuple[str, ...] = ()) -> bool:
    """True for a sentence that says of which one patient it asks, and points at nothing: "did patient 7 survive?";
    identifiers are `texts` or numbers, `nouns` what patients are called besides."""
    words = _words(question)
    one = next(find_patients(read(question), texts=texts, nouns=nouns), None) is not None
    return one and words[0] in _TELLS_OF and len(words) > _FEW and not _points_back(words)


def names_stays(question: str) -> bool:
    """True for a noun phrase that says in full which stays are meant: "ICU stays longer than 4 days", "hospital stays
    of women": after what was told of patients it names others."""
    words = _words(question)
    at = 1 if words[0] in ("icu", "hospital") else 0
    told = words[at] in STAY_NOUNS if len(words) > at + 1 else False
    return told and words[at + 1] in _TELLING_STAYS and not _points_back(words)


def _asks_about_one(words: Sequence[str]) -> bool:
    """ "Tell me about patient 7": who it is, whatever was asked of others before."""
    opens = words[0] in _ASKING_ABOUT or words[:2] in (["who", "is"], ["who", "was"])
    return opens and words[-1].isdigit() and words[-2:-1] in (["patient"], ["pt"], ["subject"])


def _tells_of_its_own(words: Sequence[str]) -> bool:
    """ "Patients with gout and their last urea": of whom "their" tells is described before it."""
    named = next((at for at, word in enumerate(words) if word in _GENERAL and words[at - 1] not in _DETERMINERS), None)
    if named is None or words[named + 1 : named + 2] == [] or words[named + 1] not in _TOLD_BEHIND:
        return False
    if any(words[at - 1] not in ("and", "with") for at, word in enumerate(words) if word == "their"):
        return False
    rest = [word for at, word in enumerate(words) if word != "their" or at < named]
    return len(rest) < len(words) and not _points_back(rest)


def parts_groups(words: Sequence[str]) -> bool:
    """True for "break down by sex and age": no rows are named that are to be parted."""
    return not _PARTING.isdisjoint(words[:1]) and _GENERAL.isdisjoint(words)


def _parts_the(words: Sequence[str]) -> bool:
    """True for "break the admissions down by type": those that were spoken of are to be parted."""
    return not _PARTING.isdisjoint(words[:1]) and words[1:2] == ["the"] and not _GENERAL.isdisjoint(words[2:3])


def _is_share_alone(words: Sequence[str]) -> bool:
    """True for "what is the share of women": of whom it is taken is not said."""
    return words[-1] in _SEXES and words[-2:-1] == ["of"] and not SHARES.isdisjoint(words[-3:-2])


def _names_groups(behind: Sequence[str]) -> bool:
    """True behind "each" where a noun names the groups: "for each religion"."""
    one_by_one = behind[:1] != [] and behind[0] in _ROWS and {*behind[1:]} <= _LASTING
    return bool(behind) and behind[0] not in _NO_KEYS and not one_by_one


def leans_on_nothing(question: str) -> bool:
    """True for a whole sentence without a word that points at what was said before, or goes on from it."""
    return is_sentence(question) and not _points_back(_words(question))


def opens_anew(question: str) -> bool:
    """True for a question that says at first that it is about something else ("new topic: who had gout?"), or that the
    last is done with ("thanks! …"), and then points at nothing that was said before; and for one that counts some and
    then those of them: "how many patients had gout, and how many of them died?"."""
    counted = _COUNTED_TWICE.match(question.lower())
    if counted is not None and not _points_back(_words(counted["first"])):
        return True
    opening = _ANEW.match(question.lower())
    words = _words(_OF_ITS_OWN.sub("", question[opening.end() :])) if opening is not None else []
    own = [word for word in words if word != "both" or "and" not in words]  # "both gout and asthma" are of its own
    done = opening is not None and _DONE_WITH.search(opening[0]) is not None
    enough = is_sentence(" ".join(words)) if done else len(words) >= _FEW
    return enough and not _points_back(own)


def _words(question: str) -> list[str]:
    return [word.strip(".,?!:;()'\"").lower() for word in question.split()]


def _points_back(words: Sequence[str]) -> bool:
    leaning = _ONE | _MANY | _LEANING
    return (
        words[0] in _GOING_ON
        or tuple(words[:2]) in _SAME_OF
        or ("as", "well") in pairwise(words)
        or words[-1] in _EACH
        or any(
            (word in leaning and not (word == "there" and words[at - 1] in _BEING))
            or _TURN.fullmatch(word)
            or (word in _FATES and words[at - 1] == "the")
            or is_definite(words, at)
            or is_of_some(words, at)
            or _is_of_records(words, at)
            or _is_of_year(words, at)
            or (word in ("that", "those") and words[at - 1] in _BEING and words[at + 1 : at + 2] in ([], ["and"]))
            for at, word in enumerate(words)
        )
    )


def _of_one_stay(words: Sequence[str], at: int, known: Sequence[Subject]) -> Subject | None:
    """The latest answer that was of one stay, for "that stay" behind one that was of none, or of several."""
    if words[at] != "that" or words[at + 1] not in ("stay", "admission", "visit", "hospitalization"):
        return None
    return next((one for one in known if _is_one_stay(one.stays or one.of)), None)


def _is_one_stay(of: Set) -> bool:
    """True for one stay that was picked, or records of one."""
    picked = of.unit in (HOSPITAL, ICU) and of.pick is not None and not of.pick.through
    return picked or any(isinstance(part, Of) and _is_one_stay(part.of) for part in parts_of(of.where))


def _determined(words: Sequence[str], at: int, latest: Subject, one: Subject | None) -> list[Node]:
    """ "Those patients", "that admission": a noun says as what the earlier rows are meant."""
    if words[at] == "the" and (at != 1 or not _parts_the(words)) and not is_of_the(words, at):
        return []
    noun_at = at + 1 if words[at + 1] not in ("same", "two", "three", "above") or at + 2 >= len(words) else at + 2
    noun = words[noun_at]
    icu = noun == "icu" and noun_at + 1 < len(words) and words[noun_at + 1] in STAY_NOUNS
    end = noun_at + (2 if icu else 1)
    why = _why(latest)
    if noun in _PEOPLE:
        if noun in ("patient", "pt") and one is not None:
            return [_person(one, at, end, -0.3)]
        return [Node("people", People(_of_sex(as_patients(latest.of), noun)), at, end, -0.3, why)]
    if noun in STAY_NOUNS and latest.stays is not None and not icu:
        in_icu = latest.stays.unit == ICU and noun in _OF_HOSPITAL  # of which the stay in the ICU is a part
        stays = as_stays(latest.stays, HOSPITAL) if in_icu else latest.stays
        return [Node("stays", Stays(stays), at, end, -0.3, why)]
    if (noun in STAY_NOUNS or icu) and latest.unit != PATIENT:
        unit = ICU if icu or latest.unit == ICU else HOSPITAL
        return [Node("stays", Stays(as_stays(latest.of, unit)), at, end, -0.3, why)]
    if noun in STAY_NOUNS or icu:
        return [Node("stays", Stays(as_stays(latest.of, ICU if icu else HOSPITAL)), at, end, -0.2, why)]
    if noun in _RECORDS and latest.unit not in UNITS:
        return meant(latest, at, end, -0.2)
    return []


def _definite(words: Sequence[str], at: int, known: Sequence[Subject], latest: Subject) -> list[Node]:
    """ "The ones who died", "of the women": some of those of whom the latest answer tells, or the latest of the `known`
    that is of such."""
    noun = words[at + 1]
    sex = _SEXES.get(noun)
    if sex is None:
        return meant(latest, at, at + 2, -0.2)
    if {*words[:at]} <= _FRAGMENT and not noun.endswith("'s"):
        return []  # "and the men?": the same of others
    of_sex = next((one for one in known if _sexes_in(one) == {sex}), None)
    whole = of_sex or next((one for one in known if not _sexes_in(one)), None)
    if whole is None:
        return []
    of = _of_sex(as_patients(whole.of), noun)
    return [Node("people", People(of, sex=True), at, at + 2, -0.3, _why(whole))]


def _sexes_in(subject: Subject) -> set[object]:
    """The sexes that rows are limited to."""
    tests = (node for node in walk(subject.of) if isinstance(node, Test) and node.left == Own("gender"))
    return {node.right.value for node in tests if isinstance(node.right, Value)}


def is_definite(words: Sequence[str], at: int) -> bool:
    """True at the "the" of "the ones", and of "the women", "the group's" with no word behind it that says of which."""
    behind = tuple(words[at + 1 : at + 3])
    if words[at] != "the" or not behind:
        return False
    return behind[0] == "ones" or (behind[0] in _THE_GROUP | _SEXES.keys() and not _TOLD_BEHIND & {*behind[1:]})


def is_of_some(words: Sequence[str], at: int) -> bool:
    """True at the "of" of "how many of the surgical ones", "how many of the admissions": a part of what was told."""
    if words[at] != "of" or words[at + 1 : at + 2] not in (["the"], ("the",)):
        return False
    return "ones" in words[at + 2 : at + 5] or is_of_the(words, at + 1)


def is_of_the(words: Sequence[str], at: int) -> bool:
    """True at the "the" of "how many of the admissions", "the mean age of the patients", with no word behind it that
    says of which."""
    behind = tuple(words[at + 1 : at + 3])
    of = at > 0 and words[at - 1] == "of" and words[at] == "the"
    return of and behind[:1] != () and behind[0] in _ANY_OF_THEM and not _TOLD_BEHIND & {*behind[1:]}


def _is_of_records(words: Sequence[str], at: int) -> bool:
    """True at the "of" of "how many of the cultures grew it", "of the tested isolates": of those that were told."""
    if words[at] != "of" or words[at + 1 : at + 2] not in (["the"], ("the",)):
        return False
    return tells_of_records(words, at + 2)


def tells_of_records(words: Sequence[str], at: int) -> bool:
    """True where a noun for records stands at a place, alone or behind a word that tells nothing of its own."""
    noun = at + 1 if words[at : at + 1] and words[at] in _TELLING_NOTHING else at
    return noun < len(words) and words[noun] in _RECORDS


def _is_of_year(words: Sequence[str], at: int) -> bool:
    """True at the "the" of "the 2104 patients": those of a year that was spoken of."""
    behind = words[at + 1 : at + 3]
    return words[at] == "the" and len(behind) == 2 and bool(_YEAR.fullmatch(behind[0])) and behind[1] in _GENERAL


def _of_sex(of: Set, noun: str) -> Set:
    """Patients who are women or men, as a noun says: in the place of what was said of their sex."""
    sex = _SEXES.get(noun)
    if sex is None:
        return of
    parts = [part for part in parts_of(of.where) if not (isinstance(part, Test) and part.left == Own("gender"))]
    return replace(of, where=every([*parts, Test(Own("gender"), "=", Value(sex))]))


def _person(subject: Subject, start: int, end: int, cost: float) -> Node:
    """The one patient that an earlier answer was about."""
    assert subject.person is not None
    return Node("people", People(subject.person, one=True, pointed=True), start, end, cost, _why(subject))


def _why(subject: Subject) -> tuple[str, ...]:
    return "points", f"{OF_TURN}{subject.turn}"


def meant(subject: Subject, start: int, end: int, cost: float) -> list[Node]:
    """The rows themselves, and the patients whose they are."""
    of, why = subject.of, _why(subject)
    if of.unit == PATIENT:
        return [Node("people", People(of), start, end, cost, why)]
    nodes = [Node("people", People(as_patients(of)), start, end, cost + 0.35, why)]
    if of.unit in UNITS:
        nodes.append(Node("stays", Stays(of), start, end, cost, why))
    else:
        nodes.append(Node("event", Event(of.unit.replace(" ", "_"), of), start, end, cost, why))
    return nodes
