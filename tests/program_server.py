"""Runs a program again and again: imports it once, then forks a process for every call.

Arguments: the function that the program calls, such as ``clineval.cli:main``, and command lines for
first calls, as programs import most when they are called. Then each line of JSON on standard input
is a call, which a line with the exit status answers.
"""

import atexit
import contextlib
import gc
import io
import json
import os
import sys
import traceback
from importlib import import_module
from pathlib import Path


def main(function, *first):
    """Serve until standard input ends; in a process for a call, run it."""
    module, _, name = function.partition(":")
    program = getattr(import_module(module), name)
    for words in first:
        sys.argv = ["", *words.split()]
        with _hushed(), contextlib.suppress(SystemExit):
            program()
    gc.collect()
    gc.freeze()  # else each process copies what its collector looks at
    for line in sys.stdin:
        child = os.fork()
        if not child:
            become(**json.loads(line))
            end(program)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


@contextlib.contextmanager
def _hushed():
    """Keep what first calls print."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        yield


def end(program):
    """Run the program and end as it says, without taking the interpreter apart first."""
    try:
        status = program()
    except SystemExit as ended:
        status = ended.code
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
        status = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status or 0)


def become(arguments, folder, environment, files):
    """What a process is given when it starts."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, path in enumerate(files):
        os.dup2(os.open(path, os.O_RDWR), number)
    sys.argv = arguments


if __name__ == "__main__":
    sys.path[0] = str(Path(sys.executable).parent)
    sys.path.append(str(Path(__file__).with_name("served")))  # programs of the tests
    main(*sys.argv[1:])
