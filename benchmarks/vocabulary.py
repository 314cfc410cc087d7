"""An Athena export of a million made-up rows: how long it takes to import, in how much memory, and how well brands lead
to their ingredients when people write them (another case, a strength and a form behind it, a letter wrong)."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Measure
from ehrtui.concepts.library import Library, shelf_of
from ehrtui.concepts.model import Concept
from ehrtui.concepts.shipped_files import shipped_concepts
from ehrtui.concepts.vocabulary import Vocabulary

ROWS = 1_000_000
BRANDS = 100
_IMPORT = """
import resource, sys, time
from pathlib import Path
from ehrtui.concepts.athena import load
start = time.perf_counter()
load(Path(sys.argv[1]), Path(sys.argv[2]))
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
_ONSETS, _VOWELS, _CODAS = (
    ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "cl", "dr", "fl", "pr", "tr"],
    ["a", "e", "i", "o", "u"],
    ["n", "r", "l", "x", "s"],
)
_HEADINGS = {
    "CONCEPT": "concept_id concept_name domain_id vocabulary_id concept_class_id standard_concept concept_code "
    "valid_start_date valid_end_date invalid_reason",
    "CONCEPT_SYNONYM": "concept_id concept_synonym_name language_concept_id",
    "CONCEPT_RELATIONSHIP": "concept_id_1 concept_id_2 relationship_id valid_start_date valid_end_date invalid_reason",
    "CONCEPT_ANCESTOR": "ancestor_concept_id descendant_concept_id min_levels_of_separation max_levels_of_separation",
}


def write_export(folder: Path, rows: int = ROWS, seed: int = 7) -> dict[str, set[str]]:
    """Write the four files, of so many rows together, and return which brand holds which ingredients: a third of the
    brands are combinations, some have a product that holds more than the others, each product is a drug of its own."""
    chance = random.Random(seed)
    names: set[str] = set()

    def word(syllables: int, ending: str = "") -> str:
        while True:
            made = "".join(chance.choice(_ONSETS) + chance.choice(_VOWELS) for _ in range(syllables))
            made += chance.choice(_CODAS) + ending
            if made not in names:
                names.add(made)
                return made

    tables: dict[str, list[str]] = {name: ["\t".join(heading.split())] for name, heading in _HEADINGS.items()}
    dates = "19700101\t20991231\t"

    def concept(number: int, name: str, domain: str, vocabulary: str, kind: str, standard: str = "S") -> int:
        tables["CONCEPT"].append(f"{number}\t{name}\t{domain}\t{vocabulary}\t{kind}\t{standard}\tc{number}\t{dates}")
        return number

    def related(one: int, other: int, way: str, back: str) -> None:
        tables["CONCEPT_RELATIONSHIP"].append(f"{one}\t{other}\t{way}\t{dates}")
        tables["CONCEPT_RELATIONSHIP"].append(f"{other}\t{one}\t{back}\t{dates}")

    ingredients = [word(3, chance.choice(["ol", "ine", "ate", "mab", "pril"])) for _ in range(3000)]
    for number, name in enumerate(ingredients, 1_000_000):
        concept(number, name, "Drug", "RxNorm", "Ingredient")
        tables["CONCEPT_SYNONYM"].append(f"{number}\t{name} hydrochloride\t4180186")
    gold: dict[str, set[str]] = {}
    product = 3_000_000
    for number in range(20 * BRANDS):
        held = chance.sample(range(len(ingredients)), 2 if number % 3 == 0 else 1)
        brand = word(2).capitalize()
        brand_id = concept(2_000_000 + number, brand, "Drug", "RxNorm", "Brand Name", "")
        gold[brand] = {ingredients[one] for one in held}
        for strength in (5, 10, 25):
            parts = [*held, chance.randrange(len(ingredients))] if strength == 25 and number % 10 == 0 else held
            text = " / ".join(f"{ingredients[one]} {strength} MG" for one in parts)
            generic = concept(product, f"{text} Oral Tablet", "Drug", "RxNorm", "Clinical Drug")
            branded = concept(product + 1, f"{text} Oral Tablet [{brand}]", "Drug", "RxNorm", "Branded Drug")
            product += 2
            related(brand_id, branded, "Brand name of", "Has brand name")
            related(branded, generic, "Tradename of", "Has tradename")
            for one in parts:
                related(generic, 1_000_000 + one, "RxNorm has ing", "RxNorm ing of")
                for drug in (generic, branded):
                    tables["CONCEPT_ANCESTOR"].append(f"{1_000_000 + one}\t{drug}\t1\t2")
    other = 10_000_000
    while sum(map(len, tables.values())) < rows:
        concept(other, f"finding {other} of {chance.choice(ingredients)}", "Condition", "SNOMED", "Clinical Finding")
        tables["CONCEPT_SYNONYM"].append(f"{other}\tdisorder {other}\t4180186")
        tables["CONCEPT_ANCESTOR"].append(f"{10_000_000}\t{other}\t1\t1")
        other += 1
    for name, lines in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return gold


def written(brand: str, number: int, chance: random.Random) -> str:
    """A brand as somebody writes it."""
    place = chance.randrange(1, len(brand) - 1)
    doubled = brand[:place] + brand[place] + brand[place:]
    return [brand, brand.lower(), brand.upper() + "®", f"{brand} 10 mg tablet", doubled][number % 5]


def measures() -> list[Measure]:
    """The figures of an import in a process of its own, and of looking brands up."""
    chance = random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        gold = write_export(Path(folder))
        target = Path(folder) / "vocabulary.db"
        seconds, memory = map(float, subprocess.check_output([sys.executable, "-c", _IMPORT, folder, target]).split())
        vocabulary = Vocabulary(target)
        right = told = meant = 0
        times = []
        for number, brand in enumerate(chance.sample(sorted(gold), BRANDS)):
            start = time.perf_counter()
            found = {term.name for term in vocabulary.ingredients(written(brand, number, chance))}
            times.append(1000 * (time.perf_counter() - start))
            right, told, meant = right + len(found & gold[brand]), told + len(found), meant + len(gold[brand])
        vocabulary.close()
    return [
        Measure("importing a vocabulary of a million rows", seconds, "s"),
        Measure("memory of that process", memory, "MB", 500),
        Measure("100 brands to ingredients, 1 - F1", 1 - 2 * right / (told + meant), "", 0.05),
        Measure("a brand to its ingredients, p95", sorted(times)[int(0.95 * len(times))], "ms"),
        Measure("searching 16,500 concepts, CPU, p95", _searching(), "ms", 20),
    ]


def _searching() -> float:
    """CPU milliseconds of a search in a library of 16,500 concepts."""
    chance = random.Random(5)
    words = [concept.name for concept in shipped_concepts()]
    many = [
        Concept(f"{one} {chance.choice(words)} {number}", "diagnosis", (), (f"{chance.choice(words)} again",))
        for number, one in zip(range(16_500), words * 20, strict=False)
    ]
    library = Library([shelf_of(many)])
    times = []
    for _ in range(200):
        others = chance.choice(words) if len(times) % 4 == 0 else ""  # words that no concept has together
        named = f"{chance.choice(words)} {others}".split()
        text = " ".join(chance.sample(named, min(2, len(named))))
        start = time.process_time()
        library.search(text)
        times.append(1000 * (time.process_time() - start))
    return sorted(times)[190]


if __name__ == "__main__":
    for measure in measures():
        print(f"{measure.name:<58} {measure.value:>10.3f} {measure.unit}")
