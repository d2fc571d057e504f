"""Read entries and evaluation sets in all accepted forms.

For speed, dicts become columns one field at a time. Entries are checked one by one only to locate a
fault.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain

import numpy as np

from clineval.base.arrays import Coded, FloatArray, IntArray
from clineval.base.errors import InputError, called, located, shown, warn
from clineval.base.files import Source, name_path, read_json
from clineval.formats.dict_spans import Place
from clineval.formats.entry_lines import FILES, MARK, read_columns
from clineval.formats.files import from_string, read_text_files
from clineval.formats.given.forms import Items, open_given
from clineval.formats.given.texts import find_texts
from clineval.kinds.entries.columns import (
    EntryColumns,
    EntrySide,
    RecordLines,
    number_tokens,
    position,
)
from clineval.kinds.entries.entry import (
    FIELDS,
    GENRES,
    LARGEST,
    REMARKS,
    SETS,
    Entry,
    EntryDict,
)

_KNOWN = frozenset({*FIELDS, *REMARKS, "ln"})
Fragments = tuple[IntArray, IntArray, IntArray]


def read_side(given: object, side: str) -> EntrySide:
    """Read one side.

    Args:
        given: a path of ``*.i2b2.entries`` files; the text of one record; or for each record a
            list of dicts, a list of ``Entry`` objects, or text; or a mapping from the names of
            records to lists of dicts.
        side: ``predictions`` or ``references``, for messages.

    Returns:
        The entries; records of files and mappings are paired by name, all others by position.
    """

    def read_files(source: Source) -> EntrySide:
        files = list(read_text_files(source, pattern=FILES, separator=MARK))
        names = tuple(file.stem or "" for file in files)
        return EntrySide(names, names if any(names) else None, read_columns(files))

    def read_strings(records: Sequence[str]) -> EntrySide:
        files = [from_string(f"{side}, record {i}", text) for i, text in enumerate(records)]
        return EntrySide(("",) * len(files), None, read_columns(files))

    def read_items(items: Items) -> EntrySide:
        records = items.values
        plain = [list(map(_as_dict, r)) if isinstance(r, (list, tuple)) else r for r in records]
        return read_dicts(plain, side=side)

    def read_named(records: Mapping[str, object]) -> EntrySide:
        names = tuple(records)
        found = read_dicts([*records.values()], side=side, names=names)
        return replace(found, documents=names, keys=names)

    return open_given(
        given,
        side,
        EntrySide,
        read_files=read_files,
        read_items=read_items,
        read_strings=read_strings,
        read_named=read_named,
        wanted="a list with one item for each record",
    )


def check(source: Source, records: object = None) -> None:
    """Reject files of entries that break the format.

    Args:
        source: a file, whatever its name, or a directory.
        records: the records' texts, as a mapping from record name to text or as a directory. With
            None, the texts are unknown and no field may cross lines.
    """
    files = list(read_text_files(source, pattern=FILES, separator=MARK))
    names = tuple(file.stem or "" for file in files)
    texts = [None] * len(names) if records is None else find_records(names, records)
    number_tokens([read_columns(files)], RecordLines.of(texts), strict=True)


def find_records(names: tuple[str, ...], records: object) -> Sequence[str | None]:
    """Return the records' texts; warn about records without a text, which is None."""
    texts = find_texts(names, records, "records")
    warn(
        "{n} {record has no text, so its|records have no text, so their} offsets are not checked "
        "against a text: {names}",
        [name for name, text in zip(names, texts, strict=True) if text is None],
    )
    return texts


def _as_dict(entry: object) -> object:
    return entry.as_dict() if isinstance(entry, Entry) else entry


def read_dicts(
    records: Sequence[object], *, side: str = "", names: Sequence[str] = ()
) -> EntrySide:
    """Read entries that are given as dicts.

    Args:
        records: for each record its entries: ``{"m": {"text": ..., "offsets": [[line, token,
            line, token], ...]}, "do": ..., "ln": "list"}``; a field that is not mentioned is
            None or left out.
        side: ``predictions`` or ``references``, for messages.
        names: the records' names, for messages.

    Raises:
        InputError: names the side, the record, the entry and the field.

    Examples:
        >>> lantus = {"m": {"text": "lantus", "offsets": [[6, 1, 6, 1]]}, "ln": "list"}
        >>> len(read_dicts([[lantus], []]).entries)
        1
    """
    place = Place(side, names, documents="record", mentions="entry")
    entries: list[EntryDict] = []
    for number, record in enumerate(records):
        if not isinstance(record, (list, tuple)):
            raise InputError(
                f"expected a list of entries, got {shown(record)}",
                where=place.document(number),
                remedy="Give one list of entries for each record",
            )
        place.sizes.append(len(record))
        entries += record
    try:
        columns = _read_fragments(entries)
        sound = _is_sound(entries, columns)
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        sound = False
    if not sound:
        entries = _judged(entries, place)
        columns = _read_fragments(entries)
    return EntrySide(("",) * len(records), None, _arrange(entries, columns, place))


