"""Read one side of mentions, concepts and relations that are compared as sets of items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from clineval.base.errors import InputError, located, read_all, shown
from clineval.base.files import Source, find_path
from clineval.formats.files import holds, read_text_files
from clineval.formats.given.documents import GivenDocuments
from clineval.formats.given.forms import AsDocuments, Items, open_given
from clineval.formats.given.mentions import AsSide
from clineval.formats.pubtator.items import (
    BIOC,
    PUBTATOR,
    Draft,
    items_of_relation,
    read_bioc,
    read_pubtator,
)
from clineval.formats.pubtator.scheme import Fragments, Item, Scheme, judge_label
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import sort_fragments
from clineval.results.slots import INVENTED, Slot
from clineval.results.tagged import TYPELESS

_OWN = r"(?i)\.(pubtator|txt|xml)$"
_HELD = frozenset({"id", "spans", "label", "concept", "concepts", "text", "cui"})
ReadFiles = Callable[[Source, str], Draft]
"""Function that reads files or a text of PubTator or BioC, of ``references`` or ``predictions``."""


def read_items(
    given: object, side: str, scheme: Scheme, slots: Sequence[Slot], read_files: ReadFiles
) -> Side:
    """Read one side.

    Args:
        given: the path or the text of a PubTator or BioC file; JSON Lines; a side that was read;
            answers of a model; or a list with one item for each document. An item is a dict of
            ``mentions`` and ``relations``, a list of mentions, a :class:`~clineval.Document`, or a
            string in one of these formats.
        side: ``predictions`` or ``references``. Relations of references must have both concepts.
        scheme: the annotation scheme of the corpus.
        slots: the slots of mentions in answers: the type and the concepts.
        read_files: function that reads files as the protocol does.
    """
    if isinstance(given, AsSide) and not isinstance(given, AsDocuments):  # not a table
        return _itemize(given.as_side(slots, _HELD), scheme)
    return open_given(
        given,
        side,
        Side,
        read_files=lambda source: read_files(source, side).finish(),
        read_items=partial(_read_items, scheme=scheme, gold=side == "references"),
        read_strings=lambda texts: _read_texts(texts, side, read_files),
        lines_beside=_OWN,
    )


def _itemize(side: Side, scheme: Scheme) -> Side:
    """Turn mentions into items; a type that does not exist makes all items of a mention wrong."""
    draft, columns = Draft(scheme), side.mentions
    for number in range(len(side.documents)):
        draft.document(str(number))
    labels, concepts = (column.values for column in columns.attributes.values())
    ids = [column.ids.tolist() for column in columns.attributes.values()]
    for row, (document, label, concept) in enumerate(
        zip(columns.document.tolist(), *ids, strict=True)
    ):
        first, last = columns.bounds[row : row + 2].tolist()
        pairs = zip(columns.starts[first:last], columns.ends[first:last], strict=True)
        place = tuple((int(start), int(end)) for start, end in pairs)
        items = _answered(draft, labels[label], place, concepts[concept].split("|"))
        draft.add(str(document), items)
    return replace(side, mentions=draft.finish().mentions)


def _answered(
    draft: Draft, label: str, place: Fragments, concepts: Sequence[str]
) -> Sequence[Item]:
    """Return the items of a mention in an answer."""
    with suppress(InputError):
        return draft.items_of(label, place, concepts)
    items = draft.scheme.list_items((INVENTED,), place, concepts)
    return [(kind, INVENTED, concept, found) for kind, _, concept, found in items]


def read_strictly(given: Source, scheme: Scheme, *, gold: bool) -> Draft:
    """Read files by their format; errors name the file and the line."""
    draft = Draft(scheme)
    pattern, separator, read = (
        (BIOC, "<", read_bioc) if is_bioc(given) else (PUBTATOR, "\t", read_pubtator)
    )
    for file in read_text_files(given, pattern=pattern, separator=separator):
        read(file, draft, gold=gold)
    return draft


def _read_texts(texts: Sequence[str], side: str, read_files: ReadFiles) -> Side:
    """Read one text for each document; documents are paired by position."""
    whole = Draft()
    for number, text in enumerate(texts):
        found = read_files(f"{text}\n", side) if text.strip() else Draft()
        whole.add(str(number), chain.from_iterable(found.items.values()))
        whole.left_out += found.left_out
        whole.texts |= {str(number): each for each in found.texts.values()}
    return whole.finish(named=False)


def is_bioc(given: Source) -> bool:
    """Return whether a file, the files of a directory, or a text is BioC."""
    path = find_path(given, "\t" if "\t" in str(given) else "<")
    if path is None:
        return str(given).lstrip("\ufeff \r\n").startswith("<")
    return path.suffix.lower() == ".xml" or holds(given, r"\.xml$")


def _read_items(items: Items, *, scheme: Scheme, gold: bool) -> Side:
    """Read dicts, lists of mentions, or objects."""
    documents = GivenDocuments.of(items, needed="")
    draft = Draft(scheme)
    lists = zip(documents.mentions, documents.relations, strict=True)
    for number, (mentions, relations) in enumerate(lists):
        name = documents.names[number] if documents.names else str(number)
        place = documents.place.document(number)
        draft.add(name, _items_of(mentions, relations, place, draft, gold=gold))
        if documents.texts:
            draft.texts[name] = documents.texts[number]
    return draft.finish(named=documents.names is not None)


def _items_of(
    mentions: Sequence[object],
    relations: Sequence[object],
    place: str,
    draft: Draft,
    *,
    gold: bool,
) -> Iterator[Item]:
    readers: list[Callable[[], list[Item]]] = [
        partial(located, f"{place}, mention {at}", _read_mention, each, draft)
        for at, each in enumerate(mentions)
    ]
    readers += [
        partial(located, f"{place}, relation {at}", _read_relation, each, draft.scheme, gold=gold)
        for at, each in enumerate(relations)
    ]
    yield from chain.from_iterable(read_all(readers))


def _read_mention(mention: object, draft: Draft) -> list[Item]:
    if not isinstance(mention, Mapping) or not {"spans", "label"} <= mention.keys() <= _HELD:
        raise InputError("expected a dict with 'spans', 'label' and perhaps 'concepts'")
    given = (mention.get("concepts"), mention.get("concept"))
    concepts = next((value for value in given if value is not None), ())
    if isinstance(concepts, str):
        concepts = concepts.split("|")
    if not isinstance(concepts, (list, tuple)) or not all(isinstance(c, str) for c in concepts):
        raise InputError(f"concepts: expected a list of strings, got {shown(concepts)}")
    label = mention["label"]
    if not isinstance(label, str):
        raise InputError(f"label: expected a string, got {shown(label)}")
    if not label:
        raise InputError("label: expected a label, got an empty string", remedy=TYPELESS)
    return draft.items_of(label, sort_fragments(mention["spans"]), concepts)


def _read_relation(relation: object, scheme: Scheme, *, gold: bool) -> list[Item]:
    if not scheme.relation:
        raise InputError("expected no relations, only mentions", remedy="Leave 'relations' out")
    if not isinstance(relation, Mapping) or set(relation) != {"label", "from", "to"}:
        raise InputError("expected a dict with 'label', 'from' and 'to'")
    if not all(isinstance(value, str) for value in relation.values()):
        raise InputError("expected strings as 'label', 'from' and 'to'")
    judge_label(relation["label"], [scheme.relation])
    return [*items_of_relation(relation["from"], relation["to"], scheme.relation, gold=gold)]
