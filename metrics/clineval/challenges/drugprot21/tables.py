"""Read tables as the released library of DrugProt does, with pandas and without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from clineval.base.files import Source
from clineval.challenges.drugprot21.spec import TYPES
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide
from clineval.programs.pandas_cells import Cell, Reading, stop
from clineval.protocols.relations import LABEL

_COLUMNS, _ENTITY_COLUMNS = 4, 6
_CELLS = Reading(numbers=False)
Row = Sequence[Cell]
"""Document, type and two arguments."""


class Entity(NamedTuple):
    """An entity: document, id, type and offsets; 0 for offsets that are no numbers."""

    document: str
    id: str
    label: str
    start: int
    end: int


class Link(NamedTuple):
    """A relation: document, type, and the ids of a chemical and a gene."""

    document: str
    label: str
    chemical: str
    gene: str


def read_entities(source: Source) -> list[Entity]:
    """Read entities in the order of lines; cells may contain anything."""
    file = _open(source)
    rows = [line.split("\t") for line in file.content.decode().split("\n")[:-1]]
    for number, cells in enumerate(rows, 1):
        if len(cells) != _ENTITY_COLUMNS:
            problem = f"expected {_ENTITY_COLUMNS} columns, got {len(cells)}"
            raise stop(problem, f"{file.label}:{number}")
    return [Entity(of[0], of[1], of[2], *_find_offsets(of[3:5])) for of in rows]


def _find_offsets(cells: Sequence[str]) -> tuple[int, int]:
    start, end = (int(cell[:9]) if cell[:9].isdecimal() else 0 for cell in cells)
    return (start, end) if start < end else (0, 0)


def read_rows(source: Source, listed: Collection[str] | None = None) -> list[Row]:
    """Read relations as pandas does.

    Args:
        source: the file.
        listed: keep only lines of these documents; None for all lines.
    """
    file = _open(source)
    if listed is not None:
        lines = file.content.decode().splitlines(keepends=True)
        kept = [line for line in lines if "\t" in line and line.split("\t")[0] in listed]
        file = replace(file, content="".join(kept).encode())
    rows: list[Row] = []
    for where, cells in _CELLS.split(file):
        if len(cells) > _COLUMNS:
            raise stop(f"expected {_COLUMNS} columns, got {len(cells)}", where)
        rows.append(_CELLS.type([*cells, *[""] * (_COLUMNS - len(cells))]))
    return rows


def _open(source: Source) -> TextFile:
    [file] = read_text_files(source, pattern=r"\.tsv$", separator="\t", as_written=True)
    return file.with_line_feeds()


def prepare(
    rows: Sequence[Row],
    entities: Sequence[Entity],
    listed: Collection[str] | None,
    side: str,
    *,
    stops: bool = True,
) -> list[Link]:
    """Return the distinct relations that the library keeps.

    Args:
        rows: the relations as they are written.
        entities: the entities.
        listed: the documents whose relations count; None for all.
        side: ``references`` or ``predictions``, for messages.
        stops: whether to stop if no relation is left, as the library does for files.

    Raises:
        InputError: no relation is left, or a relation has no second argument.
    """
    types = {f"{of.document}-{of.id}": of.label for of in entities}
    chemicals = {key for key, label in types.items() if label == "CHEMICAL"}
    known = [row for row in rows if row[1] in TYPES and (listed is None or row[0] in listed)]
    if stops and not known:
        raise stop("no relation with a known type is left", side)
    distinct = [*dict.fromkeys(map(tuple, known))]
    split = [(document, label, *map(_find_id, ends)) for document, label, *ends in distinct]
    are_chemical = [
        [f"{document}-{end}" in chemicals for end in ends] for document, _, *ends in split
    ]
    odd = [at for at, ends in enumerate(are_chemical) if sum(ends) != 1]
    kept = range(len(split)) if len(odd) == 1 else sorted({*range(len(split))} - {*odd})
    links = []
    for at in kept:
        document, label, first, second = map(str, split[at])
        ends = (first, second) if are_chemical[at][0] else (second, first)
        links.append(Link(document, label, *ends))
    if stops and not links:
        raise stop("no relation between a chemical and a gene is left", side)
    return [*dict.fromkeys(links)]


def _find_id(cell: Cell) -> str:
    if cell is None:
        raise stop("a relation has no second argument")
    return str(cell).rpartition(":")[2]


def name_documents(side: Side) -> tuple[str, ...]:
    """Return the names of documents; documents without names get numbers in their order."""
    return side.keys or tuple(f"{number:09}" for number in range(len(side.documents)))


def list_entities(side: Side, names: Sequence[str]) -> list[Entity]:
    """List the mentions of a side as entities."""
    columns = side.mentions
    ids, labels = (columns.attributes[name] for name in (ID.name, LABEL.name))
    return [
        Entity(names[document], ids.values[id_], labels.values[label], 0, 0)
        for document, id_, label in zip(
            columns.document.tolist(), ids.ids.tolist(), labels.ids.tolist(), strict=True
        )
    ]


def list_rows(related: RelatedSide, names: Sequence[str]) -> list[Row]:
    """List the relations of a side as lines."""
    ids, of = related.side.mentions.attributes[ID.name], related.relations
    ends = [[ids.values[at] for at in ids.ids[rows].tolist()] for rows in (of.source, of.target)]
    labels = [of.label.values[at] for at in of.label.ids.tolist()]
    documents = [names[at] for at in of.document.tolist()]
    return list(zip(documents, labels, *ends, strict=True))
