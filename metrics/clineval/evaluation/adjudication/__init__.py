"""Adjudication: apply the decisions of a reviewer to the files of a gold standard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from clineval.base.errors import InputError, agree, listed, one_line, warn
from clineval.base.files import (
    find_path,
    is_directory,
    list_directory,
    name_path,
    read_bytes,
)
from clineval.base.progress import track
from clineval.evaluation.adjudication.decisions import Remarks, read_remarks
from clineval.formats.by_name import find_format
from clineval.formats.editing import Edit, Known, Labels, Text, brat_lines, json_lines, pipe_lines
from clineval.formats.files import TextFile
from clineval.formats.given.texts import find_texts
from clineval.formats.writing import write_files
from clineval.results.challenge import Challenge
from clineval.results.registry import find_challenge
from clineval.results.tables import Sheet, Table

__all__ = ["Adjudicated", "Change", "adjudicate"]
_ENDINGS: Mapping[str, tuple[str, ModuleType]] = {
    "brat": (".ann", brat_lines),
    "jsonl": (".jsonl", json_lines),
    "pipe": (".pipe", pipe_lines),
}
_NOTHING = "–"
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Change:
    """A correction that was applied.

    Args:
        document: the name of the document.
        decision: ``gold wrong``, ``system right``, ``boundary`` or ``label``.
        before: the offsets and the class of the mention, and the slots that change or that
            distinguish it from others; empty if the mention is added.
        after: the same after the correction; empty if the mention is removed.
    """

    document: str
    decision: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, eq=False)
class Adjudicated:
    """A corrected gold standard.

    Args:
        changes: the changes, in the order of the remarks.
        undecided: the number of remarks without a decision.
        files: maps the name of each file to its content, including unchanged files.
    """

    changes: Sequence[Change]
    undecided: int
    files: Mapping[str, bytes]

    def sheet(self) -> Sheet:
        """Lay out the changes for the writers of :mod:`clineval.results.tables`."""
        rows = tuple(
            (of.document, of.decision, of.before or _NOTHING, of.after or _NOTHING)
            for of in self.changes
        )
        title = agree("{n} {correction|corrections}", len(rows))
        title += f", {agree('{n} {remark|remarks}', self.undecided)} without a decision"
        table = Table(title, ("decision", "before", "after"), rows)
        names = ("document", "decision", "before", "after")
        changes = [{name: getattr(of, name) for name in names} for of in self.changes]
        return Sheet(lambda: [table], lambda: {"changes": changes, "undecided": self.undecided})

    def write(self, directory: Path) -> None:
        """Write all files to a directory, which must be new or empty."""
        if is_directory(directory) and list_directory(directory):
            raise InputError(
                "the directory is not empty", where=name_path(directory), remedy="Pass a new one"
            )
        write_files(directory, self.files.items())


def adjudicate(
    gold: str | Path, remarks: str | Path, module: str | None = None, *, texts: object = None
) -> Adjudicated:
    """Apply the decisions in a file of remarks.

    Args:
        gold: the gold standard of the report, in brat, JSON Lines or pipe format.
        remarks: the file that the report exports, JSON or CSV.
        module: the metric; not needed for JSON, which names it.
        texts: the notes; brat needs them if they are not next to its files.

    Raises:
        InputError: a metric or format whose corrections cannot be written, or a decision about a
            mention that is not in the gold standard. Nothing is written then.
    """
    found = read_remarks(Path(remarks))
    module = module or found.module
    if module is None:
        raise InputError("CSV does not name the metric", where="--module", remedy="Pass it")
    labels = find_labels(find_challenge(module), found.config)
    for _, edit in found.edits:
        labels.check(edit)
    path = find_path(gold) or Path(gold)
    files = dict(_read_files(path))
    ending, editor = _find_editor(path)
    placed = _place(found, files, ending if is_directory(path) else "", editor)
    documents = [document for edits in placed.values() for document in edits]
    find_text = _read_once(documents, path, texts)
    corrected = {}
    for name, edits in track([*placed.items()], "correcting"):
        correct = partial(_correct, editor, edits, labels, find_text)
        corrected[name] = _try(name, _decode(files, name), correct).encode()
    if found.undecided:
        warn("{n} {remark has|remarks have} no decision", n=found.undecided)
    changes = [_describe(kind, edit) for kind, edit in found.edits]
    return Adjudicated(changes, found.undecided, {**files, **corrected})


def find_labels(challenge: Challenge, config: str = "default") -> Labels:
    """Find the labels and slots of a metric's mentions; reject a metric without mentions."""
    kind = challenge.kind_of(config)
    problem = f"{challenge.name} has no mentions whose corrections can be written"
    remedy = "Correct its gold standard by hand; the remarks list what to correct"
    kind.check("adjudicate", problem, remedy)
    slots, named = kind.slots(config), kind.class_slot
    classes = next((slot for slot in slots if named and slot.name == named.name), None)
    return Labels(classes, slots, kind.free, kind.triggers, kind.noted)


