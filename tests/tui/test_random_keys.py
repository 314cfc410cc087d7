"""Whatever keys are pressed, in whatever order: the explorer stays up, and can be left alone and used again.

`python -m benchmarks random_keys` walks hundreds of times, and looks at the memory too.
"""

from __future__ import annotations

import pytest

from tests.tui.random_walk import walk


@pytest.mark.parametrize("seed", range(SEEDS := 3))
async def test_no_keys_bring_it_down_or_get_it_stuck(make_app, seed: int):
    app = make_app()
    answered = await walk(app, seed)
    assert answered == [(7,)]
