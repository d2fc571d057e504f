"""Calls of the stand-ins of released programs, made of those in the challenges' cards."""

import shlex
from dataclasses import dataclass, replace
from functools import cache

from canary import NOTE
from hypothesis import strategies as st
from pages import code_of

from clineval.results.registry import NAMES, find_challenge
from fuzz.command_lines import program_for
from fuzz.mutations import mutated

FOLDERS = ("out", "out/", "./out", "out/deeper/still", "two words", "ñandú", ".")
"""Where results may be written, below the working directory."""
VALUES = {
    ("distemist-2022", "-s"): ("ner", "norm"), ("livingner-2022", "-s"): ("ner", "norm"),
    ("symptemist-2023", "-t"): ("ner", "norm"), ("medprocner-2023", "-t"): ("ner", "norm"),
    ("semeval15-task1", "-r"): ("1", "2", "3"), ("semeval15-task2", "-t"): ("A", "B"),
    ("semeval15-task2", "-r"): ("1", "2", "3"), ("clefehealth13-task1", "-r"): ("1", "2"),
    ("clefehealth13-task1", "-t"): ("1a", "1b"), ("i2b2-2010", "-ft"): ("con", "rel", "all"),
    ("n2c2-2022-track2", "--trigger"): ("exact", "overlap", "min_dist"),
    ("multiclinai-2026", "--entity"): ("DISEASE", "SYMPTOM", "PROCEDURE"),
}  # fmt: skip
"""Values of options that the cards' calls may have instead."""
MORE = {
    "toxhabits25": "toxhabits-2025 -g demo/toxhabits25/gold.tsv -p demo/toxhabits25/tagger.tsv "
    "-s ner -c demo/cantemist20/codes.tsv",
    "livingner22": "livingner-2022 -g demo/livingner22/gold_app.tsv "
    "-p demo/livingner22/tagger_app.tsv -s app",
    "medprocner23": "medprocner-2023 -r demo/medprocner23/gold_index.tsv "
    "-p demo/medprocner23/tagger_index.tsv -t index -o .",
}
"""Calls that no card shows."""
ALL = [name for name in NAMES if find_challenge(name).faces.scripts]


@dataclass(frozen=True)
class Call:
    """A call of a stand-in.

    Args:
        words: of the command line after ``clineval official``, without where results are written.
        flag: the option that says where; empty if all is printed.
        default: where they are without it; None if nothing is written then, or it is required.
    """

    words: tuple[str, ...]
    flag: str = ""
    default: str | None = None

    @property
    def inputs(self):
        """The words that are paths in the demo corpora."""
        return [word for word in self.words if word.startswith("demo/")]

    @property
    def default_folder(self):
        """Where results are without the option, below the working directory."""
        return "." if self._names_a_file else self.default

    @property
    def _names_a_file(self):
        return str(self.default).endswith(".csv")

    def into(self, folder):
        """The words that have the results written into a folder."""
        if not self.flag:
            return []
        path = f"{folder.rstrip('/')}/{self.default}" if self._names_a_file else folder
        return [self.flag, path]


@cache
def calls_of(name):
    """What a challenge's card shows, with paths in a folder ``demo/NAME``; and more."""
    blocks = code_of(f"hub_cards/{name}/README.md", "sh")
    shown = [
        line.removeprefix("clineval official ")
        for block in blocks
        for line in block.splitlines()
        if line.startswith("clineval official ")
    ]
    assert shown, "a card shows its stand-in"
    more = [MORE[name]] if name in MORE else []
    return [_as_call(name, shlex.split(line)) for line in (*shown, *more)]


def _as_call(name, words):
    own = {"gold": f"demo/{name}/gold.pipe", "system": f"demo/{name}/tagger.pipe"}
    words = [own.get(word, word) for word in words]
    command = program_for(name).commands["official"].commands[words[0]]
    output = next((option for option in command.params if option.name == "output"), None)
    if output is None:
        return Call(tuple(words))
    flag = output.opts[0]
    if flag in words:
        at = words.index(flag)
        words = [*words[:at], *words[at + 2 :]]
    return Call(tuple(words), flag, None if output.required else output.default)


@st.composite
def calls(draw, name):
    """A call, with values of its options that are others and good."""
    call = draw(st.sampled_from(calls_of(name)))
    words = list(call.words)
    for at, word in enumerate(words[:-1]):
        if known := VALUES.get((words[0], word)):
            words[at + 1] = (
                draw(st.sampled_from(known)) if words[at + 1] in known else words[at + 1]
            )
    return replace(call, words=tuple(words))


@st.composite
def damaged(draw, path, good):
    """Bytes of a file, with the note for the words of mentions, and something wrong."""
    noted = _with_note(path, good)
    how = draw(st.sampled_from(["ends", "ends", "first line", "empty", "mutated", "one row"]))
    if how == "mutated":
        return draw(mutated(path, good, noted=False))
    if how == "empty":
        return b""
    if how == "first line":
        return noted.partition("\n")[0].encode()
    ends = ["\r"] if how == "ends" else ["\t", "\r\t", "\x0b", " "]
    return noted.replace("\n", draw(st.sampled_from(ends))).encode()


def _with_note(path, good):
    """The note in the cell of a table, or of brat's lines, that holds words of a mention."""
    first, *others = rows = [line.split("\t") for line in good.splitlines() or [""]]
    words = {"span", "text"}.intersection(first)
    if path.endswith(".ann"):
        rows = [[*row[:2], NOTE] if len(row) > 2 else row for row in rows]
    elif words:
        at = first.index(min(words))
        rows = [first, *([*row[:at], NOTE, *row[at + 1 :]] for row in others)]
    return "".join("\t".join(row) + "\n" for row in rows)
