"""The arguments of commands that look at ehrtui itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from ehrtui.arguments.language_model_options import add_server
from ehrtui.arguments.options import add_config


def doctor_parser() -> argparse.ArgumentParser:
    """`ehrtui doctor …`."""
    parser = argparse.ArgumentParser(
        "ehrtui doctor",
        description="Check the package, the key, the server and the model, and say which ways the server offers: the "
        "Messages API, chat completions, streaming, tools. Only a server on this machine is asked by both APIs. "
        "Nothing of a database is sent. Exit code: 0 all is well, 1 something is missing.",
    )
    add_server(parser)
    add_config(parser)
    return parser


def config_parser() -> argparse.ArgumentParser:
    """`ehrtui config …`."""
    parser = argparse.ArgumentParser(
        "ehrtui config",
        description="Print a configuration file in which every setting is explained, with its default.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--write", action="store_true", help="write it; a file that is there is never overwritten")
    which.add_argument("--check", action="store_true", help="read the file that is there, and say what is wrong in it")
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="which file, if not your own config.toml")
    return parser


def completion_parser() -> argparse.ArgumentParser:
    """`ehrtui completion …`."""
    parser = argparse.ArgumentParser(
        "ehrtui completion",
        description="Print a script that completes commands, options and files of ehrtui in a shell.",
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh", "powershell"), help="which shell")
    return parser


def manual_parser() -> argparse.ArgumentParser:
    """`ehrtui manual …`."""
    parser = argparse.ArgumentParser(
        "ehrtui manual", description="Print the manual page of all commands, as `man` reads it."
    )
    return parser
