"""`python -m benchmarks [--json FILE] [NAME …]`: run the benchmarks of those names, or all of them."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from dataclasses import asdict
from pathlib import Path

import benchmarks
from benchmarks.measure import Measure


def main() -> int:
    names = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    found = [name for name in names if hasattr(importlib.import_module(f"benchmarks.{name}"), "measures")]
    parser = argparse.ArgumentParser("benchmarks", description="Figures for the budgets, printed as a table.")
    parser.add_argument("names", metavar="NAME", nargs="*", choices=[[], *found], help=f"of {', '.join(found)}")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures to a file too")
    args = parser.parse_args()
    taken: list[Measure] = []
    for name in args.names or found:
        print(f"{name} …", file=sys.stderr)
        taken += importlib.import_module(f"benchmarks.{name}").measures()
    for measure in taken:
        budget = "" if measure.budget is None else f"budget {measure.budget:g}  {'ok' if measure.kept else 'OVER'}"
        print(f"{measure.name:<58} {measure.value:>10.3f} {measure.unit:<4} {budget}")
    if args.json:
        args.json.write_text(json.dumps([asdict(measure) for measure in taken], indent=1), encoding="utf-8")
    return 0 if all(measure.kept for measure in taken) else 1


if __name__ == "__main__":
    sys.exit(main())
