"""Several processes that do the same with one thing after another; results in order.

Processes and not threads: reading and parsing hold Python's lock for most of their time. On Linux
they are forked, which takes milliseconds; elsewhere they start anew and import what they need.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def number_of_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usual_jobs() -> int:
    """As many as there are cores, where processes can be forked.

    Processes that start anew run the program's first lines again, so they are only for those who
    ask for them.
    """
    return number_of_cores() if _start_method() == "fork" else 1


def map_in_order(
    do: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """What ``do`` makes of each task, in the order of the tasks.

    Args:
        do: called in the processes; it can be pickled, unless processes are forked.
        tasks: taken one by one, as processes become free.
        jobs: the number of processes; with 1 all is done in this one.

    Raises:
        RuntimeError: a process ended before its time.
    """
    if jobs <= 1:
        yield from map(do, tasks)
        return
    pool: _Pool[Task, Result] = _Pool(do, jobs)
    try:
        yield from pool.run(tasks)
    finally:
        pool.stop()


class _Pool(Generic[Task, Result]):
    """Processes, each with a pipe through which one task at a time goes and a result comes back.

    Nobody sends to a process that is at work, so that no two wait for each other.
    """

    def __init__(self, do: Callable[[Task], Result], jobs: int) -> None:
        context: Any = multiprocessing.get_context(_start_method())
        self._processes: list[Any] = []
        self._free: list[Connection] = []
        self._busy: dict[Connection, int] = {}
        self._done: dict[int, Result] = {}
        for _ in range(jobs):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(do, there, here), daemon=True)
            process.start()
            there.close()
            self._processes.append(process)
            self._free.append(here)

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """The results in order."""
        following = 0
        for number, task in enumerate(tasks):
            if not self._free:
                self._collect()
            connection = self._free.pop()
            connection.send(task)
            self._busy[connection] = number
            while following in self._done:
                yield self._done.pop(following)
                following += 1
        while self._busy or self._done:
            if following not in self._done:
                self._collect()
                continue
            yield self._done.pop(following)
            following += 1

    def _collect(self) -> None:
        """Take the results that are there, at least one."""
        for connection in wait([*self._busy]):
            assert isinstance(connection, Connection)  # noqa: S101 - as wait has them
            try:
                fine, result = connection.recv()
            except EOFError:
                raise RuntimeError("a process ended before its time; was memory short?") from None
            if not fine:
                raise result
            self._done[self._busy.pop(connection)] = result
            self._free.append(connection)

    def stop(self) -> None:
        """End the processes, whatever they are at."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        for connection in (*self._free, *self._busy):
            connection.close()


def _start_method() -> str:
    """Forked is a process that has no other threads, whose locks nobody would open again."""
    alone = threading.active_count() == 1
    return "fork" if sys.platform == "linux" and alone else "spawn"


def _work(do: Callable[[Any], Any], connection: Connection, other: Connection) -> None:
    """Answer tasks until the other side is closed."""
    other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    with suppress(EOFError, BrokenPipeError):
        while True:
            task = connection.recv()
            try:
                answer = (True, do(task))
            except Exception as error:  # noqa: BLE001 - raised where it is waited for
                answer = (False, error)
            connection.send(answer)
