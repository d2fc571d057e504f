"""Report what fails silently in spaCy, and validate the attrs of span groups.

Attrs come with the data, so they may hold any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from spacy.tokens import Doc, SpanGroup

from clineval.base.errors import (
    MOST_BITS,
    InputError,
    agree,
    called,
    listed,
    shown,
    shown_name,
    warn,
)
from clineval.formats.dicts import Record

REFERENCES, PREDICTIONS = "references", "predictions"
DOCUMENT = "document"
LANGUAGE = "language"
Extension = tuple[str, str, int, int]
"""The key of an extension's value in a Doc's user data: ``("._.", name, start, end)``."""
Result = TypeVar("Result")
_EXTENSION = "._."
_UNSENDABLE = ("serialize", "E112")
_REMEDIES = {
    REFERENCES: "Splitting references loses their spans: use spacy_clin.Corpus.v1, without "
    "gold_preproc and max_length; or set the place of the gold mentions, such as gold='spacy' for "
    "doc.ents",
    PREDICTIONS: "Set the place of the predictions, such as pred='spacy' for doc.ents; or add the "
    "component clin_converter before the scorer",
}


class Attributed(Protocol):
    """A span group, or what a file says of one."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def attrs(self) -> Mapping[str, object]:
        """The values that it holds."""
        ...


@contextmanager
def located(where: str) -> Iterator[None]:
    """Add a place before the place that input errors name."""
    try:
        yield
    except InputError as error:
        raise placed(error, where) from None


def placed(error: InputError, where: str) -> InputError:
    """Return an error with a place added before its own."""
    return InputError(error.problem, where=", ".join(filter(None, (where, error.where))))


def as_items(given: Any, wanted: str) -> Iterator[Any]:
    """Return an iterator over the argument; reject strings and values that are not iterable."""
    try:
        if not isinstance(given, (str, bytes)):
            return iter(given)  # span groups of old releases iterate, but are not Iterable
    except TypeError:
        pass
    raise InputError(f"expected {wanted}, got {shown(given)}")


def tell(group: SpanGroup, name: str) -> dict[str, dict[str, object]]:
    """Return the attrs of each mention or entry by id; empty if there are none."""
    told = group.attrs.get(name)
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise _unexpected(group, name, "a dict of ids", told)
    if others := [*_others(told, str), *_others(told.values(), dict)]:
        raise _unexpected(group, name, "a dict for each id", others[0])
    return told


def tell_list(group: SpanGroup, name: str) -> Sequence[Any] | None:
    """Return a list in attrs, such as the relations; None if it is absent."""
    told = group.attrs.get(name)
    if told is None or isinstance(told, (list, tuple)):
        return told
    raise _unexpected(group, name, "a list", told)


def _others(values: Iterable[object], kind: type) -> list[object]:
    """Return the values of another type."""
    # compare types first: isinstance on a million records takes a tenth of a second
    alike = set(map(type, values)) <= {kind}
    return [] if alike else [each for each in values if not isinstance(each, kind)]


def _unexpected(group: Attributed, name: str, wanted: str, told: object) -> InputError:
    return InputError(
        f"attrs[{name!r}] of the span group {shown_name(group.name)}: expected {wanted}, got "
        f"{shown(told)}",
        remedy="Write annotation with set_mentions, set_entries or set_sections of spacy_clin",
    )


def get_document_name(doc: object) -> str:
    """Return the name that :func:`set_mentions` wrote to a Doc, as a string; empty if none."""
    # use the inner dict, because views of spans iterate in Python
    for group in doc.spans.data.values() if isinstance(doc, Doc) else ():
        if name := name_in(group):
            return name
    return ""


def name_in(group: Attributed) -> str:
    """Return the document's name in the attrs of a span group; empty if there is none."""
    name = group.attrs.get(DOCUMENT)
    short = isinstance(name, int) and name.bit_length() <= MOST_BITS
    if not (name is None or isinstance(name, str) or short):
        raise _unexpected(group, DOCUMENT, "a name", name)
    return "" if name is None else str(name)


def get_language(doc: Doc) -> str | None:
    """Return the language written with a Doc's annotation, for corpora in several languages."""
    told = (group.attrs.get(LANGUAGE) for group in doc.spans.data.values())
    return next((str(language) for language in told if language), None)


def name_documents(docs: Iterable[object]) -> list[str]:
    """Return the names of documents, or positions for documents without a name."""
    return [get_document_name(doc) or str(at) for at, doc in enumerate(docs)]


