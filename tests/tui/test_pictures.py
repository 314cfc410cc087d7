"""The recorded tour of the documentation can be played, and shows what its script asks."""

from __future__ import annotations

import json
import re

from tests.tui.pictures import DOCS, SIZES, TOUR, TOUR_SIZE


def test_the_tour_is_a_recording_that_players_read():
    head, *events = (json.loads(line) for line in (DOCS / "tour.cast").read_text("utf-8").splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, *TOUR_SIZE)
    times = [at for at, _, _ in events]
    assert times == sorted(times)
    assert {kind for _, kind, _ in events} == {"o"}
    drawn = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", "".join(text for _, _, text in events))
    assert all(step in drawn for step in TOUR if not step.startswith("^"))


def test_every_size_that_the_script_takes_has_its_picture():
    page = (DOCS / "explorer.md").read_text("utf-8")
    for width, height in SIZES:
        picture = page.partition(f"## {width} x {height}\n\n```\n")[2].partition("\n```")[0]
        assert len(picture.splitlines()) == height
