"""Read and write documents as tables with a header and a row for each mention."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, warn
from clineval.base.files import write_file
from clineval.formats.by_name import Format
from clineval.formats.delimited.span_tables import LANGUAGE, SpanTables
from clineval.formats.writing import check_cells
from clineval.kinds.mentions.mention import Document, Mention
from clineval.kinds.mentions.objects import to_documents
from clineval.results.slots import Slot

SLOTS = (Slot("label", "label", required=True), Slot("code", "label"))
HEADER = ("filename", "label", "start_span", "end_span", "text")
OFFSETS = ("filename", "label", "off0", "off1", "span")
MARKED = ("filename", "mark", "label", "off0", "off1", "span")


class _NamedTables(SpanTables):
    """Tables that keep document names: released programs distinguish ``a`` and ``a.txt``."""

    def document_key(self, name: str) -> str:
        return name


def read_documents(path: Path) -> list[Document]:
    """Read documents; mentions have a label, and codes if the table has a column of codes."""
    return to_documents(_NamedTables().read_side(path, SLOTS, strict=True), SLOTS)


def write_documents(
    documents: Sequence[Document],
    path: Path,
    header: Sequence[str] = HEADER,
    code: str = "code",
) -> None:
    """Write documents as a table.

    The words of mentions are empty if the text of the document is unknown. Marks are the numbers
    of mentions in a document. If documents have languages, the usual header gets a column for
    them.

    Args:
        documents: the documents.
        path: the file to write.
        header: the header.
        code: the heading of the column of codes, which is written if mentions have codes.

    Raises:
        InputError: a mention has several fragments or a CUI, or a value does not fit into a cell.
    """
    mentions = [(of, at, each) for of in documents for at, each in enumerate(of.mentions, 1)]
    empty = [document.id or "" for document in documents if not document.mentions]
    warn(
        "{n} {document has|documents have} no mentions, and therefore no row: {names}",
        empty,
    )
    coded = any("code" in mention.slots for *_, mention in mentions)
    spoken = header is HEADER and any(document.language for document in documents)
    rows = [[*header, *([code] if coded else []), *([LANGUAGE] if spoken else [])]]
    for document, at, mention in mentions:
        row = _write(document, at, mention, marked="mark" in header, coded=coded)
        rows.append([*row, document.language or ""] if spoken else row)
    write_file(path, "".join("\t".join(row) + "\n" for row in rows))


def _write(
    document: Document, number: int, mention: Mention, *, marked: bool, coded: bool
) -> list[str]:
    where = document.place
    if len(mention.spans) > 1 or mention.cui is not None:
        what = "several fragments" if len(mention.spans) > 1 else "a CUI"
        raise InputError(f"the table cannot contain a mention with {what}", where=where)
    [(start, end)] = mention.spans
    words = " ".join((document.text or "")[start:end].split())
    slots = [str(mention.slots.get(name, "")) for name in ("label", "code")]
    first = [document.id or "", *([f"T{number}"] if marked else [])]
    row = [*first, slots[0], str(start), str(end), words, *slots[1:][: int(coded)]]
    check_cells(row, "\t", where)
    return row


def _format(title: str, header: Sequence[str], begins: bytes, code: str = "code") -> Format:
    return Format(
        f"a table with a header and a row for each mention: {', '.join(header)}, {code}; {title}",
        lambda path, _: read_documents(path),
        partial(write_documents, header=header, code=code),
        ("codes", "language") if header is HEADER else ("codes",),
        files={r"\.tsv$": begins},
    )


FORMATS = {
    "tsv": _format("MedProcNER and its successors", HEADER, b"start_span"),
    "tsv-off": _format("DisTEMIST and similar tasks", OFFSETS, b"off0"),
    "tsv-mark": _format("LivingNER", MARKED, b"\tmark\t", "NCBITax"),
}