def can_be_corrected(challenge: Challenge, config: str = "default") -> bool:
    """Return whether a page shows a metric's mentions as they are in its files."""
    return "adjudicate" not in challenge.kind_of(config).lacks


def _find_editor(path: Path) -> tuple[str, ModuleType]:
    format_ = find_format(path)
    if format_ not in _ENDINGS:
        raise InputError(
            f"corrections can be written in {listed(list(_ENDINGS))}, not in {format_}",
            where=name_path(path),
            remedy="Convert it first: clineval convert",
        )
    return _ENDINGS[format_]


def _read_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of a directory's files, or of a single file."""
    if not is_directory(path):
        yield path.name, read_bytes(path)
        return
    names = sorted(name for name, is_file in list_directory(path) if is_file)
    for name in track(names, f"reading {name_path(path)}"):
        yield name, read_bytes(path / name)


def _place(
    remarks: Remarks, files: Mapping[str, bytes], ending: str, editor: ModuleType
) -> dict[str, dict[str, list[Edit]]]:
    """Map files to documents to corrections; reject corrections of unknown documents."""
    held = {
        _fold(document): (name, document)
        for name in track([*files], "finding documents")
        if name.endswith(ending)
        for document in _name_documents(name, _decode(files, name), editor)
    }
    placed: dict[str, dict[str, list[Edit]]] = {}
    for _, edit in remarks.edits:
        if _fold(edit.document) not in held:
            raise edit.refuse(
                "the gold standard has no such document",
                "Pass the gold standard of the report",
            )
        name, document = held[_fold(edit.document)]
        placed.setdefault(name, {}).setdefault(document, []).append(edit)
    return placed


def _name_documents(name: str, text: str, editor: ModuleType) -> Sequence[str]:
    """Return the names of a file's documents; a document without lines has the file's name."""
    stem = Path(name).stem
    found: Sequence[str] = [stem] if editor is brat_lines else _try(name, text, editor.names_in)
    return found or ([f"{stem}.txt"] if editor is pipe_lines else [])


def _correct(
    editor: ModuleType, edits: Mapping[str, Sequence[Edit]], labels: Labels, texts: Text, text: str
) -> str:
    corrected: str = editor.correct(text, edits, labels, texts)
    return corrected


def _try(name: str, text: str, read: Callable[[str], Found]) -> Found:
    """Read a file, and raise InputError if it does not follow its format."""
    try:
        return read(text)
    except InputError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError):
        raise InputError(
            "a line does not follow the format",
            where=one_line(name),
            remedy="Find it with clineval score",
        ) from None


def _fold(document: str) -> str:
    """Normalize a name as formats do: case, and the ending ``.txt``."""
    return document.lower().removesuffix(".txt")


def _decode(files: Mapping[str, bytes], name: str) -> str:
    """Return the text of a file; reject a file whose lines do not end with line feeds."""
    TextFile(one_line(name), None, files[name]).refuse_returns()
    try:
        return files[name].decode()
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=one_line(name)) from None


def _read_once(documents: Sequence[str], path: Path, texts: object) -> Text:
    """Return a function that finds texts, given or next to the annotations, and reads them once."""
    directory = path if is_directory(path) else path.parent
    given = texts if texts is not None else directory

    @cache
    def read_all() -> dict[str, str | None]:
        return dict(zip(documents, find_texts(documents, given, "texts"), strict=True))

    return lambda document: read_all()[document]


def _describe(kind: str, edit: Edit) -> Change:
    values = {**{name: (value, value) for name, value in edit.own.items()}, **edit.changed}
    slots = zip(*([f"{n}={v}" for v in both] for n, both in values.items()), strict=True)
    befores, afters = tuple(slots) or ((), ())
    return Change(edit.document, kind, _spell(edit.old, befores), _spell(edit.new, afters))


def _spell(known: Known | None, slots: Sequence[str]) -> str:
    return " ".join([str(known), *slots]) if known else ""
