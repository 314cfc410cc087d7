"""How the explorer reads its terminal."""

from __future__ import annotations

import os
import selectors
from codecs import getincrementaldecoder

from textual import constants
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

IDLE = 0.1
"""Seconds between two looks whether the explorer has ended."""
MARGIN = 0.002
"""Seconds over the delay, so that it has passed when the parser is asked."""
CHUNK = 4_096


class TerminalDriver(LinuxDriver):
    """Textual's, but for its input. Textual looks ten times a second whether what follows an Esc has come: so an Esc
    alone was known after 0.1 to 0.2 s, whatever ESCDELAY says. And it reads a terminal that is gone without end."""

    def run_input_thread(self) -> None:
        """Turn bytes into events, until the explorer ends or the terminal is gone."""
        parser, decode = XTermParser(self._debug), getincrementaldecoder("utf-8")("replace").decode
        unsettled = False
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(constants.ESCAPE_DELAY + MARGIN if unsettled else IDLE)
                if ready and not (read := self._read()):
                    return
                if ready and (text := decode(read)):
                    for event in parser.feed(text):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
                unsettled = bool(ready)

    def _read(self) -> bytes:
        """What is there, nothing where the terminal is gone."""
        try:
            return os.read(self.fileno, CHUNK)
        except OSError:
            return b""
