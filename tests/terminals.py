"""Programs on a terminal, and what is on its screen in the end."""

import os
import pty
import re
import termios
import threading
import tty
from contextlib import contextmanager

from processes import send

DRAWN = re.compile(r"\r([^\r\n]*[^\r\n ][^\r\n]*)\r")
"""A line that is drawn, after which the cursor is back at its beginning."""


@contextmanager
def open_terminal(columns=80):
    """Yield a terminal, and a function that closes it and returns what was written to it."""
    parent, child = pty.openpty()
    tty.setraw(child)
    termios.tcsetwinsize(child, (24, columns))
    chunks = []

    def read():
        try:
            while chunk := os.read(parent, 1 << 16):
                chunks.append(chunk)
        except OSError:  # the other end is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    file = os.fdopen(child, "w", encoding="utf-8")

    def close():
        file.close()
        reader.join()
        return b"".join(chunks).decode()

    try:
        yield file, close
    finally:
        close()
        os.close(parent)


def run_on_terminal(program, *arguments, cwd=".", status=0, columns=80, **variables):
    """Run a program whose standard error is a terminal; return what it wrote there."""
    environment = {**os.environ, "TERM": "xterm", **variables}
    with open_terminal(columns) as (file, close):
        files = [os.devnull, os.devnull, os.ttyname(file.fileno())]
        ended = send(program, arguments, files, cwd=cwd, env=environment)
        written = close()
    assert ended == status, written
    return written


def find_drawn(written):
    """The lines that a program drew over each other."""
    return [line.rstrip() for line in DRAWN.findall(written)]


def screen_of(written):
    """The screen after all was written, without blanks at the ends of lines."""
    lines = [""]
    for line in written.split("\n"):
        for piece in line.split("\r"):
            lines[-1] = piece + lines[-1][len(piece) :]
        lines.append("")
    return "\n".join(line.rstrip() for line in lines[:-1])
