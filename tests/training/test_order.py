"""Windows in another order, and offsets of another text, are refused. No PyTorch is needed."""

import re
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from training.corpora import as_coded_mentions, read_disorders
from training.test_tags import tokenize, windows_of

from clineval.base.errors import InputError
from clineval.training import Annotation, TagSet, Windows, compute_metrics_for
from clineval.training.windows import IGNORED

WIDTH = 32
TAGS = TagSet.of(["Disorder"], "biohd")
DISORDERS = read_disorders()


def cut(text):
    """The text up to where its last full window ends."""
    ends = [end for _, end in tokenize(text)[0][1:-1]]
    return text[: ends[len(ends) // WIDTH * WIDTH - 1]]


TEXTS = list(map(cut, DISORDERS.texts))
SIDES = zip(TEXTS, DISORDERS.references, DISORDERS.annotations, strict=True)
KEPT = [
    [(m, a) for m, a in zip(gold, found, strict=True) if m["spans"][-1][1] <= len(text)]
    for text, gold, found in SIDES
]
REFERENCES = [[mention for mention, _ in kept] for kept in KEPT]
ANNOTATIONS = [[annotation for _, annotation in kept] for kept in KEPT]


def evaluation():
    """Windows that are all full, their labels, and what scores them."""
    windows = windows_of(TEXTS, width=WIDTH)
    labels = windows.encode(ANNOTATIONS, TAGS)
    assert len(windows) > 20
    assert (windows.is_token == windows.is_token[0]).all()
    build = as_coded_mentions(DISORDERS)
    metrics = compute_metrics_for("semeval15_task14", windows, REFERENCES, TAGS, build=build)
    return windows, labels, metrics


def evaluate(metrics, labels, order, batch):
    """What a loop does that evaluates the windows in an order, and predicts their own tags."""
    result = {}
    bounds = [*range(0, len(order), batch), len(order)]
    for start, end in pairwise(bounds):
        rows = order[start:end]
        prediction = SimpleNamespace(
            predictions=np.maximum(labels[rows], 0), label_ids=labels[rows]
        )
        result = metrics(prediction, compute_result=end == len(order))
    return result


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_full_windows_that_are_shuffled_are_refused(batch):
    windows, labels, metrics = evaluation()
    in_order = np.arange(len(windows))
    expected = evaluate(metrics, labels, in_order, batch)
    assert expected["span_f1"] > 0.9
    shuffled = np.random.default_rng(4).permutation(in_order)
    with pytest.raises(InputError, match=r"window \d+: the labels of .* order, without shuffling"):
        evaluate(metrics, labels, shuffled, batch)
    # the batches before it are forgotten, and numbers say which windows they are
    assert evaluate(metrics, labels, in_order, batch) == expected
    metrics.add(np.maximum(labels[shuffled], 0), shuffled)
    assert metrics.compute() == expected


def test_two_windows_that_changed_places_are_named():
    windows, labels, metrics = evaluation()
    rows = (labels > 0).any(axis=1).nonzero()[0]
    order = np.arange(len(windows))
    one, other = int(rows[2]), int(rows[-1])
    assert (labels[one] != labels[other]).any()
    order[[one, other]] = other, one
    with pytest.raises(
        InputError, match=rf"window {one}: the labels of 2 of {len(windows)} windows"
    ):
        evaluate(metrics, labels, order, len(windows))


@given(st.data())
def test_another_order_is_refused_wherever_labels_can_tell(data):
    """Whatever the tags: what is refused is what differs from what was encoded, and no more."""
    texts = [" ".join("xy" * 6)] * 4
    spans = st.sets(st.integers(0, 5)).map(
        lambda words: [Annotation(((4 * at, 4 * at + 1),), "D") for at in sorted(words)]
    )
    annotations = [data.draw(spans) for _ in texts]
    windows, tags = windows_of(texts, width=6), TagSet.of(["D"])
    labels = windows.encode(annotations, tags)
    metrics = compute_metrics_for(
        "semeval15_task14", windows, [[] for _ in texts], tags, config="task1"
    )
    order = data.draw(st.permutations(range(len(windows))))
    ignored = data.draw(st.sampled_from([0, 1, 3]))
    shown = labels[order]
    shown[:, :ignored] = -100
    prediction = SimpleNamespace(predictions=np.maximum(labels, 0), label_ids=shown)
    if ((shown != labels) & (shown != -100)).any():
        with pytest.raises(InputError, match="differ from the encoded labels"):
            metrics(prediction)
    else:
        assert metrics(prediction)["n_documents"] == len(texts)


class Tensor:
    """As PyTorch's, of which NumPy can make nothing on another device."""

    def __init__(self, array):
        self.array = array

    def detach(self):
        return self

    def cpu(self):
        return self.array


def test_padded_ignored_and_other_kinds_of_labels_are_taken():
    windows, labels, metrics = evaluation()
    expected = evaluate(metrics, labels, np.arange(len(windows)), 1000)
    padded = np.pad(labels, ((0, 0), (0, 3)), constant_values=-100)
    first = np.where(np.arange(labels.shape[1]) % 2, labels, -100)  # such as first pieces of words
    for found in (padded, first, labels[:, :-1], labels.astype(np.int32), Tensor(labels), None):
        prediction = SimpleNamespace(predictions=np.maximum(labels, 0), label_ids=found)
        assert metrics(prediction) == expected


def test_labels_that_were_encoded_twice_are_both_known():
    """Of two annotators, or of two schemes; what becomes of the labels outside changes nothing."""
    windows, labels, metrics = evaluation()
    others = windows.encode([found[::2] for found in ANNOTATIONS], TAGS)
    kept = labels.copy()
    labels[:] = -100
    for known in (kept, others):
        prediction = SimpleNamespace(predictions=np.maximum(kept, 0), label_ids=known)
        assert metrics(prediction)["n_documents"] == len(TEXTS)
    mixed = np.where(np.arange(len(kept))[:, None] % 2, kept[::-1], others[::-1])
    with pytest.raises(InputError, match="differ from the encoded labels"):
        metrics(SimpleNamespace(predictions=np.maximum(kept, 0), label_ids=mixed))


WORDS = "Knee pain , no fever"
BY_WORDS = [match.span() for match in re.finditer(r"\S+", WORDS)]


@pytest.mark.parametrize(
    "offsets",
    [
        [(0, end - start) for start, end in BY_WORDS],
        [(0, 0), *((0, end - start) for start, end in BY_WORDS), (0, 0)],
        [(0, 2), (2, 4), (0, 4), (0, 1), (0, 2), (0, 3), (3, 5)],  # pieces of words
        [*BY_WORDS[:3], BY_WORDS[4], BY_WORDS[3]],
        [*BY_WORDS, *BY_WORDS],
        [(0, 4), (0, 0), (4, 9), (2, 4)],
    ],
    ids=["words", "special tokens", "pieces", "exchanged", "twice", "behind what is no token"],
)
def test_offsets_that_go_backwards_are_refused(offsets):
    encoding = {"offset_mapping": [BY_WORDS, offsets], "overflow_to_sample_mapping": [0, 0]}
    with pytest.raises(InputError, match=r"window 1, token \d+: .*is_split_into_words") as caught:
        Windows.of(encoding, [WORDS])
    assert "Knee" not in str(caught.value)


@given(st.lists(st.text("abé🩺", min_size=1, max_size=5), min_size=2, max_size=8))
def test_offsets_of_words_are_refused_and_those_of_texts_are_not(words):
    text = " ".join(words)
    assert windows_of([text]).is_token.any()
    assume(max(map(len, words[:-1])) > 1)  # what stands behind one letter does not go back
    with pytest.raises(InputError, match="is_split_into_words"):
        Windows.of({"offset_mapping": [[(0, len(word)) for word in words]]}, [text])


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("\U0001fa7a knee", [(0, 1), (0, 1), (0, 1), (0, 1), (1, 6)]),  # bytes of one character
        ("e\u0301te\u0301", [(0, 2), (0, 2), (2, 3), (3, 5), (3, 5)]),  # of one that was composed
        ("\u1112\u1161\u11ab x", [(0, 3), (0, 3), (0, 3), (4, 5)]),
        ("\u00bd cup", [(0, 1), (0, 1), (0, 1), (2, 5)]),  # a fraction, as three
        ("na\u00efve", [(0, 3), (2, 5)]),  # a character half in one token, half in the next
        ("x knee", [(0, 1), (0, 1), (0, 0), (2, 6), (0, 0)]),  # a blank in front, which is none
    ],
)
def test_tokens_that_share_a_character_do_not_go_backwards(text, offsets):
    windows = Windows.of({"offset_mapping": [offsets]}, [text])
    assert windows.is_token.sum() == sum(end > start for start, end in offsets)


