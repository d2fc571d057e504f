"""Read and write tables of entities, and of relations between them, as in DrugProt and ChemProt.

A line of entities has document, id, type, start, end and text. A line of relations has document,
label and the ids of two entities, such as ``Arg1:T1``. A line of abstracts has document, title and
abstract; offsets count the characters of title, blank and abstract. No table has a header.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clineval.base.arrays import expect_names
from clineval.base.errors import InputError, called, listed, read_each
from clineval.base.files import Source, find_path, is_directory, name_path
from clineval.base.offsets import LARGEST, read_whole
from clineval.formats.files import list_names, read_text_files
from clineval.results.options import Option

RELATIONS, GOLD, ENTITIES, DOCUMENTS, TEXTS = (
    r"(?i)relations.*\.tsv$",
    r"(?i)gold_standard.*\.tsv$",
    r"(?i)entities.*\.tsv$",
    r"(?i)pmids.*\.txt$",
    r"(?i)abstra.*\.tsv$",
)
"""The names of the files of a gold standard in a folder."""
_COLUMNS = {
    "relations": ("document", "label", "first id", "second id"),
    "entities": ("document", "id", "type", "start", "end", "text"),
    "abstracts": ("document", "title", "abstract"),
}


class Entity(NamedTuple):
    """A line of entities."""

    where: str
    document: str
    id: str
    label: str
    start: int
    end: int


class Link(NamedTuple):
    """A line of relations."""

    where: str
    document: str
    label: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a gold standard.

    Args:
        relations: the relations.
        entities: the entities; None if they are not known.
        texts: the titles and abstracts; None if they are not known.
    """

    relations: Source
    entities: Source | None = None
    texts: Source | None = None

    @classmethod
    def find(cls, source: Source, relations: Sequence[str], entities: Source | None) -> Files:
        """Find the files in a folder, or return a file of relations with a file of entities.

        Args:
            source: the folder, the file or its text.
            relations: patterns of names of files of relations; the first that matches counts.
            entities: the file of entities, which replaces the one in the folder.

        Raises:
            InputError: a folder has no such file, or several.
        """
        if not is_directory(source):
            return cls(source, entities)
        known = entities or _find_in(source, ENTITIES)
        return cls(_need_in(source, relations), known, _find_in(source, TEXTS))

    def need_entities(self) -> Source:
        """Return the file of entities.

        Raises:
            InputError: there is none.
        """
        if self.entities is None:
            problem = "expected the given entities beside the relations"
            remedy = "Give a folder with both files, or pass the file of entities as an option"
            raise InputError(problem, where="references", remedy=remedy)
        return self.entities


def _find_in(folder: Source, pattern: str) -> Source | None:
    path = find_path(folder)
    names, _ = list_names(folder, pattern)
    if len(names) > 1:
        problem = f"expected one file, got {listed(names)}"
        remedy = "Pass the file of relations, and the other files as options"
        raise InputError(problem, where=name_path(folder), remedy=remedy)
    return path / names[0] if path and names else None


def _need_in(folder: Source, patterns: Sequence[str]) -> Source:
    for pattern in patterns:
        if found := _find_in(folder, pattern):
            return found
    words = [repr(of.removeprefix("(?i)").partition(".")[0]) for of in patterns]
    problem = f"expected a .tsv file with {' or '.join(words)} in its name"
    raise InputError(problem, where=name_path(folder))


def find_listed(source: Source) -> frozenset[str] | None:
    """Return the documents of the list in a folder; None if there is none."""
    return read_documents(_find_in(source, DOCUMENTS) if is_directory(source) else None)


def read_entities(source: Source) -> list[Entity]:
    """Read entities; a repeated line counts once.

    Raises:
        InputError: a line is invalid, or an id of a document has two different lines.
    """
    found: dict[tuple[str, str], Entity] = {}

    def add(entity: Entity) -> None:
        key = entity.document, entity.id
        known = found.setdefault(key, entity)
        if known[1:] != entity[1:]:
            problem = f"document {called(entity.document)} has another entity with this id"
            raise InputError(f"{problem} at {known.where}", where=entity.where)

    read_each(lambda *row: add(_read_entity(*row)), _split(source, "entities"))
    return list(found.values())


