"""Windows of tokens: split long documents into overlapping windows, and merge predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import BoolArray, IntArray, expect_list, is_list
from clineval.base.errors import InputError, warn
from clineval.kinds.mentions.tags import TagSet, find_runs, join_runs, write_tags
from clineval.results.tagged import Annotation

IGNORED = -100
"""The label that PyTorch's loss functions ignore, for padding and special tokens."""
_MANY = 1 << 31
"""More than the number of tags can be."""
_SPACES = tuple(code for code in range(0x3001) if chr(code).isspace())


@dataclass(frozen=True, eq=False)
class Windows:
    """The windows of some documents.

    Args:
        document: ``[windows]``, the number of each window's document.
        starts: ``[windows, tokens]``, the first character of each token in its document.
        ends: ``[windows, tokens]``, the exclusive end of each token. Padding, special tokens and
            white space have start = end.
        texts: the documents' texts.
        tokens: the bytes of each window's token ids, without padding, which identify the window;
            empty if the encoding has none.

    Examples:
        >>> encoding = {"offset_mapping": [[(0, 0), (0, 4), (5, 9)], [(0, 5), (0, 0), (0, 0)]]}
        >>> windows = Windows.of(encoding, ["knee pain", "fever"])
        >>> len(windows), windows.document.tolist(), windows.starts.shape
        (2, [0, 1], (2, 3))
    """

    document: IntArray
    starts: IntArray
    ends: IntArray
    texts: tuple[str, ...]
    tokens: tuple[bytes, ...] = field(default=(), repr=False)
    encoded: list[IntArray] = field(default_factory=list, init=False, repr=False)
    """The results of :meth:`encode` so far, to notice labels in another order."""

    @classmethod
    def of(cls, encoding: Mapping[str, object], texts: Sequence[str]) -> Windows:
        """Make windows from the output of a fast tokenizer.

        Args:
            encoding: the tokenizer's output for the texts with ``return_offsets_mapping=True``,
                padded or not; with ``return_overflowing_tokens=True``, a long text has several
                windows. White space at the edges of tokens is removed.
            texts: the documents' texts.

        Raises:
            InputError: offsets are missing, do not count from the start of a text (as for words),
                or the number of windows does not fit the texts.

        Examples:
            >>> encoding = {"offset_mapping": [[(0, 0), (0, 4), (4, 9), (0, 0)]]}
            >>> windows = Windows.of(encoding, ["knee pain"])
            >>> windows.starts.tolist(), windows.ends.tolist()
            ([[0, 0, 5, 0]], [[0, 4, 9, 0]])
        """
        if "offset_mapping" not in encoding:
            remedy = "Call a fast tokenizer with return_offsets_mapping=True"
            raise InputError("the encoding has no offset_mapping", remedy=remedy)
        strings = is_list(texts) and all(isinstance(text, str) for text in texts)
        if not strings:
            raise InputError("expected a list of strings", where="texts")
        offsets = list(map(_as_pairs, _rows(encoding, "offset_mapping")))
        numbers = encoding.get("overflow_to_sample_mapping", range(len(offsets)))
        owners = _integers(numbers, "overflow_to_sample_mapping")
        if owners.shape != (len(offsets),) or not set(owners.tolist()) <= set(range(len(texts))):
            raise InputError(f"{len(offsets)} windows do not fit {len(texts)} texts")
        width = max(map(len, offsets), default=0)
        table = np.zeros((len(offsets), width, 2), np.int64)
        for row, window in zip(table, offsets, strict=True):
            row[: len(window)] = window
        _check_direction(table, owners, texts)
        for number in np.unique(owners).tolist():
            table[owners == number] = _without_spaces(table[owners == number], texts[number])
        tokens = _tokens_of(encoding, len(offsets))
        return cls(owners, table[..., 0], table[..., 1], tuple(texts), tokens)

    def __len__(self) -> int:
        return len(self.document)

    @property
    def is_token(self) -> BoolArray:
        """``[windows, tokens]``."""
        return self.ends > self.starts

    def encode(self, annotations: Sequence[Sequence[Annotation]], tags: TagSet) -> IntArray:
        """Return the labels for training: ``[windows, tokens]``, -100 for padding and the like.

        Args:
            annotations: the annotations of each document, see
                :func:`~clineval.training.from_mentions`. Annotations beyond a document's text are
                left out, with a warning.
            tags: the model's tags.

        Raises:
            InputError: the number of documents differs, or the tags lack a label.
        """
        if len(annotations) != len(self.texts):
            raise InputError(f"{len(annotations)} annotated documents, but {len(self.texts)} texts")
        beyond = [
            str(at)
            for at, (found, text) in enumerate(zip(annotations, self.texts, strict=True))
            if any(end > len(text) for annotation in found for _, end in annotation.spans)
        ]
        warn(
            "{n} {document has|documents have} annotations beyond {its|their} text, which get no "
            "labels there: {document|documents} {names}",
            beyond,
        )
        rows, columns = self._chosen
        bounds = np.searchsorted(self.document[rows], np.arange(len(self.texts) + 1)).tolist()
        starts, ends = self.starts[rows, columns], self.ends[rows, columns]
        ids = [
            write_tags(_in_tokens(found, len(text), starts[a:b], ends[a:b]), b - a, tags)
            for (a, b), found, text in zip(pairwise(bounds), annotations, self.texts, strict=True)
        ]
        labels = np.full(self.starts.shape, IGNORED, np.int64)
        labels[self.is_token] = np.concatenate([np.zeros(0, np.int64), *ids])[self._places]
        if not any(np.array_equal(labels, earlier) for earlier in self.encoded):
            self.encoded.append(labels.astype(np.int16))
        return labels

    def decode(self, predictions: object, tags: TagSet) -> list[list[Annotation]]:
        """Convert predictions to annotations of each document.

        If a token is in several windows, the window with the most context around it counts.

        Args:
            predictions: numbers of tags ``[windows, tokens]``, or the model's outputs ``[windows,
                tokens, tags]``; additional columns are padding.
            tags: the model's tags.

        Raises:
            InputError: predictions do not fit the windows or the tags.
        """
        ids = as_ids(predictions, tags)
        width = self.starts.shape[1]
        if len(ids) != len(self) or ids.shape[1] < width:
            size = " × ".join(map(str, ids.shape))
            raise InputError(f"predictions {size} do not fit {len(self)} windows of {width} tokens")
        rows, columns = self._chosen
        document, chosen = self.document[rows], ids[rows, columns]
        if len(chosen) and not (chosen.min() >= 0 and chosen.max() < len(tags.tags)):
            raise InputError(f"expected predictions to be numbers of {len(tags.tags)} tags")
        runs = find_runs(chosen, document, tags)
        starts, ends = self.starts[rows, columns].tolist(), self.ends[rows, columns].tolist()
        firsts, lasts = runs.first.tolist(), runs.last.tolist()
        documents: list[list[Annotation]] = [[] for _ in self.texts]
        for parts in join_runs(runs, document, tags.reach):
            fragments = _join_adjacent([(firsts[part], lasts[part]) for part in parts])
            spans = tuple((starts[first], ends[last]) for first, last in fragments)
            label = tags.labels[runs.label[parts[0]]]
            documents[document[fragments[0][0]]].append(Annotation(spans, label))
        return documents

    @cached_property
    def _chosen(self) -> tuple[IntArray, IntArray]:
        """The row and column of each token, once, in the window with the most context."""
        rows, columns = np.nonzero(self.is_token)
        document = self.document[rows]
        starts, ends = self.starts[rows, columns], self.ends[rows, columns]
        order = np.lexsort((-self._context[rows, columns], ends, starts, document))
        keys = np.stack([document, starts, ends])[:, order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
        return rows[order][new], columns[order][new]

    @cached_property
    def _places(self) -> IntArray:
        """The number among the chosen tokens, for each token of each window in order."""
        rows, columns = self._chosen
        width = 1 + int(self.ends.max(initial=0))
        chosen = (self.document[rows] * width + self.starts[rows, columns]) * width
        chosen = chosen + self.ends[rows, columns]
        every = (self.document[:, None] * width + self.starts) * width + self.ends
        return np.searchsorted(chosen, every[self.is_token])

    @property
    def _context(self) -> IntArray:
        """The number of tokens to the nearer edge of the window, except edges of documents."""
        is_token = self.is_token
        left = np.cumsum(is_token, axis=1)
        right = np.cumsum(is_token[:, ::-1], axis=1)[:, ::-1]
        first = np.where(is_token, self.starts, np.iinfo(np.int64).max).min(axis=1, initial=1 << 60)
        last = np.where(is_token, self.ends, 0).max(axis=1, initial=0)
        opening = np.full(len(self.texts), 1 << 60)
        closing = np.zeros(len(self.texts), np.int64)
        np.minimum.at(opening, self.document, first)
        np.maximum.at(closing, self.document, last)
        far = is_token.shape[1]
        left = left + far * (first == opening[self.document])[:, None]
        right = right + far * (last == closing[self.document])[:, None]
        context: IntArray = np.minimum(left, right)
        return context


def _tokens_of(encoding: Mapping[str, object], size: int) -> tuple[bytes, ...]:
    """Return the token ids of each window as bytes, without padding at the end."""
    if "input_ids" not in encoding:
        return ()
    rows = _rows(encoding, "input_ids")
    masked = "attention_mask" in encoding
    masks = _rows(encoding, "attention_mask") if masked else list(map(np.ones_like, rows))
    shapes = [row.shape for row in rows]
    fit = len(rows) == size and all(len(shape) == 1 for shape in shapes)
    if not fit or shapes != [mask.shape for mask in masks]:
        raise InputError("offset_mapping, input_ids and attention_mask do not fit each other")
    ends = (len(mask) - int(np.append(mask[::-1] != 0, True).argmax()) for mask in masks)
    return tuple(row[:end].tobytes() for row, end in zip(rows, ends, strict=True))


def _rows(encoding: Mapping[str, object], name: str) -> list[IntArray]:
    """Return a field of an encoding for each window, ``[tokens]`` or ``[tokens, 2]``."""
    rows = expect_list(encoding.get(name), "a list for each window", name)
    return [_integers(row, name) for row in rows]


def _array_of(values: object) -> NDArray[np.generic]:
    """Convert output of a tokenizer or model to an array; ``[1]`` if its rows differ in length."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.zeros(1)


def _integers(values: object, name: str) -> IntArray:
    array = _array_of(values)
    if array.size and array.dtype.kind not in "iu":
        raise InputError("expected integers", where=name)
    return array.astype(np.int64)


def _as_pairs(pairs: IntArray) -> IntArray:
    """Return the start and the end of each token, ``[tokens, 2]``."""
    if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.min() < 0):  # noqa: PLR2004 - start and end
        raise InputError("expected a start and an end for each token", where="offset_mapping")
    return pairs.reshape(-1, 2)


def as_ids(predictions: object, tags: TagSet) -> IntArray:
    """Return numbers of tags, from numbers or a model's outputs, from NumPy or PyTorch."""
    if hasattr(predictions, "detach"):
        predictions = predictions.detach().float().cpu().numpy()
    array = _array_of(predictions)
    if array.dtype.kind not in "iuf" or array.ndim not in (2, 3):
        wanted = "numeric predictions with 2 or 3 dimensions"
        raise InputError(f"expected {wanted}, got {array.ndim}")
    if array.ndim == 3:  # noqa: PLR2004 - windows, tokens, tags
        if array.shape[2] != len(tags.tags):
            raise InputError(f"outputs for {array.shape[2]} tags, but there are {len(tags.tags)}")
        array = array.argmax(axis=2)
    if not ((np.abs(array) < _MANY) & (array == np.rint(array))).all():
        raise InputError("expected predictions to be numbers of tags, or outputs for each tag")
    return array.astype(np.int64)


def _check_direction(table: IntArray, owners: IntArray, texts: Sequence[str]) -> None:
    """Reject tokens that begin before the last character of the previous token."""
    rows, columns = np.nonzero(table[..., 1] > table[..., 0])
    starts, ends = table[rows, columns, 0][1:], table[rows, columns, 1][:-1]
    for at in np.flatnonzero((rows[1:] == rows[:-1]) & (starts < ends - 1)).tolist():
        row, start, end = int(rows[at]), int(starts[at]), int(ends[at])
        shared = texts[int(owners[row])][start:end]
        if len(normalize("NFKC", shared)) > 1:
            raise InputError(
                f"a token begins at {start}, but the previous one ends at {end}",
                where=f"window {row}, token {int(columns[at + 1])}",
                remedy="Offsets must count from the start of the text: pass texts to the "
                "tokenizer; or, for words with is_split_into_words=True, make the windows with "
                "from_words(...).windows(encoding)",
            )


def _without_spaces(table: IntArray, text: str) -> IntArray:
    """Return offsets without white space at the edges of tokens; ``[windows, tokens, 2]``."""
    size = len(text)
    if table.max(initial=0) > size:
        raise InputError("a token ends after its text", remedy="Pass the texts that were encoded")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    space = np.isin(codes, _SPACES)
    here = np.arange(size)
    after = np.minimum.accumulate(np.where(space, size, here)[::-1])[::-1]
    before = np.maximum.accumulate(np.where(space, -1, here))
    starts = np.append(after, size)[table[..., 0]]
    ends = np.insert(before + 1, 0, 0)[table[..., 1]]
    empty = (table[..., 1] <= table[..., 0]) | (ends <= starts)
    return np.where(empty[..., None], 0, np.stack([starts, ends], axis=-1))


def _in_tokens(
    annotations: Sequence[Annotation], size: int, starts: IntArray, ends: IntArray
) -> list[tuple[list[tuple[int, int]], str]]:
    """Return annotations with the first and last token of each fragment that has tokens.

    ``size`` is the length of the text.
    """
    mentions = []
    for annotation in annotations:
        inside = [(start, min(end, size)) for start, end in annotation.spans if start < size]
        offsets = np.array(inside, np.int64).reshape(-1, 2)
        first = np.searchsorted(ends, offsets[:, 0], side="right").tolist()
        last = (np.searchsorted(starts, offsets[:, 1], side="left") - 1).tolist()
        tokens = [(a, b) for a, b in zip(first, last, strict=True) if a <= b]
        mentions.append((tokens, annotation.label))
    return mentions


def _join_adjacent(fragments: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return first and last tokens of fragments, after joining adjacent ones."""
    joined = fragments[:1]
    for first, last in fragments[1:]:
        if first == joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined
