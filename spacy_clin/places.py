"""Convert between characters, tokens and spans of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from spacy.tokens import Doc, Span

from clineval.base.errors import InputError, shown
from clineval.formats.dicts import Record
from clineval.kinds.mentions.mention import Fragment, sort_fragments
from spacy_clin.guards import located
from spacy_clin.paths import Source, compile_path
from spacy_clin.settings import GROUP, SPANS, Reader

OFFSETS = (SPANS, "fragments", "start_char", "end_char", "start", "end")
"""Keys and attributes of fragments in dicts and objects."""


def snap(  # noqa: PLR0913, PLR0917 - the parts of a span
    doc: Doc, start: int, end: int, label: str = "", kb_id: str = "", span_id: str = ""
) -> Span:
    """Return the span of the tokens that contain some characters.

    A blank at the end of a token belongs to the token, although the text of a span excludes it.
    """
    check_inside(doc, [(start, end)])
    try:
        span = doc.char_span(start, end, label, kb_id, span_id=span_id)
        if span is not None:
            return span
        begins = [token.idx for token in doc]
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1)
        return Span(doc, first, last, label, kb_id=kb_id, span_id=span_id)
    except UnicodeEncodeError:
        problem = "an id, a code or a label contains half of a surrogate pair"
        raise InputError(problem, remedy="Decode it as UTF-8") from None


def check_inside(doc: Doc, fragments: Iterable[Sequence[int]]) -> None:
    """Reject fragments that end after the text."""
    if isinstance(doc, Doc):
        size = doc[-1].idx + len(doc[-1].text_with_ws) if len(doc) else 0
    else:
        size = len(doc.text)
    for start, end in fragments:
        if end > size:
            raise InputError(
                f"fragment {start}-{end} is outside the text, which has {size} characters",
                remedy="Check that the offsets belong to this text",
            )


def are_of(spans: Sequence[Span], fragments: Iterable[Sequence[int]]) -> bool:
    """Return whether spans consist of the tokens that contain some fragments."""
    snapped = (snap(spans[0].doc, start, end) for start, end in fragments)
    return sorted((s.start, s.end) for s in snapped) == sorted((s.start, s.end) for s in spans)


def place_of(doc: Doc, span: Span) -> Fragment:
    """Return the characters of a span, which must be of this text."""
    if span.doc is not doc and span.doc.text != doc.text:
        raise InputError("the span belongs to another text", remedy="Use spans of the Doc itself")
    return span.start_char, span.end_char


def place_of_tokens(pair: Sequence[int], doc: Doc) -> Fragment:
    """Return the characters of the tokens of a pair, whose end is exclusive."""
    [(first, last)] = sort_fragments([pair])
    if last > len(doc):
        raise InputError(
            f"token {last - 1} is outside the text, which has {len(doc)} tokens",
            remedy="If the offsets count characters, set offsets='char'",
        )
    return doc[first].idx, doc[last - 1].idx + len(doc[last - 1])


def check_own(span: Span, fragments: Sequence[Sequence[int]]) -> None:
    """Reject fragments that do not fit their span.

    One fragment, or the range from the first to the last, must cover the tokens of the span.
    """
    whole = (fragments[0][0], fragments[-1][1])
    for start, end in (whole, *fragments):
        own = span.doc.char_span(start, end, alignment_mode="expand")
        if own is not None and (own.start, own.end) == (span.start, span.end):
            return
    raise InputError(
        "the fragments do not fit the span: no fragment equals the span, and together they do not "
        "reach from its start to its end",
        remedy="Offsets count characters from the start of the text; offsets='token' counts tokens",
    )


class Fragments:
    """Find the fragments of items, by the settings of the reader."""

    def __init__(self, reader: Reader) -> None:
        path = "" if reader.fragments in (None, GROUP) else reader.fragments
        self.source = Source(path or "")
        self.read = compile_path(path) if path else None
        self.extension = "" if self.source.parts else self.source.stored
        self._characters_counted = reader.offsets == "char"

    def of(self, item: object, told: Record, doc: Doc) -> list[list[int]]:
        """Return the fragments of a mention, sorted."""
        span = item if isinstance(item, Span) else None
        with located("" if span is None else f"span {span.start_char}-{span.end_char}"):
            given = self.read(item, told) if self.read else None
            if given is not None and not (isinstance(given, Sequence) and not given):
                fragments = sort_fragments(self._characters(given, doc))
            elif span is not None:
                exact = told_fragments(told)
                fragments = tuple(exact) if len(exact) == 1 else (place_of(doc, span),)
            else:
                parts = _find_offsets(item) if isinstance(item, Mapping) else item
                fragments = sort_fragments(self._characters(parts, doc))
            check_inside(doc, fragments)
            if self.read and span is not None:
                check_own(span, fragments)
        return list(map(list, fragments))

    def _characters(self, given: object, doc: Doc) -> list[Sequence[int]]:
        """Return the characters of spans or of pairs of offsets."""
        if isinstance(given, Span):
            return [place_of(doc, given)]
        if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
            raise InputError(f"expected fragments such as [[10, 20], [31, 38]], got {shown(given)}")
        return [
            place_of(doc, part) if isinstance(part, Span)
            else part if self._characters_counted else place_of_tokens(part, doc)
            for part in given
        ]  # fmt: skip


def told_fragments(record: Record) -> Sequence[Fragment]:
    """Return the fragments in attrs, if there are any."""
    told = record.get(SPANS)
    return () if told is None or (isinstance(told, list) and not told) else sort_fragments(told)


def _find_offsets(item: Record) -> object:
    """Return the offsets of a mention in a dict."""
    for name in OFFSETS[:2]:
        if item.get(name) is not None:
            return item[name]
    for start, end in (OFFSETS[2:4], OFFSETS[4:]):
        if start in item and end in item:
            return [[item[start], item[end]]]
    raise InputError(
        "a mention has no 'spans'", remedy="Name their key or attribute, such as fragments='where'"
    )
