"""``.spacy`` files as the gold standard or the predictions of any command of clineval.

:func:`open_docs` is the entry point by which clineval finds this module. A file is unpacked once,
and Docs are made block by block while they are read, because a Doc takes more memory and time than
its annotation. Names, span groups and texts are compared without making Docs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import NamedTuple, overload
from weakref import WeakValueDictionary

import numpy as np
from spacy.attrs import ENT_IOB, ORTH
from spacy.tokens import Doc, DocBin
from spacy.tokens._dict_proxies import SpanGroups
from spacy.vocab import Vocab
from srsly import msgpack

from clineval.base.errors import called, warn
from clineval.base.files import name_path
from clineval.formats.stored import StoredDocuments
from spacy_clin import guards
from spacy_clin.annotation import Annotation, Notes, Side, check_names
from spacy_clin.docbins import list_docbins, read_strings, reading, unpack
from spacy_clin.getters import ENTITIES
from spacy_clin.guards import LANGUAGE, REFERENCES
from spacy_clin.kinds import find_annotation
from spacy_clin.presets import register_extensions
from spacy_clin.scoring import check_name, check_text
from spacy_clin.settings import Reader

_BLOCK = 128
"""The number of Docs that are made at once."""
_Key = tuple[str, str, str, str]
_opened: WeakValueDictionary[_Key, StoredDocs] = WeakValueDictionary()
"""All open corpora. A forked process finds those of its parent, and need not read the files."""


def open_docs(path: Path, side: str, challenge: str, config: str) -> StoredDocs:
    """Open ``.spacy`` files of a challenge: a file, or all files of a directory.

    Args:
        path: the file or directory.
        side: ``references`` or ``predictions``.
        challenge: the module.
        config: its configuration.

    Raises:
        InputError: a file is no DocBin, the challenge cannot read Docs, two documents have the same
            name, or no document has the annotation.
    """
    annotation = find_annotation(challenge)
    annotation.judge(config)
    files = [_File.open(file) for file in list_docbins(path)]
    docs = StoredDocs((str(path), side, challenge, config), annotation, files)
    with guards.located(name_path(path)):
        check_names(docs.names, "")
    _opened[docs.key] = docs
    return docs


def _reopen(path: str, side: str, challenge: str, config: str) -> StoredDocs:
    """Return an open corpus in another process, which may have to open it; it stays open there."""
    key = path, side, challenge, config
    return _opened.get(key) or _keep_open(*key)


@cache
def _keep_open(path: str, side: str, challenge: str, config: str) -> StoredDocs:
    return open_docs(Path(path), side, challenge, config)


_decode = partial(msgpack.unpackb, raw=False, object_pairs_hook=dict)
"""Decodes msgpack without hooks for arrays, which srsly looks up each time, and that is slow."""


class _Group(NamedTuple):
    """The attrs of a span group in a file."""

    name: str
    attrs: Mapping[str, object]


class _Header(NamedTuple):
    """The name and language of a Doc, and the names of its span groups."""

    name: str = ""
    language: str = ""
    groups: frozenset[str] = frozenset()


def _read_header(content: bytes) -> _Header:
    """Read a Doc's span groups without their spans."""
    if not content or content == SpanGroups._EMPTY_BYTES:  # noqa: SLF001 - as spaCy's DocBin
        return _Header()
    packed = _decode(content)
    groups = [_Group(held["name"], held["attrs"]) for held in map(_decode, packed)]
    keys = packed.values() if isinstance(packed, dict) else [[group.name] for group in groups]
    languages = (group.attrs.get(LANGUAGE) for group in groups)
    return _Header(
        next(filter(None, map(guards.name_in, groups)), ""),
        next((str(language) for language in languages if language), ""),
        frozenset(key for each in keys for key in each),
    )


