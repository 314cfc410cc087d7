"""Which family a database is of: the profile that a file gives, a shipped one, or what introspection can guess."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.errors import ProfileError
from ehrtui.schema.fitting import fitted
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile, read_profile
from ehrtui.schema.respelling import respelled

if TYPE_CHECKING:
    from ehrtui.schema.columns import Read

_SHIPPED = Path(__file__).parent / "profiles"


def load_profile(schema: Schema, read: Read, path: Path | None = None) -> Profile:
    """The profile in `path`, or else the first shipped one that fits, if need be with other spellings of its names, and
    without what the database lacks of it, or else one guessed from the tables; `read` runs one SELECT and returns its
    rows. GENERIC where nothing can be guessed.

    Raises ProfileError for a file that is not a profile, or one with tables, columns or SQL that do not fit.
    """
    if path is not None:
        return _own(path, schema)
    families = []
    for file in sorted(_SHIPPED.glob("*.toml")):
        families.append(profile := read_profile(file))
        if profile.fits(schema):
            return fitted(profile, schema)[0]
    for profile in families:
        if (own := respelled(profile, schema)) is not None:
            return fitted(own, schema)[0]
    from ehrtui.schema.generic import generic_profile  # for few databases, and full of patterns

    return generic_profile(schema, read)


def _own(path: Path, schema: Schema) -> Profile:
    profile = read_profile(path)
    lacking = profile.lacking(schema)
    fitting, missing = (profile, ()) if lacking else fitted(profile, schema)
    if lacking or missing:
        raise ProfileError(
            f'The profile "{profile.name}" does not fit this database.',
            why="It needs " + ", ".join(lacking) + "." if lacking else "The database lacks " + "; ".join(missing) + ".",
            next_step="Leave out --profile to let ehrtui detect one, or correct what `ehrtui profile` printed.",
        )
    return fitting
