"""Tags to annotations and back, over windows that overlap. No PyTorch is needed."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval.base.errors import InputError, InputWarning
from clineval.training import Annotation, TagSet, Windows, from_entries, from_mentions

SCHEMES = ["bio", "bilou", "biohd"]
LABELS = ["A", "B"]


def tokenize(text, width=1000, stride=0):
    """What a fast tokenizer returns: words, special tokens at both ends, windows, padding."""
    words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    rows, start = [], 0
    while True:
        rows.append([(0, 0), *words[start : start + width], (0, 0)])
        if start + width >= len(words):
            break
        start += width - stride
    longest = max(map(len, rows))
    return [row + [(0, 0)] * (longest - len(row)) for row in rows]


def windows_of(texts, **options):
    rows = [(number, row) for number, text in enumerate(texts) for row in tokenize(text, **options)]
    encoding = {
        "offset_mapping": [row for _, row in rows],
        "overflow_to_sample_mapping": [number for number, _ in rows],
    }
    return Windows.of(encoding, texts)


def spans_of(found):
    return [(annotation.spans, annotation.label) for annotation in found]


@st.composite
def tagged(draw):
    """Texts of one-letter words, and contiguous mentions of them that do not overlap."""
    texts, annotations = [], []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 30))
        bounds = sorted(draw(st.sets(st.integers(0, size), max_size=8)))
        pairs = zip(bounds[::2], bounds[1::2], strict=False)
        texts.append(" ".join("x" * size))
        annotations.append(
            [Annotation(((2 * a, 2 * b - 1),), draw(st.sampled_from(LABELS))) for a, b in pairs]
        )
    return texts, annotations


@given(tagged(), st.sampled_from(SCHEMES), st.integers(4, 12), st.integers(0, 3))
def test_what_tags_can_express_comes_back_whatever_the_windows(corpus, scheme, width, stride):
    texts, annotations = corpus
    tags = TagSet.of(LABELS, scheme)
    windows = windows_of(texts, width=width, stride=stride)
    labels = windows.encode(annotations, tags)
    assert ((labels == -100) == ~windows.is_token).all()
    found = windows.decode(labels, tags)
    assert found == annotations
    outputs = np.eye(len(tags.tags))[np.where(labels < 0, 0, labels)]
    assert windows.decode(outputs, tags) == annotations


def read_as_conlleval(tags):
    """Plain reading of BIO and BILOU tags: first and last token, label."""
    runs, open_run = [], None
    for number, tag in enumerate([*tags, "O"]):
        prefix, _, label = tag.partition("-")
        if open_run and (prefix in "BUO" or label != open_run[2] or open_run[3]):
            runs.append(tuple(open_run[:3]))
            open_run = None
        if prefix != "O":
            if open_run is None:
                open_run = [number, number, label, False]
            open_run[1], open_run[3] = number, prefix in "LU"
    return runs


@given(st.lists(st.sampled_from(TagSet.of(LABELS, "bilou").tags), min_size=1, max_size=15))
def test_any_sequence_is_read_as_conlleval_reads_it(sequence):
    tags = TagSet.of(LABELS, "bilou")
    windows = windows_of([" ".join("x" * len(sequence))])
    ids = [[0, *(tags.label2id[tag] for tag in sequence), 0]]
    expected = [(((2 * a, 2 * b + 1),), label) for a, b, label in read_as_conlleval(sequence)]
    assert spans_of(windows.decode(ids, tags)[0]) == expected


TEXT = "left atrium and right atrium are dilated , no edema"
OFFSETS = {m.group(): m.span() for m in reversed([*re.finditer(r"\S+", TEXT)])}


def mention(*words):
    spans = [OFFSETS[word] for word in words]
    return {"spans": [list(span) for span in spans], "cui": None}


@pytest.mark.parametrize(
    "mentions",
    [
        [mention("left", "dilated")],  # bodies only
        [mention("left", "dilated"), mention("right", "dilated")],  # a shared head
        [mention("left", "dilated"), mention("right", "dilated"), mention("edema")],
        [{"spans": [[OFFSETS["left"][0], OFFSETS["atrium"][1]]], "cui": None}],
    ],
    ids=["bodies", "head", "head-and-plain", "plain"],
)
def test_biohd_expresses_discontiguous_mentions(mentions):
    tags = TagSet.of(["Disorder"], "biohd")
    windows = windows_of([TEXT])
    annotations = from_mentions(mentions)
    found = windows.decode(windows.encode([annotations], tags), tags)[0]
    assert sorted(found) == sorted(annotations)


def test_bio_tags_each_fragment_on_its_own():
    tags = TagSet.of(["Disorder"])
    windows = windows_of([TEXT])
    annotations = from_mentions([mention("left", "dilated")])
    found = windows.decode(windows.encode([annotations], tags), tags)[0]
    assert [annotation.spans for annotation in found] == [(OFFSETS["left"],), (OFFSETS["dilated"],)]


def test_bodies_far_apart_are_two_mentions():
    tags = TagSet(TagSet.of(["Disorder"], "biohd").tags, reach=3)
    windows = windows_of([TEXT])
    annotations = from_mentions([mention("left", "dilated")])
    assert len(windows.decode(windows.encode([annotations], tags), tags)[0]) == 2


def test_a_head_beside_its_body_is_one_fragment():
    tags = TagSet.of(["D"], "biohd")
    windows = windows_of(["severe knee pain"])
    ids = [[0, tags.label2id["DB-D"], tags.label2id["HB-D"], tags.label2id["HI-D"], 0]]
    assert spans_of(windows.decode(ids, tags)[0]) == [(((0, 16),), "D")]


def test_a_token_in_two_windows_has_the_tag_of_the_one_with_more_context():
    tags = TagSet.of(["D"])
    windows = windows_of(["a b c d e f g h"], width=5, stride=2)
    assert windows.document.tolist() == [0, 0]
    ids = np.zeros(windows.starts.shape, int)
    ids[0, 5] = 1  # "e", the last one of the first window
    assert windows.decode(ids, tags) == [[]]
    ids[0, 5], ids[1, 2] = 0, 1  # "e", the second one of the second window
    assert windows.decode(ids, tags) == [[Annotation(((8, 9),), "D")]]


def test_white_space_at_the_edges_of_tokens_is_cut_off():
    text = "no  knee\u00a0pain\n"
    encoding = {"offset_mapping": [[(0, 2), (2, 8), (8, 13), (13, 14), (0, 0)]]}
    windows = Windows.of(encoding, [text])
    tags = TagSet.of(["D"])
    assert windows.is_token.tolist() == [[True, True, True, False, False]]
    found = windows.decode([[0, 1, 2, 2, 2]], tags)
    assert found == [[Annotation(((4, 13),), "D")]]


def test_offsets_are_those_of_code_points():
    text = "🩺 knee pain"
    windows = windows_of([text])
    found = windows.decode([[0, 0, 1, 2, 0]], TagSet.of(["D"]))
    assert [text[a:b] for a, b in found[0][0].spans] == ["knee pain"]


def test_windows_without_tokens_and_documents_without_windows():
    windows = Windows.of(
        {"offset_mapping": [[(0, 0)]], "overflow_to_sample_mapping": [1]}, ["", ""]
    )
    tags = TagSet.of(["D"])
    assert windows.encode([[], []], tags).tolist() == [[-100]]
    assert windows.decode([[1]], tags) == [[], []]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Windows.of({"input_ids": [[1]]}, ["a"]), "return_offsets_mapping"),
        (lambda: Windows.of({"offset_mapping": [[(0, 1)], [(0, 1)]]}, ["a"]), "2 windows"),
        (lambda: Windows.of({"offset_mapping": [[(0, 9)]]}, ["a"]), "ends after its text"),
        (lambda: windows_of(["a b"]).decode([[0]], TagSet.of(["D"])), "do not fit"),
        (lambda: windows_of(["a"]).decode([[0, 9, 0]], TagSet.of(["D"])), "3 tags"),
        (lambda: windows_of(["a"]).decode([0], TagSet.of(["D"])), "1$"),
        (lambda: windows_of(["a"]).decode(np.zeros((1, 3, 7)), TagSet.of(["D"])), "7 tags"),
        (lambda: windows_of(["a"]).encode([], TagSet.of(["D"])), "0 annotated documents"),
        (
            lambda: windows_of(["a"]).encode([[Annotation(((0, 1),), "E")]], TagSet.of(["D"])),
            "no tags for the label 'E'",
        ),
        (lambda: TagSet(("B-D", "I-D")), "O among them"),
        (lambda: TagSet(("O", "O")), "different tags"),
        (lambda: TagSet(("O", "Q-D")), "'Q'"),
        (lambda: TagSet(("O", 7)), "expected a tuple of strings"),
        (lambda: TagSet(("O",), reach=-1), "reach: expected a number of tokens, got -1"),
        (lambda: TagSet.of("Disorder"), "expected a list of names"),
        (lambda: Windows.of({"offset_mapping": [[(-1, 2)]]}, ["ab"]), "a start and an end"),
        (lambda: Windows.of({"offset_mapping": [[("a", "b")]]}, ["ab"]), "expected integers"),
        (lambda: Windows.of({"offset_mapping": [7]}, ["ab"]), "a start and an end"),
        (lambda: Windows.of({"offset_mapping": [[(0, 1)]], "input_ids": []}, ["ab"]), "each other"),
        # one number in place of a row of them
        (lambda: Windows.of({"offset_mapping": [[(0, 1)]], "input_ids": [5]}, ["a"]), "each other"),
        (lambda: windows_of(["a"]).decode(np.full((1, 3), np.nan), TagSet.of(["D"])), "of tags"),
        (
            lambda: windows_of(["a"]).decode([[0], [0, 1]], TagSet.of(["D"])),
            "expected numeric predictions",
        ),
        (lambda: from_mentions([{"spans": "0-5"}]), "expected spans"),
        (lambda: from_mentions(7), "a list of mentions"),
        (lambda: from_entries([7], "a"), "expected an entry as a dict"),
        (lambda: TagSet.of(["D"], "bioes"), "bilou"),
    ],
)
def test_what_does_not_fit_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_other_spellings_of_bilou_are_read():
    tags = TagSet(("O", "B-D", "I-D", "E-D", "S-D"))
    assert tags.scheme == "bilou"
    found = windows_of(["a b c d"]).decode([[0, 1, 3, 4, 4, 0]], tags)[0]
    assert [annotation.spans[0] for annotation in found] == [(0, 3), (4, 5), (6, 7)]


def test_annotations_beyond_the_text_are_said():
    annotations = [Annotation(((0, 1), (9, 10**30)), "D")]
    with pytest.warns(InputWarning, match="has annotations beyond its text.*: document 0"):
        labels = windows_of(["a"]).encode([annotations], TagSet.of(["D"]))
    inside = windows_of(["a"]).encode([[Annotation(((0, 1),), "D")]], TagSet.of(["D"]))
    assert labels.tolist() == inside.tolist()
