"""Command lines made of the commands' own parameters, on good, mutated and absent files."""

import os
import shutil
import warnings
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
import typer
from commands import invoke
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from clineval import InputError, InputWarning
from clineval.cli import make_app
from clineval.registry import NAMES, find_challenge
from fuzz.contract import FUZZ, judge_message
from fuzz.mutations import NUMBERS, WORDS, mutated_texts
from fuzz.test_python import demo_sides, texts_of

COMMANDS = (
    "score", "compare", "errors", "agreement", "validate", "convert", "describe", "report",
    "prevalence", "card-results", "power",
)  # fmt: skip
"""All but those that serve pages, talk to the Hub, or have a released script's own grammar."""
VALUES = st.sampled_from([w for w in WORDS if len(w) < 100 and "\0" not in w and w.isprintable()])
NUMERALS = st.sampled_from([str(n) for n in NUMBERS if len(str(n)) < 30])


@contextmanager
def inside(folder):
    """``contextlib.chdir`` of Python 3.11."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@cache
def commands_of(name):
    """The commands, with the options that they have where a challenge is named."""
    return typer.main.get_command(make_app([name])).commands


@st.composite
def command_lines(draw, name, files):
    """A command with a few of its options, which may be wrong."""
    command = draw(st.sampled_from(COMMANDS))
    words = [command, *(["--no-text"] if command == "report" and draw(st.booleans()) else [])]
    for parameter in commands_of(name)[command].params:
        if parameter.param_type_name == "argument":
            many = draw(st.integers(1, 3)) if parameter.nargs == -1 else 1
            words += [_argument(draw, parameter.name, name, files) for _ in range(many)]
        elif draw(st.integers(0, 15)) == 0 and "help" not in parameter.name:
            words += _option(draw, parameter, files)
    return words


def _argument(draw, called, name, files):
    if called in ("module", "metric") and draw(st.integers(0, 9)):
        return name
    if called == "gold" and draw(st.integers(0, 4)):
        return files[0]
    if draw(st.integers(0, 2)):
        return files[1]
    return draw(st.sampled_from(files) | VALUES)


def _option(draw, parameter, files):
    flag = draw(st.sampled_from([*parameter.opts, *parameter.secondary_opts]))
    if getattr(parameter, "is_flag", False):
        return [flag]
    choices = getattr(getattr(parameter, "type", None), "choices", ())
    if choices and draw(st.integers(0, 4)):
        return [flag, str(draw(st.sampled_from(sorted(map(str, choices)))))]
    value = draw(NUMERALS | VALUES | st.sampled_from(files))
    return [flag, _within_reason(value)]


def _within_reason(value):
    """Numbers of resamples and the like that are only slow tell nothing."""
    return value[:2] if value.isdecimal() else value


@pytest.mark.parametrize("name", NAMES)
@settings(FUZZ, phases=[Phase.generate])  # to make a finding smaller takes too many runs
@given(data=st.data())
def test_every_command(name, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("in")
    bad = folder / "bad.pipe"
    bad.write_bytes(data.draw(mutated_texts(texts_of(name)[1])))
    demos = tmp_path_factory.mktemp("demo") / name
    shutil.copytree(find_challenge(name).corpora, demos)  # a command may write to them
    sides = [str(demos / path) for path in demo_sides(name)]
    files = [*sides, str(bad), str(folder), str(folder / "absent")]
    words = data.draw(command_lines(name, files))
    before = set(folder.rglob("*"))
    with inside(tmp_path_factory.mktemp("at")):
        with warnings.catch_warnings():  # the program prints them
            warnings.simplefilter("ignore", InputWarning)
            done = invoke(words)
        written = [path for path in os.scandir(".") if path.name.startswith(".")]
    told = done.exception
    if isinstance(told, InputError):  # the program prints it and ends with status 2
        judge_message(str(told), told=False)
    else:
        assert told is None or isinstance(told, SystemExit), words
        assert done.exit_code in (0, 1, 2), words
    assert "Traceback" not in done.output
    assert "\x1b" not in done.output
    assert not written
    assert set(folder.rglob("*")) - before <= {folder / "absent"} or "absent" in " ".join(words)
