"""Command lines made of the commands' own parameters."""

from functools import cache

import typer
from hypothesis import strategies as st

from clineval import cli
from clineval.results.registry import find_challenge
from fuzz.mutations import NUMBERS, WORDS

COMMANDS = (
    "score", "compare", "errors", "agreement", "validate", "convert", "describe", "report",
    "prevalence", "card-results", "eval-yaml", "power", "list", "demo", "space build",
)  # fmt: skip
"""All but the scripts' own, of which a challenge has its, and those that serve a page or talk to
the Hub."""
VALUES = st.sampled_from([
    *(word for word in WORDS if len(word) < 100 and "\0" not in word and word.isprintable()),
    *("b" * 5000, f"A={'b' * 5000}", "A=", "=A", "A=.,.", "A=b.pipe,", ".", ""),
])  # fmt: skip
NUMERALS = st.sampled_from([str(n) for n in NUMBERS if len(str(n)) < 30])


@cache
def program_for(name):
    """The command line, with the options that it has where a challenge is named."""
    every = [*cli.COMMANDS, *cli.GROUPS]
    return typer.main.get_command(cli.assemble(every, [find_challenge(name)], whole=True))


def commands_of(name):
    """The commands by the words that call them."""
    own = [f"official {script}" for script in find_challenge(name).faces.commands]
    return {words: _find_command(program_for(name), words) for words in (*COMMANDS, *own)}


def _find_command(program, words):
    """A command, or one of a group of commands."""
    for word in words.split():
        program = program.commands[word]
    return program


@st.composite
def command_lines(draw, name, files):
    """A command with a few of its options, which may be wrong."""
    commands = commands_of(name)
    command = draw(st.sampled_from(sorted(commands)))
    words = command.split()
    if command == "report" and draw(st.booleans()):
        words.append("--no-text")
    for parameter in commands[command].params:
        if parameter.param_type_name == "argument":
            many = draw(st.integers(1, 3)) if parameter.nargs == -1 else 1
            words += [_argument(draw, parameter.name, name, files) for _ in range(many)]
        elif "help" not in parameter.name and _is_given(draw, parameter):
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


def _is_given(draw, parameter):
    """Seldom, but for those without which a command says no more than that."""
    return draw(st.integers(0, 15)) in (range(1, 16) if parameter.required else range(1))


def _option(draw, parameter, files):
    flag = draw(st.sampled_from([*parameter.opts, *parameter.secondary_opts]))
    if getattr(parameter, "is_flag", False):
        return [flag]
    choices = getattr(getattr(parameter, "type", None), "choices", ())
    if choices and draw(st.integers(0, 4)):
        return [flag, str(draw(st.sampled_from(sorted(map(str, choices)))))]
    if parameter.required and draw(st.integers(0, 3)):
        return [
            flag,
            "1" if parameter.name in ("run", "name") else draw(st.sampled_from(files[:2])),
        ]
    value = draw(NUMERALS | VALUES | st.sampled_from(files))
    return [flag, _within_reason(value)]


def _within_reason(value):
    """Numbers of resamples and the like that are only slow tell nothing."""
    return value[:2] if value.isdecimal() else value
