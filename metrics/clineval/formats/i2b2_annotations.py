"""The annotations of i2b2 2014's XML: mentions with offsets, or tags of whole documents.

A tag of the whole document, such as ``<CAD id="DOC0" time="before DCT" indicator="mention"/>``, is
a record: ``{"tag": "CAD", "time": "before DCT", "indicator": "mention"}``. The annotators' own tags
may stand beside these tags or inside them. They have places in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, located, read_each, shown, shown_name
from clineval.base.files import Source
from clineval.base.progress import track
from clineval.formats.files import TextFile, from_string, holds, open_strings, read_text_files
from clineval.formats.i2b2_xml import (
    ELEMENTS,
    FILES,
    Tag,
    find_record,
    parse,
    parse_document_tags,
)
from clineval.formats.i2b2_xml_writing import check_characters, format_record, format_tag
from clineval.formats.listed import warn_of_left_out
from clineval.formats.record_files import RecordFormat
from clineval.formats.writing import name_files, write_files
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.fields import AND
from clineval.results.columns import MentionColumns
from clineval.results.listed import Listed
from clineval.results.slots import Slot

TAG_FILES = r"\.(xml|jsonl)$"
"""The names of files with tags of whole documents."""
_OFFSET = re.compile(r"\d{1,9}\Z", re.ASCII)
_ANNOTATORS = (
    "{n} predicted {document has|documents have} tags with start or end, which belong to "
    "annotators and are not scored: {names}"
)
_OTHERS = (
    "{n} {document has|documents have} elements in TAGS that are not tags of the challenge and "
    "are not scored: {names}"
)
_MORE = "{n} {document has|documents have} several TAGS, and only the first is scored: {names}"
Label = Callable[[Tag], str]
"""Returns the label of a mention."""


def label_by_both(tag: Tag) -> str:
    """Return the label, such as ``NAME/DOCTOR``; a missing type is empty."""
    return f"{tag.element}/{tag.attributes.get('TYPE', '')}"


@dataclass(frozen=True, slots=True)
class I2b2Xml:
    """The text format, for :func:`~clineval.formats.given.mentions.read_side`.

    Args:
        label: returns the label of a mention.
        key: returns the key that pairs documents, from a name without extension.
    """

    label: Label = lambda tag: tag.attributes["TYPE"]
    key: Callable[[str], str] = str
    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the key that pairs documents: the name without a file's extension."""
        return self.key(re.sub(r"\.(xml|txt)$", "", name))

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read files; documents are paired by name.

        Args:
            source: a directory, a file or the text of a file.
            slots: the slots; the first one contains the labels.
            strict: whether spans must be within the text, and mentions must have types.

        Raises:
            InputError: a file is invalid; the message names the line.
        """
        files = list(read_text_files(source, pattern=FILES, separator="<"))
        names = tuple(file.stem or "" for file in files)
        keys = tuple(map(self.document_key, names)) if all(names) else None
        if keys is not None and len(set(keys)) < len(keys):
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise InputError(
                f"several files belong to record {repeated}", remedy="Give one system at a time"
            )
        return self._as_side(files, names, keys, slots[0], strict=strict)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string for each document, paired by position."""
        files = open_strings(strings)
        return self._as_side(files, ("",) * len(files), None, slots[0], strict=strict)

    def _as_side(
        self,
        files: Iterable[TextFile],
        names: tuple[str, ...],
        keys: tuple[str, ...] | None,
        slot: Slot,
        *,
        strict: bool,
    ) -> Side:
        rows, written, texts = [], [], []
        for at, file in enumerate(files):
            record = parse(file)
            texts.append(record.text)
            text = record.text if strict else None
            placed = ((tag, f"{file.label}:{tag.line}") for tag in record.tags)
            found = read_each(partial(read_span, text=text), placed)
            labels = map(self.label, record.tags)
            rows += [(at, label, *span) for label, (span, _) in zip(labels, found, strict=True)]
            written += ["" if strict else spelling for _, spelling in found]
        columns = MentionColumns.labelled(rows, slot.name)
        if any(written):
            columns = replace(columns, spelling=Coded.of(written))
        return Side(names, keys, columns, tuple(texts))


def read_span(tag: Tag, where: str, text: str | None) -> tuple[tuple[int, int], str]:
    """Read the offsets, and their spelling if it is unusual.

    If a text is passed, reject a mention without a type or outside the text.
    """
    written = [tag.attributes.get(name, "") for name in ("start", "end")]
    for name, offset in zip(("start", "end"), written, strict=True):
        if not _OFFSET.match(offset):
            raise InputError(f"{name}: expected a whole number, got {shown(offset)}", where=where)
    start, end = map(int, written)
    if text is not None:
        _judge(tag, (start, end), text, where)
    spelling = "-".join(written)
    return (start, end), "" if spelling == f"{start}-{end}" else spelling


def _judge(tag: Tag, span: tuple[int, int], text: str, where: str) -> None:
    start, end = span
    if not start < end <= len(text):
        problem = f"expected 0 <= start < end <= {len(text)}, got {start} and {end}"
        raise InputError(problem, where=where)
    label = tag.attributes.get("TYPE", "")
    if not label.strip() or not label.isprintable():
        raise InputError("TYPE: expected the type of the mention", where=where)