@dataclass(frozen=True, slots=True)
class _File:
    """An unpacked file. ``headers`` has one item for each Doc."""

    label: str
    content: DocBin
    vocab: Vocab
    headers: Sequence[_Header]

    @classmethod
    def open(cls, path: Path) -> _File:
        """Unpack a file; read what is needed before any Doc is made."""
        label = name_path(path)
        with reading(label):
            content = unpack(path)
        headers = []
        for at, each in enumerate(content.span_groups[: len(content)]):
            with reading(f"{label}, document {at}"):
                headers.append(_read_header(each))
        vocab = Vocab()
        for string in content.strings:
            vocab.strings.add(string)
        return cls(label, content, vocab, headers)

    def make(self, rows: range) -> Iterator[Doc]:
        """Make some Docs."""
        part = DocBin()
        part.attrs, part.strings = self.content.attrs, set()
        for name in ("tokens", "spaces", "cats", "flags", "span_groups", "user_data"):
            setattr(part, name, getattr(self.content, name)[rows.start : rows.stop])
        docs = part.get_docs(self.vocab)
        for row in rows:
            with reading(f"{self.label}, document {self.name(row)}"):
                doc = next(docs)
                read_strings(doc)
            yield doc

    def name(self, row: int) -> str:
        """Return the name of a Doc for messages, or its number in the file."""
        return called(self.headers[row].name or str(row))

    @property
    def has_entities(self) -> bool:
        """Whether entities are set in a Doc."""
        attrs = list(self.content.attrs)
        if ENT_IOB not in attrs:
            return False
        return any(tokens[:, attrs.index(ENT_IOB)].any() for tokens in self.content.tokens)

    def of_words(self, row: int) -> bool:
        """Return whether a Doc was made from words alone."""
        words = len(self.content.tokens[row])
        return words > 1 and bool(self.content.flags[row].get("has_unknown_spaces"))

    def spell(self, row: int) -> tuple[bytes, bytes]:
        """Return the tokens, and whether a blank follows each except the last."""
        tokens = self.content.tokens[row][:, list(self.content.attrs).index(ORTH)]
        unknown = self.content.flags[row].get("has_unknown_spaces")
        spaces = np.ones(len(tokens), bool) if unknown else self.content.spaces[row][:, 0]
        return tokens.tobytes(), spaces[:-1].tobytes()


