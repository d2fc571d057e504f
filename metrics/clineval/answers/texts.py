"""Compare answers with the texts of the gold mentions, without offsets.

Gold mentions and items are paired by their words, in each document as a multiset: first those with
the same class and slots, then those with the same class, then any with the same words. Both sides
then get offsets in an artificial text, which has a line for each gold mention and each unpaired
item. Partners have the same offsets, and nothing else overlaps.

If the mentions of a document are a set, equal words have one line. The metric counts equal mentions
once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, agree, listed
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

_Key = tuple[int, str, str, tuple[str, ...]]
"""The number of a mention's document, the same on both sides, its words, class and slots."""
_Fragment = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Worded:
    """A side with the words of each mention."""

    side: Side
    words: Sequence[str]


def words_of_spans(side: Side) -> Worded:
    """Return the gold standard with the words at its offsets; blanks join fragments.

    Raises:
        InputError: a document with mentions has no text, or a text that is too short.
    """
    columns = side.mentions
    documents = sorted(set(columns.document.tolist()))
    texts = side.texts or (None,) * len(side.documents)
    missing = [side.documents[at] or str(at) for at in documents if texts[at] is None]
    if missing:
        found = agree("{n} {document has|documents have}", len(missing))
        problem = f"{found} gold mentions with offsets, but no text: {listed(missing)}"
        raise InputError(problem, remedy="Pass the notes with texts=")
    check_reach(side)
    bounds, starts, ends = columns.bounds.tolist(), columns.starts.tolist(), columns.ends.tolist()
    words = []
    for row, document in enumerate(columns.document.tolist()):
        text = texts[document] or ""
        parts = (text[starts[k] : ends[k]] for k in range(bounds[row], bounds[row + 1]))
        words.append(" ".join(" ".join(parts).split()))
    return Worded(side, words)


def check_reach(side: Side) -> None:
    """Reject a gold standard with mentions beyond the end of its text."""
    columns = side.mentions
    if not side.texts:
        return
    lengths = np.array([-1 if text is None else len(text) for text in side.texts], np.int64)
    document = columns.document[columns.owners]
    beyond = (lengths[document] >= 0) & (columns.ends > lengths[document])
    names = [side.documents[at] or str(at) for at in np.unique(document[beyond]).tolist()]
    if names:
        problem = (
            "{n} {document has|documents have} gold mentions after the end of {its|their} text"
        )
        remedy = "Pass the texts that were annotated, with their original line ends"
        raise InputError(f"{agree(problem, len(names))}: {listed(names)}", remedy=remedy)


def pair_by_words(
    gold: Worded, predicted: Worded, slots: Sequence[Slot], class_slot: str, *, once: bool = False
) -> tuple[Side, Side]:
    """Return both sides with offsets in artificial texts of their words.

    Documents are paired by key, or by position. Lines contain the gold mentions in order, then the
    items without a partner.

    Args:
        gold: the gold mentions with their words.
        predicted: the items of answers with their words.
        slots: the slots of the challenge.
        class_slot: the name of the slot of the class.
        once: whether equal words of a document have one line, so that they are a set.
    """
    of_gold, of_predicted = _number_documents(gold.side, predicted.side)
    wanted = _list_keys(gold, of_gold, slots, class_slot)
    offered = _list_keys(predicted, of_predicted, slots, class_slot)
    partners = _pair(wanted, offered)
    lines: defaultdict[int, list[str]] = defaultdict(list)
    sizes: defaultdict[int, int] = defaultdict(int)

    written: dict[tuple[int, str], _Fragment] = {}

    def write(key: _Key) -> _Fragment:
        document, words, *_ = key
        if once and (document, words) in written:
            return written[document, words]
        start = sizes[document]
        lines[document].append(words)
        sizes[document] += len(words) + 1
        written[document, words] = start, start + len(words)
        return written[document, words]

    gold_spans = {row: write(wanted[row]) for row in _in_order(wanted)}
    predicted_spans = {
        row: gold_spans[partners[row]] if row in partners else write(offered[row])
        for row in _in_order(offered)
    }
    texts = {document: "\n".join(of) for document, of in lines.items()}
    gold_texts = [texts.get(document, "") for document in of_gold.tolist()]
    predicted_texts = [texts.get(document, "") for document in of_predicted.tolist()]
    return (
        _with_spans(gold.side, gold_spans, gold_texts),
        _with_spans(predicted.side, predicted_spans, predicted_texts),
    )


def _list_keys(
    worded: Worded, documents: IntArray, slots: Sequence[Slot], class_slot: str
) -> list[_Key]:
    columns = worded.side.mentions
    values = {slot.name: _folded(columns, slot) for slot in slots}
    classes = values.get(class_slot, [""] * len(columns))
    rows = zip(*values.values(), strict=True) if values else [()] * len(columns)
    numbers = documents[columns.document].tolist() if len(columns) else []
    return list(zip(numbers, worded.words, classes, rows, strict=True))


def _in_order(keys: Sequence[_Key]) -> list[int]:
    return sorted(range(len(keys)), key=keys.__getitem__)


def _pair(gold: Sequence[_Key], predicted: Sequence[_Key]) -> dict[int, int]:
    """Return the gold mention of each paired item; pairs that share most are matched first."""
    partners: dict[int, int] = {}
    free = _in_order(gold)
    for size in (4, 3, 2):
        waiting = defaultdict(list)
        for row in reversed(free):
            waiting[gold[row][:size]].append(row)
        for row in _in_order(predicted):
            rows = waiting[predicted[row][:size]] if row not in partners else []
            if rows:
                partners[row] = rows.pop()
        taken = set(partners.values())
        free = [row for row in free if row not in taken]
    return partners


def _folded(columns: MentionColumns, slot: Slot) -> list[str]:
    column = columns.attributes[slot.name]
    folded = [slot.fold(value) for value in column.values]
    return [folded[at] for at in column.ids.tolist()]


def _number_documents(gold: Side, predicted: Side) -> tuple[IntArray, IntArray]:
    """Give each document of both sides a number; the same document has the same number."""
    if gold.keys is None or predicted.keys is None:
        return np.arange(len(gold.documents)), np.arange(len(predicted.documents))
    numbers = {key: at for at, key in enumerate(gold.keys)}
    theirs = [numbers.setdefault(key, len(numbers)) for key in predicted.keys]
    return np.arange(len(gold.keys)), np.array(theirs, np.int64)


def _with_spans(side: Side, spans: Mapping[int, _Fragment], texts: Sequence[str]) -> Side:
    table = np.array([spans[row] for row in range(len(spans))], np.int32).reshape(-1, 2)
    columns = replace(
        side.mentions,
        bounds=np.arange(len(table) + 1),
        starts=table[:, 0].copy(),
        ends=table[:, 1].copy(),
    )
    return replace(side, mentions=columns, texts=tuple(texts))
