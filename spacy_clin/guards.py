"""What goes wrong silently in spaCy is said aloud here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from spacy.tokens import Doc, Span
from spacy.tokens.underscore import Underscore

from clineval.base.errors import InputError, agree, called, listed, named, shown_name, warn
from clineval.kinds.mentions.mention import sort_fragments
from spacy_clin.attrs import tell_document

REFERENCES, PREDICTIONS = "references", "predictions"
_EXTENSION = "._."
_UNSENDABLE = ("serialize", "E112")


@contextmanager
def located(where: str) -> Iterator[None]:
    """Let errors of bad input say where it is, before the place within that they name."""
    try:
        yield
    except InputError as error:
        raise placed(error, where) from None


def placed(error: InputError, where: str) -> InputError:
    """Return an error with a place before its own."""
    return InputError(error.problem, where=", ".join(filter(None, (where, error.where))))


def get_document_name(doc: Any) -> str:
    """Return the name that :func:`set_mentions` gave a Doc; empty if it has none."""
    if isinstance(doc, Doc):
        # the dict within, because views of spans are iterated in Python
        for group in doc.spans.data.values():
            if name := tell_document(group):
                return name
    return ""


def name_documents(docs: Iterable[Any]) -> list[str]:
    """Return the documents' names; for one without a name, its position."""
    return [get_document_name(doc) or str(at) for at, doc in enumerate(docs)]


def describe(doc: Any, at: int | None = None) -> str:
    """Name a document for messages: by its name, or by its position."""
    return place_of_document(get_document_name(doc) or ("" if at is None else str(at)))


def place_of_document(name: str) -> str:
    """Name a document for messages; it may have no name."""
    return f"document {called(name) if name else 'without a name'}"


def _list_documents(docs: Sequence[Any], positions: Sequence[int]) -> str:
    """List documents for messages: by their names, or by their positions."""
    names = listed([get_document_name(docs[at]) or str(at) for at in positions])
    return f"{agree('{document|documents}', len(positions))} {names}"


def report_lacking(wanted: Any, docs: Sequence[Any], lacking: Sequence[int], side: str) -> None:
    """Refuse documents without the span groups that are wanted; warn if only some lack them.

    A predicted document may lack them if others have them; a gold one may not. ``lacking`` are the
    positions of those that do.
    """
    if not lacking:
        return
    names = _list_documents(docs, lacking)
    groups = " or ".join(map(shown_name, [wanted] if isinstance(wanted, str) else wanted))
    problem = f"{{n}} of {len(docs)} documents {{has|have}} no span group"
    some = f"{agree(problem, len(lacking))} {groups}"
    if side == REFERENCES or len(lacking) == len(docs):
        known = {str(key) for doc in docs for key in getattr(doc, "spans", ())}
        raise InputError(
            f"{some}, available groups: {listed(sorted(known)) or 'none'}: {names}",
            where=side,
            remedy=_REMEDIES.get(side, _REMEDIES[PREDICTIONS]),
        )
    warn(f"{side}: {some} and count as documents without mentions: {names}")


_REMEDIES = {
    REFERENCES: "Spans are lost where references are cut up: use spacy_clin.Corpus.v1, without "
    "gold_preproc and max_length; or say where gold mentions are, such as gold='spacy' for "
    "doc.ents",
    PREDICTIONS: "Say where predictions are, such as pred='spacy' for doc.ents; or add the "
    "component clin_converter before the scorer",
}


def warn_of_unset_entities(docs: Sequence[Any]) -> None:
    """Warn of gold documents whose entities nobody set, not even to an empty list."""
    lacking = [at for at, doc in enumerate(docs) if len(doc) and not doc.has_annotation("ENT_IOB")]
    if lacking:
        warn(
            f"{REFERENCES}: entities are not set in {len(lacking)} of {len(docs)} documents, which "
            f"count as documents without mentions: {_list_documents(docs, lacking)}. Set "
            "doc.ents = [] where there are none"
        )


def warn_of_lost_user_data(docs: Sequence[Any], side: str) -> None:
    """Warn if extensions are read from the mentions found, and no Doc holds a value."""
    if not any(map(extensions_of, docs)):
        warn(
            f"{side}: no document holds the value of any extension, so all slots that are read "
            "from extensions have their defaults. Add the component that sets them; a DocBin keeps "
            "them with store_user_data=True only"
        )


def extensions_of(doc: Any) -> list[tuple[Any, Any]]:
    """Return a Doc's values of extensions: ``("._.", name, start, end)``, and the value."""
    return [
        (key, value)
        for key, value in doc.user_data.items()
        if isinstance(key, tuple) and key and key[0] == _EXTENSION
    ]


