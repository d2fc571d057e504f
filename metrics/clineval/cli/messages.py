"""Messages of the library in the words of the command line: ``--keep-going`` for ``keep_going``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import typer
import typer.main

from clineval.results.registry import all_challenges, is_known


def explain_missing(flag: str, words: Sequence[str]) -> str:
    """Return what the module of a command lacks, and which modules have an option; or nothing.

    Examples:
        >>> explain_missing("--hierarchy", ["clinical_relations", "gold", "system"])[:74]
        '. clinical_relations has no scores of codes by a hierarchy. Modules with t'
        >>> explain_missing("--colour", ["clinical_relations"])
        ''
    """
    module = next(filter(is_known, words), "")
    owners: dict[str, str] = {}
    for challenge in all_challenges() if module else ():
        for option in challenge.options:
            if option.spelled == flag and option.gives:
                owners[challenge.name] = option.gives
    if not owners or module in owners:
        return ""
    lacking, known = next(iter(owners.values())), ", ".join(sorted(owners))
    return f". {module} has no {lacking}. Modules with them: {known}"


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
