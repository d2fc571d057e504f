"""Runs a program again and again: imports it once, then forks a process for every call.

Arguments: the function that the program calls, such as ``clineval.cli:main``, and arguments for a
first call, as programs import most when they are called. Then each line of JSON on standard input
is a call, which a line with the exit status answers.
"""

import contextlib
import io
import json
import os
import sys
from importlib import import_module
from pathlib import Path


def main(function, *first):
    """Serve until standard input ends; in a process for a call, run it."""
    module, _, name = function.partition(":")
    program = getattr(import_module(module), name)
    sys.argv = ["", *first]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        program()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            become(**json.loads(line))
            sys.exit(program())
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


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
    main(*sys.argv[1:])
