"""Read mentions, from files or Python, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from clineval.base.errors import InputError, listed, read_all, warn
from clineval.base.files import Source, find_path, is_directory, name_path
from clineval.formats import jsonl, looks
from clineval.formats.delimited import pipe
from clineval.formats.delimited.lines import check_together
from clineval.formats.files import TextFile, names_in, read_text_files
from clineval.formats.given.forms import Items, Lines, open_given
from clineval.kinds.mentions.columns import Side
from clineval.results.slots import Slot

if TYPE_CHECKING:  # each form of input imports its reader
    from clineval.formats.conll.lines import Tagging
    from clineval.formats.dicts import Record
    from clineval.formats.given.documents import GivenDocuments


class TextFormat(Protocol):
    """A module that reads a challenge's own text format."""

    @property
    def FILES(self) -> str:  # noqa: N802 - a constant of the module
        """Regular expression for the names of files in directories."""
        ...

    @property
    def UNREAD(self) -> AbstractSet[str]:  # noqa: N802 - a constant of the module
        """Slots that are ignored if mentions in other forms have them."""
        ...

    def document_key(self, name: str) -> str:
        """Return the key that pairs the documents of two sides in any form."""
        ...

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read files; documents are paired by name."""
        ...

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string for each document; documents are paired by position."""
        ...


class LineFormat(TextFormat, Protocol):
    """A text format whose lines can be checked one by one."""

    def check_files(self, files: Sequence[TextFile], slots: Sequence[Slot]) -> None:
        """Reject files that are not valid as a submission."""
        ...


@runtime_checkable
class AsSide(Protocol):
    """An object that converts itself to a side, such as the answers of a model."""

    def as_side(self, slots: Sequence[Slot], unread: AbstractSet[str]) -> Side:
        """Return the side with these slots; ignore the slots ``unread``."""
        ...


def read_side(  # noqa: PLR0913 - what differs between challenges
    given: object,
    slots: Sequence[Slot],
    *,
    strict: bool,
    side: str,
    text_format: TextFormat = pipe,
    tagging: Tagging | None = None,
    relations: str = "",
) -> Side:
    """Read one side.

    Args:
        given: a path of files in the challenge's format or of JSON Lines; one string in that
            format; a list with an item for each document; or a side that has been read, or an
            :class:`AsSide`. An item is a list of dicts, a dict with ``mentions`` and optionally
            ``id``, a :class:`~clineval.Document`, or a string in the format or of JSON.
        slots: the slots to read.
        strict: whether to check text by the format; otherwise accept what the released scripts
            accept.
        side: ``predictions`` or ``references``, for messages.
        text_format: reads the challenge's format; by default the pipe format.
        tagging: how to read files of words with tags; None to reject them. The first slot takes
            the labels.
        relations: why relations of documents are ignored, for a warning; empty for no warning.
    """
    if tagging:
        from clineval.formats.conll.documents import is_tagged

        if is_tagged(given, text_format.FILES, tagging):
            return _read_tagged(given, slots, text_format, tagging)
    if not isinstance(given, (list, tuple)) and isinstance(given, AsSide):  # which is slow
        return _with_keys(given.as_side(slots, text_format.UNREAD), text_format)
    if isinstance(given, Side):
        return _with_keys(given, text_format)

    def read_files(source: Source) -> Side:
        _refuse_unheld(slots, text_format, find_path(source, "|") or "")
        return text_format.read_side(source, slots, strict=strict)

    def read_strings(strings: Sequence[str]) -> Side:
        _refuse_unheld(slots, text_format, "")
        return text_format.read_strings(strings, slots, strict=strict)

    def read_lines(lines: Lines) -> Side | None:
        from clineval.formats.given.mention_lines import read_mentions

        found = read_mentions(lines, slots, text_format.UNREAD)
        return found and _finish(*found, text_format, relations)

    return open_given(
        given,
        side,
        Side,
        read_files=read_files,
        read_lines=read_lines,
        read_items=partial(_read_items, slots=slots, text_format=text_format, why=relations),
        read_strings=read_strings,
        lines_beside=text_format.FILES,
        separator="|",
    )


def _read_items(
    items: Items, slots: Sequence[Slot], text_format: TextFormat, why: str = ""
) -> Side:
    from clineval.formats.dicts import read_records
    from clineval.formats.given.documents import GivenDocuments

    documents = GivenDocuments.of(items, coded=any(slot.kind == "code" for slot in slots))
    names, unread = documents.names or (), text_format.UNREAD
    try:
        side = read_records(documents.mentions, slots, names=names, side=items.side, unread=unread)
    except InputError:
        if items.places:  # raise all errors, with their lines
            _check_mentions(documents, slots, unread)
        raise
    ignored = sum(map(len, documents.relations))
    return _finish(documents.finish(side), ignored, text_format, why)


def _finish(side: Side, relations: int, text_format: TextFormat, why: str) -> Side:
    """Warn about relations that are ignored for a reason, and fold the names of documents."""
    if why:
        warn("{n} {relation|relations} of documents {is|are} ignored, because " + why, n=relations)
    return _with_keys(side, text_format)


def _read_tagged(
    source: Source, slots: Sequence[Slot], text_format: TextFormat, tagging: Tagging
) -> Side:
    from clineval.formats.conll.documents import read_tagged

    found, words = read_tagged(source, tagging)
    values = [document.as_dict(slots[0].name) for document in found]
    items = Items(values, "", [document.place for document in found])
    return replace(_read_items(items, slots, text_format), words=words)


def _check_mentions(
    documents: GivenDocuments, slots: Sequence[Slot], unread: AbstractSet[str]
) -> None:
    read_all(
        partial(_check_mention, mention, f"{where}, mention {number}", slots, unread)
        for where, mentions in zip(documents.place.places, documents.mentions, strict=True)
        for number, mention in enumerate(mentions)
    )


def _check_mention(
    mention: Record, where: str, slots: Sequence[Slot], unread: AbstractSet[str]
) -> None:
    from clineval.formats.dicts import read_records

    try:
        read_records([[mention]], slots, unread=unread)
    except InputError as error:
        raise InputError(error.problem, where=where) from None


def _refuse_unheld(slots: Sequence[Slot], text_format: TextFormat, path: Path | str) -> None:
    """Reject text if only the pipe format is available and it does not contain the slots."""
    held = {slot.name for slot in pipe.SLOTS}
    lacking = [slot.name for slot in slots if slot.kind != "code" and slot.name not in held]
    if text_format is pipe and lacking:
        names = names_in(path) if is_directory(path) else [str(path)]
        raise InputError(
            f"expected JSON Lines of documents, because no other format contains {listed(lacking)}",
            where=name_path(path) if path else "",
            remedy=looks.say(looks.by_names(names)),
        )


def _with_keys(side: Side, text_format: TextFormat) -> Side:
    """Fold the names of documents as the challenge's own format does, unless two become equal."""
    if side.keys is None:
        return side
    keys = tuple(map(text_format.document_key, side.keys))
    return replace(side, keys=keys) if len(set(keys)) == len(keys) else side


def check(source: Source, slots: Sequence[Slot], text_format: LineFormat = pipe) -> None:
    """Reject files in JSON Lines, or in the challenge's own format, that are not valid."""
    if jsonl.is_jsonl(source, text_format.FILES):
        read_side(source, slots, strict=True, side="", text_format=text_format)
        return
    files = read_text_files(source, pattern=text_format.FILES, separator="|")
    check_together(files, partial(text_format.check_files, slots=slots))