def _arrange(entries: Sequence[EntryDict], fragments: Fragments, place: Place) -> EntryColumns:
    owner, field, numbers = fragments
    order = np.lexsort((field, owner))
    first_line, first, last_line, last = numbers[order].T
    return EntryColumns(
        np.repeat(np.arange(len(place.sizes), dtype=np.int32), place.sizes),
        np.searchsorted(owner[order], np.arange(len(entries) + 1)),
        field[order],
        position(first_line, first),
        position(last_line, last),
        Coded.of([entry.get("ln") or "" for entry in entries]),
        np.arange(len(entries)),
        place.mention,
    )


def _read_fragments(entries: Sequence[EntryDict]) -> Fragments:
    """Read the entry, the field and the four numbers of each fragment, field by field."""
    owners, fields, tables = [], [], []
    for number, tag in enumerate(FIELDS):
        values = [entry.get(tag) for entry in entries]
        given = [row for row, value in enumerate(values) if value is not None]
        offsets = [values[row]["offsets"] for row in given]  # type: ignore[index]
        counts = np.fromiter(map(len, offsets), np.int64, len(offsets))
        fragments = list(chain.from_iterable(offsets))
        numbers = list(chain.from_iterable(fragments))
        others = set(map(type, numbers)) - {int}
        whole = all(issubclass(kind, np.integer) for kind in others)
        if not counts.all() or set(map(len, fragments)) - {4} or not whole:
            raise ValueError(tag)
        owners.append(np.repeat(np.array(given, np.int64), counts))
        fields.append(np.full(len(fragments), number))
        tables.append(np.array(numbers, np.int64).reshape(-1, 4))
    return np.concatenate(owners), np.concatenate(fields), np.concatenate(tables)


def _is_sound(entries: Sequence[EntryDict], columns: Fragments) -> bool:
    """Return whether all entries are valid under any protocol."""
    owner, field, numbers = columns
    if not set(chain.from_iterable(entries)) <= _KNOWN:
        return False
    if numbers.size and (numbers.min() < 0 or numbers.max() > LARGEST):
        return False
    if {entry.get("ln") for entry in entries} - {None, *GENRES}:
        return False
    return len(np.unique(owner[field == 0])) == len(entries)


def _judged(entries: Sequence[object], place: Place) -> list[EntryDict]:
    """Check the entries one by one; raise the first error, or return them as plain dicts."""
    plain: list[EntryDict] = []
    for row, entry in enumerate(entries):
        if not isinstance(entry, Mapping):
            raise InputError(f"expected a dict, got {shown(entry)}", where=place.mention(row))
        plain.append(located(place.mention(row), Entry.from_dict, entry).as_dict())
    return plain


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationSets:
    """The assignment of documents to evaluation sets.

    Args:
        members: for each set ``[documents]``, 1 for members and 0 for others; empty without sets.
        label: a digest of the assignment, for the signature.
    """

    members: Mapping[str, FloatArray]
    label: str


def read_sets(given: object, names: Sequence[str]) -> EvaluationSets:
    """Read the option ``evaluation_sets``.

    Args:
        given: a mapping from document name to set, the path of a JSON file with the mapping, one
            set for each document in order, or None.
        names: the names of the documents.

    Raises:
        InputError: the value has another form, or a set is unknown.

    Examples:
        >>> chosen = read_sets({"11": "A", "12": "B"}, ["11", "12"])
        >>> chosen.members["B"].tolist(), chosen.label
        ([0.0, 1.0], '3e7f82')
    """
    if given is None:
        return EvaluationSets({}, "none")
    of_document = _as_mapping(given, names)
    for name, letter in of_document.items():
        if letter not in SETS:
            raise InputError(
                f"expected one of the sets {', '.join(SETS)}, got {shown(letter)}",
                where=f"evaluation_sets, record {called(name)}",
            )
    warnings = {
        "{n} {record is|records are} in no evaluation set": [
            n for n in names if n not in of_document
        ],
        "{n} {record|records} of evaluation sets {is|are} missing from the data": sorted(
            of_document.keys() - set(names)
        ),
    }
    for problem, some in warnings.items():
        warn(f"{problem}: {{names}}", some)
    letters = np.array([of_document.get(name, "") for name in names], np.str_)
    members = {letter: (letters == letter).astype(np.float64) for letter in SETS}
    stored = json.dumps(sorted(of_document.items()))
    return EvaluationSets(members, blake2b(stored.encode(), digest_size=3).hexdigest())


def _as_mapping(given: object, names: Sequence[str]) -> Mapping[str, object]:
    where = "evaluation_sets"
    if isinstance(given, (str, os.PathLike)):
        where, given = name_path(given), read_json(given)
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise InputError(
                f"expected {len(names)} sets, one for each record, got {len(given)}", where=where
            )
        return dict(zip(names, given, strict=True))
    if not isinstance(given, Mapping):
        raise InputError(
            f"expected a mapping from record name to set, got {shown(given)}", where=where
        )
    return {str(name): letter for name, letter in given.items()}
