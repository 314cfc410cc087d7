"""The pages of the documentation lead to each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def links(page: Path) -> set[Path]:
    """The files that a page leads to."""
    return {(page.parent / to).resolve() for to in _LINK.findall(page.read_text("utf-8"))}


def test_the_index_has_every_page():
    index = ROOT / "docs" / "README.md"
    assert set(PAGES) - {index} <= links(index)


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_no_page_leads_nowhere(page):
    assert [to for to in links(page) if not to.exists()] == []
