from __future__ import annotations

import statistics
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ehrtui.engines.engine import Engine
from ehrtui.plans.lent_modules import LENT
from ehrtui.plans.reports import Outcome

Run = Callable[[str], Outcome]
NUMBERS = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6).map(lambda value: round(value, 4))


@given(data=st.lists(NUMBERS, min_size=2, max_size=12))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_statistics_are_those_of_python(run: Run, engine: Engine, data: list[float]) -> None:
    names = sorted(LENT)
    run(f"import statistics\ndata = {data!r}\nanswer = [{', '.join(f'statistics.{name}(data)' for name in names)}]")
    found = [value for (value,) in engine.page("answer", 0, 20)]
    assert found == pytest.approx([getattr(statistics, name)(data) for name in names], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "plan",
    [
        "import statistics\nanswer = statistics.mean([1, 3])",
        "import math, statistics as s\nanswer = s.mean([1, 3]) * int(math.sqrt(1))",
        "from statistics import mean, median as middle\nanswer = mean([1, 3]) + middle([0, 0])",
        "def average(values):\n    import statistics\n    return statistics.mean(values)\nanswer = average([1, 3])",
        "import statistics\nanswer = statistics.mean(SQLInterpreter('SELECT 1 AS n UNION ALL SELECT 3')['n'])",
    ],
)
def test_every_way_to_import_it(run: Run, engine: Engine, plan: str) -> None:
    run(plan)
    assert engine.page("answer", 0, 10) == [(2,)]


def test_without_values_there_is_no_mean(run: Run, engine: Engine) -> None:
    run("import statistics as s\ntry:\n    answer = s.mean([])\nexcept ValueError as error:\n    answer = str(error)")
    assert engine.page("answer", 0, 10) == [("mean requires at least one data point",)]