def has_place(tag: Tag) -> bool:
    """Return whether a tag has a place in the text, so that it is an annotator's tag."""
    return "start" in tag.attributes or "end" in tag.attributes


@dataclass(frozen=True, slots=True)
class TagFiles(RecordFormat):
    """XML of i2b2 2014, one file for each record, or JSON Lines with ``id`` and the tags.

    The first field is the name of the element. Attributes with the name of a field are this field.
    The values of all other attributes that are not empty, joined by :data:`AND`, are the last
    field; a ``+`` in a value is doubled.

    Args:
        elements: the name of each element to the attributes that are read.
    """

    elements: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files or of text; JSON Lines beside XML are not read."""
        if _is_xml(source):
            source = f"{source!s}\n"  # text, and not a path
        form = replace(self, pattern=FILES) if holds(source, FILES) else self
        return RecordFormat.list_files(form, source)

    def list_file(self, file: TextFile) -> Iterator[Listed]:
        """Yield the documents of a file."""
        if file.content.lstrip().startswith(b"<"):
            yield self.list_xml(file)
        else:
            yield from RecordFormat.list_file(self, file)

    def open_document(self, given: object, where: str, *, named: bool = False) -> Listed:
        """Check and return a document, which can also be a string of XML."""
        if _is_xml(given):
            return self.list_xml(from_string(where, str(given)))
        return RecordFormat.open_document(self, given, where, named=named)

    def list_xml(self, file: TextFile) -> Listed:
        """Return the document of an XML file, and note what is not scored.

        Raises:
            InputError: the file is not supported XML, or an element of the gold standard differs
                only in case from a tag.
        """
        record = parse_document_tags(file)
        named = [tag for tag in record.tags if tag.element.upper() in self.elements]
        scored = ((tag, f"{file.label}:{tag.line}") for tag in named if not has_place(tag))
        others = {tag.element for tag in record.tags}.difference(tag.element for tag in named)
        noted = {
            _ANNOTATORS: self.constants and any(map(has_place, named)),
            _OTHERS: not others.issubset(ELEMENTS),
            _MORE: record.blocks > 1,
        }
        left_out = tuple(template for template, is_there in noted.items() if is_there)
        content = read_each(self._read_tag, scored)
        return Listed(file.label, self.name_file(file), content, record.text, left_out=left_out)

    def name_file(self, file: TextFile) -> str | None:
        """Return the name of a file's document; None for a string."""
        return find_record(file.stem) if file.stem else None

    def _read_tag(self, tag: Tag, where: str) -> dict[str, object]:
        """Return a tag as a record; a predicted tag with another name has no name."""
        if tag.element in self.elements:
            return self.as_record(tag)
        if self.constants:  # predictions are scored, whatever they contain
            return {**self.as_record(tag), self.fields[0].name: None}
        raise InputError(
            f"expected the element {tag.element.upper()}, got {shown_name(tag.element)}",
            where=where,
            remedy="Write the names of tags in capitals",
        )

    def as_record(self, tag: Tag) -> dict[str, object]:
        """Return a tag as a record."""
        first, *others, last = (of.name for of in self.fields)
        held = {name: tag.attributes.get(name) for name in self.elements[tag.element.upper()]}
        values = [
            text.replace("+", "++") for name, text in held.items() if text and name not in others
        ]
        kept = {name: held[name] for name in others if held.get(name) is not None}
        return {first: tag.element, **kept, last: AND.join(values)}

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write documents to JSON Lines, a ``.json`` file, or a directory of XML files.

        Returns:
            The number of tags.

        Raises:
            InputError: a tag is invalid, or the ending of the file is not supported.
        """
        warn_of_left_out(documents)
        if path.suffix:
            return RecordFormat.write(self, documents, path)
        names = name_files((each.name for each in documents), ".xml", without=".txt")
        tags = [self._format_tags(each) for each in track(documents, "formatting")]
        both = zip(documents, tags, strict=True)
        texts = [format_record("root", each.open_text(), of, each.where) for each, of in both]
        write_files(path, zip(names, texts, strict=True))
        return sum(map(len, tags))

    def _format_tags(self, document: Listed) -> list[str]:
        """Format the tags of a document as XML."""
        opened = enumerate(document.open_records())
        return [self._format_tag(at, of, f"{document.where}, tag {at + 1}") for at, of in opened]

    def _format_tag(self, number: int, record: object, where: str) -> str:
        """Format a record as a tag, with its values as the challenge spells them."""
        held = record if isinstance(record, Mapping) else {}
        texts = {of.name: located(where, of.read, of.find(held)) for of in self.fields}
        element, *_, joined = texts.values()
        attributes = self.elements[element]
        own = [name for name in attributes if name not in texts or name == self.fields[-1].name]
        values = joined.split(AND) if joined else []
        if len(values) > len(own):
            problem = f"expected at most {len(own)} values of {element}, got {len(values)}"
            raise InputError(problem, where=where)
        texts |= dict(zip_longest(own, values, fillvalue=""))
        for text in texts.values():
            check_characters(text, where)
        return format_tag(element, {"id": f"DOC{number}"} | {n: texts[n] for n in attributes})


def _is_xml(given: object) -> bool:
    return isinstance(given, str) and given.lstrip().startswith("<")
