"""The installed programs, each call in a process of its own that has the imports behind it."""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

PROGRAMS = {
    "clineval": (
        "clineval.cli:main", "demo semeval15_task14", "--help", "official --help",
        "official distemist-2022 -g nowhere -p nowhere -s ner",
    ),
    "eager": ("eager_progress:main", "demo semeval15_task14"),
    "spacy": ("spacy.cli:setup_cli", "clin presets"),
}  # fmt: skip


def leave_unmeasured():
    """The environment of a process whose files are limited: coverage would write one too."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COV")}


def run_clineval(*arguments, **options):
    """``clineval`` with some arguments; see :func:`run_program`."""
    return run_program("clineval", *arguments, **options)


def run_program(program, *arguments, cwd=".", env=None, status=0):
    """Run a program; checks its exit status."""
    done = call_program(program, *arguments, cwd=cwd, env=env)
    assert done.returncode == status, done.stderr
    return done


def call_program(program, *arguments, cwd=".", env=None):
    """Run a program, however it ends."""
    with TemporaryDirectory() as written:
        outputs = {name: Path(written, name) for name in ("stdout", "stderr")}
        for path in outputs.values():
            path.touch()
        ended = send(program, arguments, [os.devnull, *outputs.values()], cwd=cwd, env=env)
        said = {name: path.read_text("utf-8") for name, path in outputs.items()}
    return subprocess.CompletedProcess([program, *map(str, arguments)], ended, **said)


def send(program, arguments, files, *, cwd=".", env=None):
    """Run a program with these files as input, output and error; return its exit status."""
    call = {
        "arguments": [program, *map(str, arguments)],
        "folder": str(Path(cwd).resolve()),
        "environment": dict(os.environ if env is None else env),
        "files": list(map(str, files)),
    }
    server = start(program)
    print(json.dumps(call), file=server.stdin, flush=True)
    return int(server.stdout.readline())


@cache
def start(program):
    """The process that the calls are forked from; ends with this one."""
    server = Path(__file__).with_name("program_server.py")
    process = subprocess.Popen(
        [sys.executable, server, *PROGRAMS[program]],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    atexit.register(process.communicate)
    return process


def shell(commands, cwd):
    """What commands print, run by bash with the installed programs; they must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", commands], cwd=cwd, env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
