"""Messages of the library in the words of the command line: ``--keep-going`` for ``keep_going``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import typer
import typer.main


def find_flags(app: typer.Typer, words: Sequence[str]) -> dict[str, str]:
    """Map the names of a command's options in Python to its flags.

    ``words`` are the words of the command line. A name that is one of these words is left out,
    because a message that begins with this name may be about a file.
    """
    command = typer.main.get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    return {
        parameter.name: parameter.opts[0]
        for parameter in command.params
        if parameter.param_type_name == "option" and parameter.name and parameter.name not in words
    }


def use_flags(message: str, flags: Mapping[str, str]) -> str:
    """Replace the names of options in a message by their flags.

    Examples:
        >>> flags = {"labels": "--labels", "texts": "--text", "protocol": "--protocol"}
        >>> use_flags("labels: two are alike. Leave one out with labels=", flags)
        '--labels: two are alike. Leave one out with --labels'
        >>> use_flags("no text. Pass texts=, or protocol='spec'", flags)
        'no text. Pass --text, or --protocol spec'
        >>> use_flags("labels are not given. Pass labels=[...]", flags)
        'labels are not given. Pass --labels'
        >>> use_flags("no text. Pass it (texts=, --text DIR)", flags)
        'no text. Pass it (--text DIR)'
    """
    names = "|".join(map(re.escape, flags))
    if not names:
        return message

    def write(found: re.Match[str]) -> str:
        value = found["value"]
        return flags[found["name"]] + (f" {value}" if value else "")

    named = rf"(?<![\w./-])(?P<name>{names})=(?:'(?P<value>[^']*)'|\[\.\.\.\]|(?![\w'\[]))"
    message = re.sub(r"(--[\w-]+), (?=\1 )", "", re.sub(named, write, message))
    return re.sub(rf"\A({names})(?=: )", lambda found: flags[found[1]], message)
