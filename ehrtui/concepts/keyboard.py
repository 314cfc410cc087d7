"""Which letters lie beside each other on a keyboard: what a slip of a finger may change."""

from __future__ import annotations

_PLACES = {
    letter: (row, place)
    for row, letters in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm"))
    for place, letter in enumerate(letters)
}


def are_neighbours(one: str, other: str) -> bool:
    """True for letters beside each other in a row of the keyboard, or in rows above each other; never for letters of
    other alphabets."""
    if one not in _PLACES or other not in _PLACES:
        return False
    (row, place), (other_row, other_place) = _PLACES[one], _PLACES[other]
    return abs(row - other_row) <= 1 and abs(place - other_place) <= 1
