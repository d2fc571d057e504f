"""Several processes that do the same with one thing after another; results in order.

Processes and not threads: reading and parsing hold Python's lock for most of their time. On Linux
they are forked, which takes milliseconds; elsewhere they start anew and import what they need.
"""

from __future__ import annotations

import multiprocessing.connection
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 4
"""The most tasks for each process that are taken before the result of the first is there."""
Work = Callable[[Any], object]
_work: list[Work] = []
"""What a process does with its tasks; too large to be sent with each."""


def usual_jobs() -> int:
    """Return the number of cores, or 1 where processes cannot be forked.

    Processes that start anew run the program's first lines again, so they are only for those who
    ask for them.
    """
    if _start_method() != "fork":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_order(
    do: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Yield what ``do`` returns for each task, in the order of the tasks.

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
    context = multiprocessing.get_context(_start_method())
    here, there = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _begin, (do, here, there))
    try:
        yield from _run(pool, tasks, jobs)
    except BrokenProcessPool:
        raise RuntimeError("a process ended before its time; was memory short?") from None
    finally:
        there.close()  # ends the processes, whatever they are at
        pool.shutdown(cancel_futures=True)
        here.close()


def _run(pool: ProcessPoolExecutor, tasks: Iterable[object], jobs: int) -> Iterator[Any]:
    """Submit a task only when a process is free: a process that dies then leaves no full pipe."""
    running: set[Future[object]] = set()
    ahead: deque[Future[object]] = deque()
    for task in tasks:
        if len(running) == jobs:
            running = wait(running, return_when=FIRST_COMPLETED).not_done
        ahead.append(pool.submit(_do, task))
        running.add(ahead[-1])
        while ahead and (ahead[0].done() or len(ahead) == AHEAD * jobs):
            yield ahead.popleft().result()
    while ahead:
        yield ahead.popleft().result()


def _start_method() -> str:
    """Choose to fork only without other threads, whose locks nobody would release in the fork."""
    alone = threading.active_count() == 1
    return "fork" if sys.platform == "linux" and alone else "spawn"


def _begin(do: Work, here: Connection, there: Connection) -> None:
    """Prepare a process, which ends as soon as nobody holds the other end of its pipe."""
    there.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    _work[:] = [do]
    threading.Thread(target=_end_with, args=(here,), daemon=True).start()


def _end_with(connection: Connection) -> None:
    multiprocessing.connection.wait([connection])
    os._exit(1)


def _do(task: object) -> object:
    return _work[0](task)