def read_texts(source: Source | None) -> dict[str, str]:
    """Map documents to title and abstract, joined by a blank; empty without a file."""
    rows = [] if source is None else list(_split(source, "abstracts"))
    read = read_each(_read_text, rows)
    return dict(read)


def _read_text(where: str, cells: Sequence[str], table: str) -> tuple[str, str]:
    document, *_ = _check(where, cells, table)
    return document, " ".join(cells[1:])


def read_links(source: Source) -> list[Link]:
    """Read relations in the order of lines; an id is the text after the last colon of a cell."""
    return read_each(_read_link, _split(source, "relations"))


def read_documents(given: object) -> frozenset[str] | None:
    """Read a list of documents: a file with one on each line, or a collection; None for none.

    Raises:
        InputError: the value is something else, or contains no documents.
    """
    if given is None or isinstance(given, frozenset):
        return given
    if isinstance(given, (str, bytes)) or hasattr(given, "__fspath__"):
        names = list(_list_documents(given))
    else:
        names = expect_names(given, "pmids")
    if not any(names):
        raise InputError("expected the names of documents, got none", where="pmids")
    return frozenset(filter(None, names))


def _list_documents(source: object) -> Iterator[str]:
    for file in read_text_files(str(source), pattern=DOCUMENTS, separator="\n"):
        yield from (line.strip() for line in file.content.decode().split("\n"))


def _split(source: Source, table: str) -> Iterator[tuple[str, Sequence[str], str]]:
    """Yield place and cells of the lines that are not blank, and the name of the table."""
    for file in read_text_files(source, pattern=r"\.tsv$", separator="\t"):
        yield from ((where, line.split("\t"), table) for where, line in file.lines())


def _check(where: str, cells: Sequence[str], table: str) -> list[str]:
    """Return the cells without outer blanks."""
    columns, words = _COLUMNS[table], [cell.strip() for cell in cells]
    if len(words) != len(columns):
        problem = f"expected {len(columns)} columns ({', '.join(columns)}), got {len(words)}"
        raise InputError(problem, where=where)
    empty = next((name for name, word in zip(columns[:4], words, strict=False) if not word), "")
    if empty:
        raise InputError(f"{empty}: expected a value, got an empty cell", where=where)
    return words


def _read_entity(where: str, cells: Sequence[str], table: str) -> Entity:
    document, id_, label, start, end, _ = _check(where, cells, table)
    offsets = [read_whole(of) if of.isascii() and of.isdigit() else -1 for of in (start, end)]
    if not 0 <= offsets[0] < offsets[1] <= LARGEST:
        raise InputError("expected offsets with a start before the end", where=where)
    return Entity(where, document, id_, label, offsets[0], offsets[1])


def _read_link(where: str, cells: Sequence[str], table: str) -> Link:
    document, label, *ends = _check(where, cells, table)
    first, second = (end.rpartition(":")[2].strip() for end in ends)
    if not first or not second:
        raise InputError("expected two ids, such as Arg1:T1 and Arg2:T2", where=where)
    return Link(where, document, label, first, second)


def write_relations(rows: Mapping[str, Sequence[tuple[str, str, str]]]) -> str:
    r"""Write label and ids of the relations of documents.

    Examples:
        >>> write_relations({"12": [("INHIBITOR", "T1", "T4")]})
        '12\tINHIBITOR\tArg1:T1\tArg2:T4\n'
    """
    return "".join(
        f"{name}\t{label}\tArg1:{first}\tArg2:{second}\n"
        for name, related in rows.items()
        for label, first, second in related
    )


ENTITIES_OPTION = Option(
    "entities",
    "TSV file of the given entities, if the gold standard is a file of relations.",
    kind="file",
    python="the path of a TSV file of the given entities, if the references are a file of "
    "relations",
)
DOCUMENTS_OPTION = Option(
    "pmids",
    "File with the documents to score, one on each line; by default, all with entities.",
    kind="file",
    python="the documents to score, as a list or the path of a file with one on each line",
    parse=read_documents,
)
