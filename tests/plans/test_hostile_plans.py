"""Plans that mean harm: each ends in a typed error within its limits, or does nothing at all; the next plan runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.errors import EhrtuiError, PlanError, SandboxLimit
from ehrtui.plans.runner import PlanRunner
from ehrtui.plans.sandbox import PlanLimits
from tests import small_mimic
from tests.plans.conftest import as_written

# So much time that the clock ends no plan that another limit should end, however busy the machine is.
LIMITS = PlanLimits(seconds=30, memory=30_000_000, tool_calls=50, printed=2_000, rows=100)
SHORT = replace(LIMITS, seconds=0.3)


@pytest.fixture
def runner(engine: Engine) -> Iterator[PlanRunner]:
    with closing(PlanRunner(engine, now=small_mimic.NOW, limits=LIMITS)) as runner:
        yield runner


def run(runner: PlanRunner, plan: str) -> None:
    runner.run(plan, expand=as_written, name="answer", report=lambda _: None)


def failure(runner: PlanRunner, plan: str) -> PlanError:
    with pytest.raises(PlanError) as caught:
        run(runner, plan)
    run(runner, "answer = len(LoadDB('patients'))")
    return caught.value


@pytest.mark.parametrize(
    "plan",
    [
        "answer = open('{file}').read()",
        "open('{file}', 'w').write('x')",
        "with open('{file}') as file:\n    answer = file.read()",
        "from pathlib import Path\nanswer = Path('{file}').read_text()",
        "from pathlib import Path\nPath('{file}').unlink()",
        "from pathlib import Path\nanswer = [str(p) for p in Path('/').iterdir()]",
        "import os\nanswer = os.listdir('/')",
        "import os\nanswer = os.environ['HOME']",
        "import os\nanswer = os.getenv('HOME')",
        "import os\nos.system('rm {file}')",
        "import os\nos.popen('rm {file}')",
        "import os\nanswer = os.urandom(8)",
        "import socket\nanswer = socket.socket()",
        "import urllib.request\nanswer = 1",
        "import subprocess\nsubprocess.run(['rm', '{file}'])",
        "import ctypes\nanswer = 1",
        "import sqlite3\nanswer = sqlite3.connect('{file}')",
        "import ehrtui\nanswer = 1",
        "import pickle\nanswer = 1",
        "import zlib\nanswer = 1",
        "import threading\nanswer = 1",
        "import multiprocessing\nanswer = 1",
        "answer = __import__('os').listdir('/')",
        "import sys\nanswer = sys.modules",
        "answer = eval(\"open('{file}').read()\")",
        "exec(\"open('{file}', 'w')\")\nanswer = 1",
        "answer = compile('1', '', 'eval')",
        "answer = input()",
        "breakpoint()\nanswer = 1",
        "answer = globals()",
    ],
)
def test_nothing_outside_is_reached(runner: PlanRunner, tmp_path: Path, plan: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("private")
    error = failure(runner, plan.replace("{file}", str(file)))
    assert error.next_step
    assert "private" not in str(error)
    assert file.read_text() == "private"


@pytest.mark.parametrize(
    "plan",
    [
        "answer = ().__class__.__base__.__subclasses__()",
        "answer = (lambda: 0).__globals__",
        "answer = LoadDB.__globals__",
        "answer = LoadDB.__self__",
        "answer = LoadDB('patients').__class__",
        "answer = LoadDB('patients').__dict__",
        "answer = LoadDB('patients').workspace",
        "answer = LoadDB('patients').read('*')",
        "answer = LoadDB('patients').filtered",
        "answer = getattr(LoadDB('patients'), 'work' + 'space')",
        "answer = '{0.workspace.engine}'.format(LoadDB('patients'))",
        "answer = '{0.__class__.__init__.__globals__}'.format(LoadDB)",
        "answer = type(LoadDB('patients')).read",
        "answer = type(LoadDB('patients'))(1, 2)",
        "answer = [x for x in LoadDB.__closure__]",
        "answer = 'x'.__class__.__mro__",
        "try:\n    1 / 0\nexcept Exception as error:\n    answer = error.__traceback__.tb_frame",
        "answer = LoadDB('patients').ｗｏｒｋｓｐａｃｅ",
    ],
)
def test_no_object_leads_to_the_host(runner: PlanRunner, plan: str) -> None:
    error = failure(runner, plan)
    assert error.kind in ("AttributeError", "TypeError", "NameError", "NotImplementedError", "AnswerError")


@pytest.mark.parametrize(
    "plan",
    [
        "while True:\n    pass",
        "try:\n    while True:\n        pass\nexcept BaseException:\n    answer = 1",
        "answer = sum(range(10 ** 12))",
    ],
)
def test_time_has_a_limit(engine: Engine, plan: str) -> None:
    with closing(PlanRunner(engine, now=small_mimic.NOW, limits=SHORT)) as runner, pytest.raises(SandboxLimit) as ended:
        run(runner, plan)
    assert ended.value.kind == "TimeoutError"
    assert ended.value.next_step
    assert ended.value.line is not None


def test_a_worker_that_is_ended_says_nothing_of_its_own(engine: Engine, capfd: pytest.CaptureFixture[str]) -> None:
    plans = ("x = [1]\nwhile True:\n    x = x + x", "answer = NameError([1])", "answer = 10 ** 10 ** 8")
    limits = PlanLimits(seconds=0.3)  # so much memory that the worker is ended for it, and not the plan alone
    with closing(PlanRunner(engine, now=small_mimic.NOW, limits=limits)) as runner:
        for plan in (*plans, *plans):  # the second time in a worker that took the place of a dead one
            with pytest.raises(PlanError) as ended:
                run(runner, plan)
            assert "monty" not in f"{ended.value.what} {ended.value.why}".lower()
        assert isinstance(ended.value, SandboxLimit)
        assert ended.value.kind == "TimeoutError"
    assert capfd.readouterr() == ("", "")
    assert os.get_inheritable(2)


@pytest.mark.parametrize(
    ("plan", "kind"),
    [
        ("answer = [0] * 10 ** 9", "MemoryError"),
        ("answer = 'a' * 10 ** 10", "MemoryError"),
        ("answer = 'a'.ljust(10 ** 10)", "MemoryError"),
        ("answer = f'{1:10000000000}'", "MemoryError"),
        ("answer = '%10000000000d' % 1", "MemoryError"),
        ("rows = []\nwhile True:\n    rows.append('a' * 1000)", "MemoryError"),
        ("rows = [1]\nwhile True:\n    rows = rows + rows", "MemoryError"),
        ("answer = list(range(10 ** 10))", "MemoryError"),
        ("answer = 9 ** 9 ** 9", "MemoryError"),
        ("answer = 1 << 10 ** 10", "MemoryError"),
        ("answer = [SQLInterpreter('SELECT hex(zeroblob(20000000))')[0][0] for n in range(9)]", "MemoryError"),
        ("def f(n):\n    return f(n + 1)\nanswer = f(0)", "RecursionError"),
        ("f = lambda n: f(n)\nanswer = f(0)", "RecursionError"),
        ("while True:\n    LoadDB('patients')", "ToolCallLimit"),
        ("while True:\n    try:\n        LoadDB('nope')\n    except BaseException:\n        pass", "ToolCallLimit"),
        ("while True:\n    print('a' * 100)", "OutputLimit"),
        ("print('a' * 10 ** 6)", "OutputLimit"),
    ],
)
def test_every_resource_has_a_limit(runner: PlanRunner, plan: str, kind: str) -> None:
    error = failure(runner, plan)
    assert isinstance(error, SandboxLimit)
    assert error.kind == kind
    assert error.next_step
    assert error.line is not None


@pytest.mark.parametrize(
    "plan",
    [
        "answer = LoadDB('patients') and Calculate('9 ** 9 ** 9')",
        "answer = Calculate('(' * 100)",
        "answer = Calculate('1 +' * 10 ** 5)",
        "answer = Calendar('-' + '9' * 10 ** 5 + ' year')",
        "answer = FilterDB(LoadDB('patients'), 'gender in [' + 'f,' * 10 ** 5 + 'f]||' + 'gender=' + 'f' * 10 ** 6)",
        "answer = FilterDB(LoadDB('patients'), 'gender=a\\x00b')",
        "t = LoadDB('patients')\nfor n in range(40):\n    t = FilterDB(t, 'max(subject_id)')\nanswer = t",
        "answer = FilterDB(LoadDB('patients'), '\"gender; DROP TABLE patients\"=f')",
        "answer = list(SQLInterpreter('SELECT a.* FROM cost a, cost b, patients'))",
        "answer = SQLInterpreter('DROP TABLE patients')",
        "answer = SQLInterpreter('SELECT 1; DELETE FROM patients')",
        "answer = SQLInterpreter(\"ATTACH 'other.db' AS other\")",
        "answer = SQLInterpreter('PRAGMA writable_schema = 1')",
        "answer = SQLInterpreter(\"SELECT load_extension('x')\")",
        "answer = SQLInterpreter(\"SELECT readfile('/etc/hostname')\")",
        "answer = SQLInterpreter('SELECT * FROM t', t=LoadDB)",
        "answer = exec",
        "class A:\n    pass\nanswer = A()",
        "raise SystemExit(1)",
        "raise KeyboardInterrupt",
        "raise BaseException('stop')",
        "import json\nanswer = json.loads('[' * 10 ** 5)",
        "import sys\nsys.exit(0)",
        pytest.param("answer = " + "(" * 300 + "1" + ")" * 300, id="brackets"),
        pytest.param("answer = " + "-" * 10**5 + "1", id="signs"),
        pytest.param("answer = " + "1 + " * 40_000 + "1", id="terms"),
        pytest.param("x = 1\n" * 600, id="steps"),
        pytest.param("#" * 300_000, id="long"),
        "answer = 1\x00",
        "answer = '\ud800'",
        "return 1",
        "answer = yield",
        "del answer",
        "_ehr_rows = 1\nanswer = LoadDB('patients')[0]",
        "answer = FilterDB(LoadDB('patients'), \"gender=f' OR '1'='1\")",
    ],
)
def test_abuse_of_tools_and_language_is_a_typed_error(runner: PlanRunner, plan: str) -> None:
    error = failure(runner, plan)
    assert isinstance(error, EhrtuiError)
    assert error.what


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ("import time\ntime.sleep(10 ** 6)\nanswer = 1", 1),
        ("import re\nanswer = re.match('(a+)+$', 'a' * 50 + 'b') is None", 1),
        ("import random\nanswer = 0 <= random.random() < 1", 1),
        ("ａｎｓｗｅｒ = 1", 1),
        ("len = 3\nanswer = LoadDB('patients') and len", 3),
    ],
)
def test_what_looks_like_harm_and_does_none(runner: PlanRunner, engine: Engine, plan: str, expected: object) -> None:
    run(runner, plan)
    assert engine.page("answer", 0, 9) == [(expected,)]