def test_windows_of_a_text_may_come_in_any_order():
    offsets = [BY_WORDS[3:], BY_WORDS[:3], BY_WORDS[2:4]]
    encoding = {"offset_mapping": offsets, "overflow_to_sample_mapping": [0, 0, 0]}
    assert len(Windows.of(encoding, [WORDS])) == 3


@given(st.data())
def test_windows_that_are_known_by_their_tokens_may_come_in_any_order(data):
    """Also some with the same tokens, in batches, padded by any number."""
    words = st.lists(st.sampled_from(["x", "y"]), min_size=1, max_size=9).map(" ".join)
    texts = data.draw(st.lists(words, min_size=1, max_size=4))
    offsets = [[(at, at + 1) for at in range(0, len(text), 2)] for text in texts]
    rows = [(n, of[a : a + 4]) for n, of in enumerate(offsets) for a in range(0, len(of), 4)]
    ids = [[1 + (texts[n][a] == "y") for a, _ in of] for n, of in rows]
    encoding = {
        "offset_mapping": [of for _, of in rows],
        "overflow_to_sample_mapping": [n for n, _ in rows],
        "input_ids": ids,
    }
    windows, tags = Windows.of(encoding, texts), TagSet.of(["D"])
    gold = [[{"spans": [list(of[0])], "cui": None}] for of in offsets]
    labels = windows.encode([[Annotation((of[0],), "D")] for of in offsets], tags)
    # a model: what it predicts follows from the tokens
    found = np.zeros(labels.shape, np.int64)
    for row, own in enumerate(ids):
        found[row, : len(own)] = np.array(own) - 1
    ordered = compute_metrics_for("semeval15_task14", windows, gold, tags, config="task1")
    expected = ordered(SimpleNamespace(predictions=found))
    order = data.draw(st.permutations(range(len(windows))))
    pad = data.draw(st.sampled_from([0, 3, IGNORED]))
    metrics = compute_metrics_for("semeval15_task14", windows, gold, tags, config="task1")
    size, result = data.draw(st.integers(1, 4)), {}
    for first in range(0, len(order), size):
        some = list(order[first : first + size])
        width = max(len(ids[row]) for row in some) + data.draw(st.integers(0, 2))
        inputs = np.full((len(some), width), pad)
        for at, row in enumerate(some):
            inputs[at, : len(ids[row])] = ids[row]
        prediction = SimpleNamespace(
            predictions=np.pad(found, ((0, 0), (0, 2)))[some], inputs=inputs
        )
        result = metrics(prediction, compute_result=first + size >= len(order))
    assert result == expected


def test_tokens_of_no_window_are_refused_and_those_that_come_again():
    texts = ["x y"]
    encoding = {"offset_mapping": [[(0, 1), (2, 3)]], "input_ids": [[5, 6]]}
    metrics = compute_metrics_for(
        "semeval15_task14", Windows.of(encoding, texts), [[]], TagSet.of(["D"]), config="task1"
    )
    for inputs in ([[5, 7]], [[5, 6], [5, 6]], [[5]]):
        prediction = SimpleNamespace(
            predictions=np.zeros((len(inputs), 2), int), inputs=np.array(inputs)
        )
        with pytest.raises(InputError, match="these tokens belong to no window"):
            metrics(prediction)
