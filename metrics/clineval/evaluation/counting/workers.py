"""Several processes that run the same function on one task after another, with results in order.

These are processes, not threads, because reading and parsing hold Python's lock most of the time.
On Linux they are forked, which takes milliseconds. On other systems they start anew and import
the modules that they need.
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
"""The most tasks for each process that are taken before the first result arrives."""
Work = Callable[[Any], object]
_work: list[Work] = []
"""The function that a process applies to its tasks; it is too large to send with each task."""


def usual_jobs() -> int:
    """Return the number of cores, or 1 if processes cannot be forked.

    Processes that start anew run the first lines of the program again, so they are used only on
    request.
    """
    if _start_method() != "fork":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_order(
    do: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Yield what ``do`` returns for each task, in the order of the tasks.

    Args:
        do: the function to call in the processes. It must be picklable unless they are forked.
        tasks: the tasks, taken one by one as processes become free.
        jobs: the number of processes; 1 runs everything in this process.

    Raises:
        RuntimeError: a process ended early.
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
        raise RuntimeError("a process ended early; is there enough memory?") from None
    finally:
        there.close()  # ends the processes, even in the middle of a task
        pool.shutdown(cancel_futures=True)
        here.close()


def _run(pool: ProcessPoolExecutor, tasks: Iterable[object], jobs: int) -> Iterator[Any]:
    """Submit a task only if a process is free, so that a dying process leaves no full pipe."""
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
    """Choose fork only without other threads, because nothing releases their locks in the fork."""
    alone = threading.active_count() == 1
    return "fork" if sys.platform == "linux" and alone else "spawn"


def _begin(do: Work, here: Connection, there: Connection) -> None:
    """Prepare a process. It ends as soon as the other end of its pipe is closed."""
    there.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    _work[:] = [do]
    threading.Thread(target=_end_with, args=(here,), daemon=True).start()


def _end_with(connection: Connection) -> None:
    multiprocessing.connection.wait([connection])
    os._exit(1)


def _do(task: object) -> object:
    return _work[0](task)