def describe(doc: object, at: int | None = None) -> str:
    """Return the name of a document for messages, or its position."""
    return place_of_document(get_document_name(doc) or ("" if at is None else str(at)))


def place_of_document(name: str) -> str:
    """Return the place of a document for messages; the name may be empty."""
    return f"document {called(name) if name else 'without a name'}"


def _list_documents(docs: Sequence[Doc], positions: Sequence[int]) -> str:
    """List documents for messages by their names, or by their positions."""
    names = listed([get_document_name(docs[at]) or str(at) for at in positions])
    return f"{agree('{document|documents}', len(positions))} {names}"


def report_lacking(wanted: Any, docs: Sequence[Doc], lacking: Sequence[int], side: str) -> None:
    """Reject documents without the requested span groups; warn if only some predictions lack them.

    Every gold document needs the groups. A predicted document may lack them if others have them.
    ``lacking`` lists the positions of the documents that lack them.
    """
    if not lacking:
        return
    names = _list_documents(docs, lacking)
    several = isinstance(wanted, Iterable) and not isinstance(wanted, str)
    groups = " or ".join(map(shown_name, wanted if several else [wanted]))
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


def warn_of_unset_entities(docs: Sequence[Doc]) -> None:
    """Warn about gold documents whose entities are unset; an empty list counts as set."""
    lacking = [at for at, doc in enumerate(docs) if len(doc) and not doc.has_annotation("ENT_IOB")]
    if lacking:
        warn(
            f"{REFERENCES}: entities are not set in {len(lacking)} of {len(docs)} documents, which "
            f"count as documents without mentions: {_list_documents(docs, lacking)}. Set "
            "doc.ents = [] if there are none"
        )


def warn_of_lost_user_data(docs: Sequence[Doc], side: str) -> None:
    """Warn if slots are read from extensions, mentions exist, and no Doc holds a value."""
    if not any(map(extensions_of, docs)):
        warn(
            f"{side}: no document holds a value of any extension, so all slots that are read "
            "from extensions have their defaults. Add the component that sets them; a DocBin keeps "
            "them only with store_user_data=True"
        )


def extensions_of(doc: Doc) -> list[tuple[Extension, object]]:
    """Return the values of extensions in a Doc's user data."""
    values: Iterable[tuple[object, object]] = doc.user_data.items()  # spaCy types keys as strings
    return [
        (key, value)
        for key, value in values
        if isinstance(key, tuple) and key and key[0] == _EXTENSION
    ]


def share_places(mentions: Sequence[Record]) -> bool:
    """Return whether different mentions have the same offsets."""
    if len({mention["spans"][0][0] for mention in mentions}) == len(mentions):
        return False
    seen: dict[object, Record] = {}
    places = (tuple(map(tuple, mention["spans"])) for mention in mentions)
    return any(
        seen.setdefault(place, mention) != mention
        for place, mention in zip(places, mentions, strict=True)
    )


def warn_of_shared_places(sharing: Sequence[int], side: str) -> None:
    """Warn about different mentions with the same offsets, because they share their extensions."""
    warn(
        f"{side}: {{n}} {{document has|documents have}} mentions with the same offsets, which "
        "share the values of all their extensions: {names}. Write such mentions with "
        "spacy_clin.set_mentions, which keeps them apart",
        list(map(str, sharing)),
    )


def copied(doc: Doc, copy: Callable[[], Result]) -> Result:
    """Copy or write a Doc; suggest a remedy if an extension holds a span, a set or an object."""
    try:
        return copy()
    except (NotImplementedError, TypeError, ValueError):
        holders = {key[1] for key, value in extensions_of(doc) if not _is_plain(value)}
        raise InputError(
            "the Doc cannot be copied or written because of the extensions "
            f"{listed(sorted(holders))}",
            where=describe(doc),
            remedy="Score it with spacy_clin.score_docs, or write it without user data, which "
            "keeps the mentions of set_mentions",
        ) from None


def sent(run: Callable[[], Result]) -> Result:
    """Run a pipeline in several processes; suggest a remedy if its Docs cannot be sent."""
    try:
        return run()
    except Exception as error:
        if not any(word in str(error) for word in _UNSENDABLE):
            raise
        raise InputError(
            "the Docs cannot be sent from one process to another, because extensions hold values "
            "other than plain data",
            remedy="Run the pipeline in one process (n_process=1)",
        ) from None


def _is_plain(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, (str, int, float, bool))
