"""What the sandbox lacks of Python's own modules, lent to it as source: the part of `statistics` that plans use."""

from __future__ import annotations

import ast

_STATISTICS = """
def _ehr_statistics():
    import math
    class statistics:
        pass
    def values_of(data, least, what):
        found = list(data)
        if len(found) < least:
            raise ValueError(f"{what} requires at least {'one data point' if least == 1 else 'two data points'}")
        return found
    def mean(data):
        found = values_of(data, 1, "mean")
        whole = all([isinstance(value, int) for value in found])
        total = sum(found) if whole else math.fsum(found)
        return total // len(found) if whole and total % len(found) == 0 else total / len(found)
    def fmean(data):
        found = values_of(data, 1, "fmean")
        return math.fsum(found) / len(found)
    def median_low(data):
        found = sorted(values_of(data, 1, "median_low"))
        return found[(len(found) - 1) // 2]
    def median_high(data):
        found = sorted(values_of(data, 1, "median_high"))
        return found[len(found) // 2]
    def median(data):
        found = sorted(values_of(data, 1, "median"))
        half = len(found) // 2
        return found[half] if len(found) % 2 else (found[half - 1] + found[half]) / 2
    def mode(data):
        counts = {}
        for value in values_of(data, 1, "mode"):
            counts[value] = counts.get(value, 0) + 1
        return max(counts, key=lambda value: counts[value])
    def spread(data, what, free):
        found = values_of(data, 1 + free, what)
        middle = math.fsum(found) / len(found)
        return math.fsum([(value - middle) ** 2 for value in found]) / (len(found) - free)
    module = statistics()
    module.mean, module.fmean, module.mode = mean, fmean, mode
    module.median, module.median_low, module.median_high = median, median_low, median_high
    module.variance = lambda data: spread(data, "variance", 1)
    module.pvariance = lambda data: spread(data, "pvariance", 0)
    module.stdev = lambda data: math.sqrt(spread(data, "stdev", 1))
    module.pstdev = lambda data: math.sqrt(spread(data, "pstdev", 0))
    return module
"""
LENT = frozenset((
    "mean", "fmean", "mode", "median", "median_low", "median_high", "variance", "pvariance", "stdev", "pstdev"
))  # fmt: skip
"""The functions of `statistics` that plans may import."""


def lent_module(statement: ast.Import | ast.ImportFrom) -> list[ast.stmt] | None:
    """The statements that stand for an import of `statistics`, those of its source on line 0; None for another import,
    and where it names a function that is not lent."""
    if isinstance(statement, ast.ImportFrom):
        names = {name.asname or name.name: name.name for name in statement.names}
        if statement.module != "statistics" or statement.level or not LENT.issuperset(names.values()):
            return None
        sets = [f"{name} = _ehr_statistics().{function}" for name, function in names.items()]
        others: list[ast.alias] = []
    else:
        asked = [name for name in statement.names if name.name == "statistics"]
        if not asked:
            return None
        sets = [f"{name.asname or name.name} = _ehr_statistics()" for name in asked]
        others = [name for name in statement.names if name.name != "statistics"]
    source = ast.parse(_STATISTICS)
    for node in ast.walk(source):
        if isinstance(node, ast.stmt):
            node.lineno = node.end_lineno = 0
    own: list[ast.stmt] = [ast.Import(others)] if others else []
    own += ast.parse("\n".join(sets)).body
    return [*source.body, *(ast.copy_location(each, statement) for each in own)]
