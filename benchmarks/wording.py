"""`EHRTUI_DATA=DIR python -m benchmarks.wording`: the words that tell sentences worded as EHRSQL words them.

Writes ehrtui/planning/reader/benchmark_words.txt: what the answerable questions of its development sets are worded
with, besides the names, patients and times that they name.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.development import DATABASES, EHRSQL, data_folder, unpacked
from ehrtui.conversation.database import open_database
from ehrtui.evaluation.cases import read_cases
from ehrtui.planning.reader.wording import own_words

WORDS = Path(__file__).parents[1] / "ehrtui" / "planning" / "reader" / "benchmark_words.txt"


def main() -> int:
    folder, found = data_folder(), set[str]()
    with TemporaryDirectory() as scratch:
        for name, of_set in EHRSQL.items():
            known = DATABASES[name]
            path = unpacked(folder, known.file, Path(scratch))
            state = Path(scratch)
            with closing(
                open_database(str(path), now=known.now, profile=None, planner="offline", state=state)
            ) as database:
                for case in read_cases(folder / of_set.questions):
                    if case.turns[0].answerable:
                        proposal = database.planner.propose(case.turns[0].text, [])
                        found.update(own_words(proposal.question, proposal.links))
    WORDS.write_text("\n".join(sorted(found)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