def share_places(mentions: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether different mentions have the same offsets."""
    if len({mention["spans"][0][0] for mention in mentions}) == len(mentions):
        return False
    seen: dict[Any, Any] = {}
    places = (tuple(map(tuple, mention["spans"])) for mention in mentions)
    return any(
        seen.setdefault(place, mention) != mention
        for place, mention in zip(places, mentions, strict=True)
    )


def warn_of_shared_places(sharing: Sequence[int], side: str) -> None:
    """Warn of different mentions with the same offsets: their extensions are the same ones."""
    warn(
        f"{side}: {{n}} {{document has|documents have}} mentions with the same offsets, which "
        "share the values of all their extensions: {names}. Write such mentions with "
        "spacy_clin.set_mentions, which keeps them apart",
        list(map(str, sharing)),
    )


def copied(doc: Doc, copy: Callable[[], Any]) -> Any:
    """Do something that copies or writes a Doc; say what to do if it cannot be.

    Raises:
        InputError: an extension holds a span, a set or another object.
    """
    try:
        return copy()
    except (NotImplementedError, TypeError, ValueError):
        values = [(key[1], value) for key, value in extensions_of(doc)]
        holders = sorted({name for name, value in values if not _is_plain(value)})
        raise InputError(
            f"the Doc cannot be copied or written, because of the extensions {listed(holders)}",
            where=describe(doc),
            remedy="Score it as it is with spacy_clin.score_docs, or write it without user data: "
            "the mentions of set_mentions are kept",
        ) from None


def sent(run: Callable[[], Any]) -> Any:
    """Run a pipeline in several processes; say what to do if its Docs cannot be sent.

    Raises:
        InputError: an extension holds a span, a set or another object.
    """
    try:
        return run()
    except Exception as error:
        if not any(word in str(error) for word in _UNSENDABLE):
            raise
        raise InputError(
            "the Docs cannot be sent from one process to another, because extensions hold what is "
            "no plain data",
            remedy="Run the pipeline in one process (n_process=1)",
        ) from None


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, (str, int, float, bool))


def snap(  # noqa: PLR0913, PLR0917 - what a span has
    doc: Doc, start: int, end: int, label: str = "", kb_id: str = "", span_id: str = ""
) -> Span:
    """Return the span of the tokens that some characters are in.

    A blank that ends a token belongs to it, though the text of a span ends before it.
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
        problem = "half of a surrogate pair, no character, in an id, a code or a label"
        raise InputError(problem, remedy="Decode it as UTF-8") from None


def check_inside(doc: Any, fragments: Iterable[Sequence[int]]) -> None:
    """Refuse fragments that end after the text."""
    if isinstance(doc, Doc):
        size = doc[-1].idx + len(doc[-1].text_with_ws) if len(doc) else 0
    else:
        size = len(doc.text)
    for start, end in fragments:
        if end > size:
            raise InputError(
                f"fragment {start}-{end} is outside the text, which has {size} characters",
                remedy="Do the offsets belong to this text?",
            )


def are_of(spans: Sequence[Span], fragments: Iterable[Sequence[int]]) -> bool:
    """Tell whether spans are those of the tokens that some fragments are in."""
    snapped = (snap(spans[0].doc, start, end) for start, end in fragments)
    return sorted((s.start, s.end) for s in snapped) == sorted((s.start, s.end) for s in spans)


def place_of(doc: Any, span: Span) -> tuple[int, int]:
    """Return the characters of a span, which must be of this text."""
    if span.doc is not doc and span.doc.text != doc.text:
        raise InputError("the span is of another text", remedy="Take spans of the Doc itself")
    return span.start_char, span.end_char


def place_of_tokens(pair: Any, doc: Any) -> Sequence[int]:
    """Return the characters of the tokens from the first to the last but one of a pair."""
    [(first, last)] = sort_fragments([pair])
    if last > len(doc):
        raise InputError(
            f"token {last - 1} is outside the text, which has {len(doc)} tokens",
            remedy="Do the offsets count characters (offsets='char')?",
        )
    return doc[first].idx, doc[last - 1].idx + len(doc[last - 1])


def check_own(span: Span, fragments: Sequence[Sequence[int]]) -> None:
    """Refuse fragments that are elsewhere than the span that has them.

    One of them, or all from the first to the last, must be of the tokens of the span.
    """
    whole = (fragments[0][0], fragments[-1][1])
    for start, end in (whole, *fragments):
        own = span.doc.char_span(start, end, alignment_mode="expand")
        if own is not None and (own.start, own.end) == (span.start, span.end):
            return
    raise InputError(
        "the fragments are not those of the span: neither is one of them the span, nor do they "
        "reach from its start to its end",
        remedy="Offsets count characters from the start of the text; offsets='token' counts tokens",
    )


def check_extension(owner: type[Span | Doc], name: str) -> None:
    """Refuse an extension that holds no value."""
    if not owner.has_extension(name):
        extensions = Underscore.span_extensions if owner is Span else Underscore.doc_extensions
        known = listed(sorted(extensions)) or "none"
        raise InputError(
            f"the extension {shown_name(name)} of {owner.__name__} is not registered; registered "
            f"are: {known}",
            remedy="Import the package that registers it, or add its component, before scoring",
        )
    if owner.get_extension(name)[1] is not None:
        raise InputError(
            f"the extension {shown_name(name)} is a method, not a value",
            remedy="Give another path, or a function",
        )


def no_attribute(owner: str, name: str) -> InputError:
    """Return the error for a path that leads nowhere."""
    return InputError(
        f"{owner} no attribute {shown_name(name)}",
        where=f"path {path_name(name)}",
        remedy="Give an attribute such as kb_id_, an extension such as _.cui, attrs.NAME, a key of "
        "dicts, or a function",
    )


def path_name(path: str) -> str:
    """Name a path for messages."""
    return named(path) or shown_name(path)
