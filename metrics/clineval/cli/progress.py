"""The progress of a command, on the last line of a terminal."""

from __future__ import annotations

import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from clineval.base.escaping import visible
from clineval.base.progress import Advance, metered_by

Clock = Callable[[], float]
AFTER, EVERY = 2.0, 0.1
"""Seconds until a command shows its progress, and between two drawings."""
_WINDOW = 300
"""The number of drawings that the estimate is based on: half a minute."""
_CELLS = 10
"""The width of the bar."""
_USUAL = 80
"""The width of a terminal that does not know its own."""


@contextmanager
def progress_shown() -> Iterator[None]:
    """Show the progress of everything inside if standard error is a terminal."""
    terminal = sys.stderr
    if terminal is None or not terminal.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        yield
        return
    line = Line(terminal, monotonic)
    with metered_by(line.meter), line_before_warnings(line):
        try:
            yield
        finally:  # after an error or an interrupt, counts can be unfinished
            line.clear()


@contextmanager
def line_before_warnings(line: Line) -> Iterator[None]:
    """Clear the line before each warning."""
    show = warnings.showwarning

    def show_alone(*about: object, **more: object) -> None:
        line.clear()
        show(*about, **more)  # type: ignore[arg-type]

    with warnings.catch_warnings():
        warnings.showwarning = show_alone
        yield


class Line:
    """The last line of a terminal, with the outermost of the counts that are running.

    The line is empty until the command has taken :data:`AFTER` seconds. A count draws it when it
    begins and when it advances. No thread does, because processes cannot be forked while a thread
    is drawing. The cursor stays at the beginning of the line.
    """

    def __init__(self, terminal: TextIO, clock: Clock) -> None:
        self._terminal, self._clock = terminal, clock
        self._start = self._due = clock() + AFTER
        self._taken = False
        self._width = 0  # of what is drawn

    @contextmanager
    def meter(self, total: int | None, label: str, *, size: bool = False) -> Iterator[Advance]:
        """Show a count, unless it is within another."""
        if self._taken:
            yield lambda _: None
            return
        now = self._clock()
        self._taken, self._due = True, max(self._start, now)
        count = _Count(total, visible(label), now, size=size)

        def advance(number: int) -> None:
            count.done += number
            now = self._clock()
            if now >= self._due:
                self._due = now + EVERY
                self._draw(count.label, count.describe(now))

        try:
            advance(0)
            yield advance
        finally:
            self._taken = False
            self.clear()

    def clear(self) -> None:
        """Empty the line until it is drawn again."""
        if self._width:
            self._write(" " * self._width)
            self._width = 0

    def _draw(self, label: str, state: str) -> None:
        """Draw the line; long labels are cut."""
        from rich.cells import cell_len, set_cell_size

        columns = os.get_terminal_size(self._terminal.fileno()).columns or _USUAL
        self._width = columns - 1
        encoding = self._terminal.encoding
        label = label.encode(encoding, "backslashreplace").decode(encoding)
        room = max(0, self._width - len(state))
        label = set_cell_size(label, room) if cell_len(label) > room else label
        self._write(set_cell_size(label + state, self._width))

    def _write(self, text: str) -> None:
        self._terminal.write(f"\r{text}\r")
        self._terminal.flush()


class _Count:
    """How many documents or bytes are done, and an estimate of the time for the others."""

    def __init__(self, total: int | None, label: str, now: float, *, size: bool) -> None:
        self.done, self.label, self._total = 0, label, total
        self._unit = " MB" if size else ""
        self._drawn = deque([(now, 0)], _WINDOW)

    def describe(self, now: float) -> str:
        """Describe the state after the label, in ASCII."""
        if self._total is None and not self.done:
            return "..."
        self._drawn.append((now, self.done))
        start, before = self._drawn[0]
        speed = (self.done - before) / (now - start) if now > start else 0.0
        done, pace = self._spell(self.done), f"{self._spell(speed)}{self._unit}/s"
        if self._total is None:
            return f"  {done}{self._unit}  {pace}"
        share = min(1.0, self.done / max(1, self._total))
        left = _spell_time((self._total - self.done) / speed) if speed > 0 else "-:--:--"
        bar = f"[{'#' * int(share * _CELLS):.<{_CELLS}}] {share:.0%}"
        return f"  {bar}, {left} left  {done} of {self._spell(self._total)}{self._unit}  {pace}"

    def _spell(self, number: float) -> str:
        return f"{number / 1e6:,.1f}" if self._unit else f"{number:,.0f}"


def _spell_time(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