@dataclass(frozen=True, eq=False)
class StoredDocs(StoredDocuments):
    """The Docs of one side in ``.spacy`` files.

    ``key`` has the path, the side, the challenge and the configuration.
    """

    key: _Key
    annotation: Annotation
    files: Sequence[_File]

    def __reduce__(self) -> tuple[object, ...]:
        return _reopen, self.key

    @cached_property
    def names(self) -> list[str]:
        """The name of each document; empty if it has none."""
        return [header.name for header in self.headers]

    @cached_property
    def headers(self) -> list[_Header]:
        """The headers of all Docs."""
        return [header for file in self.files for header in file.headers]

    @cached_property
    def places(self) -> list[tuple[_File, int]]:
        """The file of each Doc, and its number there."""
        return [(file, row) for file in self.files for row in range(len(file.headers))]

    @cached_property
    def _reader(self) -> Reader:
        """The place of the annotation: the span group if a Doc has it, or else the entities."""
        grouped = any(self.annotation.view.group in header.groups for header in self.headers)
        reader = self.annotation.choose_usual(
            grouped, lambda: any(file.has_entities for file in self.files)
        )
        if reader.span_getter == ENTITIES:
            register_extensions()
        return reader

    def _lacks(self, row: int) -> bool:
        """Return whether a Doc lacks the span group that is read."""
        grouped = self.annotation.has_spans and self._reader.span_getter is None
        return grouped and self.annotation.view.group not in self.headers[row].groups

    def read(self, rows: range, /) -> object:
        """Return some documents as input of the challenge."""
        path, side, _, config = self.key
        if rows.start == 0:
            self._warn_of_place()
        filled = self._report_lacking(rows)
        named = all(self.names)
        names = [self.names[row] or str(row) for row in rows]
        docs = _Docs(self, rows, self.annotation.view.group if filled else "")
        with guards.located(name_path(Path(path))):
            opened = Side(docs, names, self._reader, side, config)
            found, _ = self.annotation.read_side(opened)
        own = names if named else [self.names[row] for row in rows]
        languages = [self.headers[row].language for row in rows]
        texts = [*docs.texts.values()]
        return self.annotation.name_read(found, Notes(named, own, texts, languages))

    def list_texts(self, rows: range, /) -> list[str]:
        """Return the texts of some documents."""
        return [doc.text for doc in _Docs(self, rows, "")]

    def _warn_of_place(self) -> None:
        side, words = self.key[1], [file.of_words(row) for file, row in self.places]
        if self._reader.span_getter == ENTITIES and side == REFERENCES:
            warn(
                f"{side}: no document has the span group {self.annotation.view.group!r}, so the "
                "mentions are the entities (doc.ents)"
            )
        if any(words):
            warn(
                f"{side}: {{n}} {{document was|documents were}} made from words alone, so offsets "
                "count characters of the words joined with blanks",
                n=sum(words),
            )

    def _report_lacking(self, rows: range) -> bool:
        """Report Docs without the span group, once for the corpus; return whether to add it."""
        lacking = [row for row in range(len(self)) if self._lacks(row)]
        here = [row for row in lacking if row in rows]
        side = self.key[1]
        all_lack = len(lacking) == len(self)
        if here and (side == REFERENCES or all_lack or rows.start == 0):
            docs = _Docs(self, range(len(self)), "")
            with guards.located(name_path(Path(self.key[0]))):
                guards.report_lacking(self.annotation.view.group, docs, lacking, side)
        return bool(here)

    def compare(self, other: StoredDocuments, pairs: Iterable[tuple[int, int]], /) -> None:
        """Reject pairs of documents with different names or texts."""
        if not isinstance(other, StoredDocs):
            return
        for row, at in pairs:
            check_name(self.names[row], other.names[at], row)
            (file, own), (another, its) = self.places[row], other.places[at]
            if file.spell(own) != another.spell(its):
                [gold], [found] = file.make(range(own, own + 1)), another.make(range(its, its + 1))
                check_text(gold, found, row)


@dataclass(slots=True)
class _Docs(Sequence[Doc]):
    """Docs that are made when they are iterated, one block after another.

    ``texts`` has the texts of Docs that were made, if columns are read, which do not hold them.
    Docs without the span group ``key`` get an empty one. Two iterators that advance together use
    the same Docs.
    """

    source: StoredDocs
    rows: range
    key: str
    texts: dict[int, str] = field(default_factory=dict)
    _number: int = -1
    _block: Sequence[Doc] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Doc: ...

    @overload
    def __getitem__(self, at: slice) -> list[Doc]: ...

    def __getitem__(self, at: int | slice) -> Doc | list[Doc]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        number = at // _BLOCK
        if number != self._number:
            self._block = ()  # frees the Docs before others are made
            self._block = list(self._make(number))
            self._number = number
        return self._block[at % _BLOCK]

    def __iter__(self) -> Iterator[Doc]:
        return (self[at] for at in range(len(self)))

    def _make(self, number: int) -> Iterator[Doc]:
        first = number * _BLOCK
        places = self.source.places
        wanted = [places[row] for row in self.rows[first : first + _BLOCK]]
        made = (doc for file, rows in _join(wanted) for doc in file.make(rows))
        for at, doc in enumerate(made, first):
            if self.source.annotation.in_columns:
                self.texts[at] = doc.text
            if self.key and self.key not in doc.spans:
                doc.spans[self.key] = []
            yield doc


def _join(places: Iterable[tuple[_File, int]]) -> Iterator[tuple[_File, range]]:
    """Yield each file with the range of its rows."""
    last: _File | None = None
    first = end = 0
    for file, row in places:
        if file is not last:
            if last is not None:
                yield last, range(first, end)
            last, first = file, row
        end = row + 1
    if last is not None:
        yield last, range(first, end)
