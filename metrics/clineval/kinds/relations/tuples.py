"""Tuples that describe mentions and relations: a label, and words or codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, called
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.relations.columns import RelatedSide
from clineval.results.columns import MentionColumns
from clineval.results.slots import INVENTED, Slot

Role = Literal["mentions", "links", "words", "codes"]
"""What a tuple describes: a mention; a mention with its code; a relation between the words of two
mentions; a relation between their codes. Mentions and links have a place in the text."""
SORT, LABEL, VALUE = Slot("sort", "label"), Slot("label", "label"), Slot("code", "label")
"""The slots of a tuple: its sort, its label, and the words or codes."""
NO_CODE = "NA"
"""The code of a mention without a code."""


def join_labels(source: str, relation: str, target: str) -> str:
    """Return the label of a relation's tuple.

    Examples:
        >>> join_labels("drug", "target", "human")
        'drug | target | human'
    """
    return f"{source} | {relation} | {target}"


def join_ends(source: str, target: str) -> str:
    r"""Return the words or codes of a relation's ends, separated by a tab.

    Examples:
        >>> join_ends("gut flora", "gut"), join_ends("a\tb", "c")
        ('gut flora\tgut', 'a\\tb\tc')
    """
    ends = (end.replace("\\", "\\\\").replace("\t", "\\t") for end in (source, target))
    return "\t".join(ends)


def list_tuples(
    related: RelatedSide, texts: Sequence[str | None], sorts: Mapping[str, Role]
) -> Side:
    """Return the tuples of mentions and relations, as mentions; relations have an empty fragment.

    Args:
        related: mentions with labels and codes, and the relations between them.
        texts: the text of each document.
        sorts: the names of the sorts to list, and what their tuples describe.

    Raises:
        InputError: the words of a relation are needed, but the text of its document is unknown.
    """
    mentions = related.side.mentions
    labels, codes = spell(mentions, LABEL), spell(mentions, VALUE)
    codes = [code or NO_CODE for code in codes]
    parts = []
    for sort, role in sorts.items():
        if role in ("mentions", "links"):
            values = codes if role == "links" else [""] * len(mentions)
            parts.append(_fill(mentions, sort, labels, values))
        else:
            ends = codes if role == "codes" else _find_words(related, texts)
            parts.append(_list_relations(related, sort, labels, ends))
    columns = concatenate(parts)
    order = np.argsort(columns.document, kind="stable")
    return replace(related.side, mentions=columns.take(order))


def spell(mentions: MentionColumns, slot: Slot) -> list[str]:
    """Return the value of each mention in a slot."""
    column = mentions.attributes[slot.name]
    return [column.values[at] for at in column.ids.tolist()]


def _fill(
    columns: MentionColumns, sort: str, labels: Sequence[str], values: Sequence[str]
) -> MentionColumns:
    slots = {
        SORT.name: Coded.of([sort] * len(columns)),
        LABEL.name: Coded.of(labels),
        VALUE.name: Coded.of(values),
    }
    return replace(columns, attributes=slots)


def _list_relations(
    related: RelatedSide, sort: str, labels: Sequence[str], ends: Sequence[str]
) -> MentionColumns:
    """List the relations of a sort; ``labels`` and ``ends`` belong to the mentions."""
    relations = related.relations
    pairs = list(zip(relations.source.tolist(), relations.target.tolist(), strict=True))
    names = [relations.label.values[at] for at in relations.label.ids.tolist()]
    triples = [
        join_labels(labels[source], name, labels[target])
        for name, (source, target) in zip(names, pairs, strict=True)
    ]
    values = [join_ends(ends[source], ends[target]) for source, target in pairs]
    places = MentionColumns.of(relations.document, [((0, 0),)] * len(pairs), {})
    return _fill(places, sort, triples, values)


def _find_words(related: RelatedSide, texts: Sequence[str | None]) -> list[str]:
    """Return the words of each mention that a relation connects; empty for other mentions."""
    columns, relations = related.side.mentions, related.relations
    words = [""] * len(columns)
    for row in np.union1d(relations.source, relations.target).tolist():
        document = int(columns.document[row])
        text = texts[document] if document < len(texts) else None
        if text is None:
            raise InputError(
                "relations are compared by the words of their ends, but the text is unknown",
                where=f"document {called(related.side.documents[document] or str(document))}",
                remedy="Give documents with a text, or pass texts=",
            )
        at = slice(columns.bounds[row], columns.bounds[row + 1])
        fragments = zip(columns.starts[at].tolist(), columns.ends[at].tolist(), strict=True)
        words[row] = " ".join(text[start:end] for start, end in fragments) or INVENTED
    return words
