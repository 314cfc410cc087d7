"""`ehrtui profile`: print the profile that a database is read by, as TOML, and what of the database it leaves out."""

from __future__ import annotations

import sys
from argparse import Namespace

from ehrtui.commands.output import printable
from ehrtui.engines.address import name_of

_HEAD = """\
# The profile of {name}, as ehrtui reads it. To change it: save it, edit it, and pass it with --profile FILE.
# A role is a kind of record; views are tables that the database lacks. A line that is left out means "there is none".
"""


def run(args: Namespace) -> int:
    """Print the profile of the database; `args` has `database` and `profile`. Raises DatabaseError or ProfileError."""
    from ehrtui.engines.opening import open_engine
    from ehrtui.schema.detection import load_profile
    from ehrtui.schema.guess_notes import notes_of
    from ehrtui.schema.profile_text import profile_text, unplaced

    engine = open_engine(args.database)
    try:
        schema = engine.schema()
        profile = load_profile(schema, engine.read, args.profile)
    finally:
        engine.close()
    left = unplaced(profile, schema)
    lines = [_HEAD.format(name=printable(name_of(args.database)))]
    if whole := [table for table, columns in left.items() if not columns]:
        lines.append(f"#\n# Tables that no role uses: {printable(', '.join(whole))}\n")
    if parts := {table: columns for table, columns in left.items() if columns}:
        lines.append("#\n# Columns that no role uses:\n")
        lines += [f"#   {printable(table)}: {printable(', '.join(columns))}\n" for table, columns in parts.items()]
    text = "".join([*lines, "\n", profile_text(profile, notes_of(profile))])
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    return 0
