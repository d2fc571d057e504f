"""``clineval`` that shows each step of its progress at once: tests need not wait.

``DATASETS`` names a list of datasets that replaces those of all challenges. ``INTERRUPT_AT`` is the
number of the drawing after which the user interrupts the program.
"""

import os
import signal
from itertools import count
from pathlib import Path

from clineval.cli import main as run
from clineval.cli import progress
from clineval.results.task import Task


def main():
    """Run the command line."""
    progress.AFTER = progress.EVERY = 0
    if datasets := os.environ.get("DATASETS"):
        Task.datasets = Path(datasets)
    if last := os.environ.get("INTERRUPT_AT"):
        interrupt(int(last))
    run()


def interrupt(last):
    """Interrupt the program after a drawing, as Ctrl-C does."""
    draw, numbers = progress.Line._draw, count(1)

    def draw_and_interrupt(*about):
        draw(*about)
        if next(numbers) == last:
            signal.raise_signal(signal.SIGINT)

    progress.Line._draw = draw_and_interrupt
