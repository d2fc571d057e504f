"""Read documents of mentions and relations as the columns of i2b2 2012."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from clineval.base.arrays import Coded
from clineval.challenges.i2b2_2012_temporal.tags import (
    ALL_SLOTS,
    ATTRIBUTES,
    LABEL,
    LINKS,
    NAMED,
    OVERLAP,
    SAME,
    WORDS,
    normalize_words,
)
from clineval.formats.given.forms import Items
from clineval.formats.given.relations import read_items
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide
from clineval.kinds.relations.given import name_all
from clineval.results.columns import MentionColumns

_READ = tuple(slot for slot in ALL_SLOTS if slot is not WORDS)
_ENDS = ("from", "to")
_SPAN = [[0, 1]]
"""The span of a named end in documents, where each mention needs one."""


def read_documents(items: Items) -> RelatedSide:
    """Read documents of mentions and relations."""
    related = read_items(items, _READ, (*LINKS, *SAME), loops=True, convert=_add_named_ends)
    label = related.relations.label
    values = tuple(dict.fromkeys(OVERLAP if value in SAME else value for value in label.values))
    folded = label.fold(lambda value: OVERLAP if value in SAME else value, values)
    side = _normalize(name_all(related.side))
    return RelatedSide(side, replace(related.relations, label=folded))


def complete(related: RelatedSide) -> RelatedSide:
    """Return a side with words and ids, also if it was read in another way, as answers are."""
    attributes = related.side.mentions.attributes
    missing = [slot.name for slot in ALL_SLOTS if slot.name not in attributes]
    if not missing:
        return related
    empty = Coded.of([""] * len(related.side.mentions))
    full = {**attributes, **dict.fromkeys(missing, empty)}
    side = replace(related.side, mentions=replace(related.side.mentions, attributes=full))
    return replace(related, side=_normalize(name_all(side)))


def _add_named_ends(given: Mapping[str, object], _where: str) -> Mapping[str, object]:
    """Add a mention for Admission or Discharge, if relations refer to it and no mention does."""
    relations, mentions = given.get("relations"), given.get("mentions")
    if not isinstance(relations, (list, tuple)) or not isinstance(mentions, (list, tuple)):
        return given
    known = {of.get("id") for of in mentions if isinstance(of, Mapping)}
    links = [of for of in relations if isinstance(of, Mapping)]
    ends = {link[end] for link in links for end in _ENDS if isinstance(link.get(end), str)}
    named = sorted(end for end in ends - known if end.upper() in NAMED)
    added = [{"id": end, LABEL.name: end.upper(), "spans": _SPAN} for end in named]
    return {**given, "mentions": [*mentions, *added]} if added else given


def _normalize(side: Side) -> Side:
    """Write values in capitals, add words, and take the place from named ends."""
    mentions = side.mentions
    attributes = {slot.name: _capitalize(mentions.attributes[slot.name]) for slot in ATTRIBUTES}
    label = mentions.attributes[LABEL.name]
    named = label.is_among(NAMED)
    words = Coded.of(_find_words(mentions, side.texts))
    ids = mentions.attributes[ID.name]
    names = [ids.values[at] for at in ids.ids.tolist()]
    labels = [label.values[at] for at in label.ids.tolist()]
    pairs = zip(names, labels, named.tolist(), strict=True)
    names = [of if is_named else name for name, of, is_named in pairs]
    changed = replace(
        _unplace(mentions, labels),
        attributes={LABEL.name: label, **attributes, WORDS.name: words, ID.name: Coded.of(names)},
    )
    return replace(side, mentions=changed)


def _unplace(mentions: MentionColumns, labels: Sequence[str]) -> MentionColumns:
    """Give named ends no place, and their name as spelling."""
    named = np.flatnonzero([label in NAMED for label in labels])
    if not len(named):
        return mentions
    starts, ends = mentions.starts.copy(), mentions.ends.copy()
    for row in named.tolist():
        starts[mentions.bounds[row] : mentions.bounds[row + 1]] = 0
        ends[mentions.bounds[row] : mentions.bounds[row + 1]] = 0
    spelling = Coded.of([label if label in NAMED else "" for label in labels])
    return replace(mentions, starts=starts, ends=ends, spelling=spelling)


def _capitalize(column: Coded) -> Coded:
    return column.fold(str.upper, tuple(dict.fromkeys(map(str.upper, column.values))))


def _find_words(mentions: MentionColumns, texts: Sequence[str | None]) -> list[str]:
    """Return the words of each mention; empty if the text is not known."""
    if not texts:
        return [""] * len(mentions)
    found = []
    bounds, starts, ends = (a.tolist() for a in (mentions.bounds, mentions.starts, mentions.ends))
    for row, document in enumerate(mentions.document.tolist()):
        text = texts[document] or ""
        fragments = range(bounds[row], bounds[row + 1])
        found.append(normalize_words(" ".join(text[starts[at] : ends[at]] for at in fragments)))
    return found
