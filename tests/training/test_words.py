"""Data sets of words with tags: texts, annotations, windows, and the Trainer on them."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st
from needs import need
from training.corpora import read_disorders

import clineval
from clineval import Document, InputError, Mention
from clineval.formats.jsonl import write_documents
from clineval.results.registry import find_challenge
from clineval.training import Annotation, TagSet, as_mentions, compute_metrics_for, from_words

MODULE = "semeval15_task14"
NAMES = {
    "bio": ["O", "B-Drug", "I-Drug", "B-Sign", "I-Sign"],
    "bioes": ["O", *(f"{p}-{label}" for label in ("Drug", "Sign") for p in "BIES")],
}


def plain_annotations(words, tags):
    """What BIO or BIOES tags say, read word by word."""
    text, found, at, open_ = " ".join(words), [], 0, None
    for word, tag in zip(words, tags, strict=True):
        prefix, _, label = tag.partition("-")
        if open_ is None or prefix in ("O", "B", "S") or label != open_[2]:
            open_ = None if prefix == "O" else [at, at, label]
            found += [open_] if open_ else []
        if open_:
            open_[1] = at + len(word)
        if prefix in ("E", "S"):
            open_ = None
        at += len(word) + 1
    return text, [Annotation(((start, end),), label) for start, end, label in found]


@given(st.sampled_from(list(NAMES)), st.data())
def test_texts_and_annotations_are_those_of_the_words(scheme, data):
    names = NAMES[scheme]
    word = st.text("abé🩺,", min_size=1, max_size=4)
    rows = data.draw(
        st.lists(st.lists(st.tuples(word, st.integers(0, len(names) - 1)), max_size=8))
    )
    tokens, tags = [[w for w, _ in row] for row in rows], [[t for _, t in row] for row in rows]
    written = [[names[tag] for tag in row] for row in tags]
    expected = [plain_annotations(w, t) for w, t in zip(tokens, written, strict=True)]
    features = SimpleNamespace(feature=SimpleNamespace(names=names))
    for words in (
        from_words(tokens, tags, features),
        from_words(tokens, tags, names),
        from_words(tokens, written, names),
    ):
        assert words.texts == tuple(text for text, _ in expected)
        assert [list(of) for of in words.annotations] == [of for _, of in expected]
    for text, offsets, of in zip(words.texts, words.offsets, tokens, strict=True):
        assert [text[start:end] for start, end in offsets] == of


def test_a_class_label_of_datasets():
    datasets = pytest.importorskip("datasets")
    series = getattr(datasets, "List", datasets.Sequence)  # the former since version 4
    features = datasets.Features(
        {
            "tokens": series(datasets.Value("string")),
            "ner_tags": series(datasets.ClassLabel(names=NAMES["bio"])),
        }
    )
    rows = {"tokens": [["No", "rash", "."]], "ner_tags": [["O", "B-Sign", "O"]]}
    dataset = datasets.Dataset.from_dict(rows, features=features)
    words = from_words(dataset["tokens"], dataset["ner_tags"], dataset.features["ner_tags"])
    assert words.annotations == ((Annotation(((3, 7),), "Sign"),),)
    assert words.documents(as_mentions()) == [[{"spans": [[3, 7]], "cui": None}]]


@pytest.mark.parametrize(
    ("tokens", "tags", "names", "said"),
    [
        ([["a", "b"]], [["O"]], None, "document 0: 2 words, but 1 tags"),
        ([["a"], ["b"]], [["O"]], None, "2 documents with words, but 1 with tags"),
        ([["a"]], [[0]], None, "features"),
        ([["a"]], [[7]], NAMES["bio"], "document 0, word 0: 7 is not one of the 5 tags"),
        ([["a"]], [["B-X"]], NAMES["bio"], "document 0, word 0: 'B-X' is not one of the 5 tags"),
        ([["a"]], [[None]], NAMES["bio"], "None is not one of the 5 tags"),
        ([["a"]], [["Q-X"]], None, "unknown tag prefix"),
        (["No rash"], [["O"]], None, "tokens, document 0: expected a list, got a string"),
        ("No rash", [["O"]], None, "tokens: expected a list for each document, got a string"),
        ([["a"]], [0], NAMES["bio"], "tags, document 0: expected a list, got 0"),
        ([[7]], [["O"]], None, "document 0: expected words, got 7"),
        ([["a"]], [["O"]], 7, "expected a tuple of strings"),
    ],
)
def test_what_is_no_data_set_is_refused(tokens, tags, names, said):
    with pytest.raises(InputError, match=said):
        from_words(tokens, tags, names)


def test_the_first_token_of_each_word_stands_for_it():
    words = from_words(
        [["Painful", "knee"], ["No", "rash"]], [["B-Sign", "I-Sign"], ["O", "B-Sign"]]
    )
    encoding = {"word_ids": [[None, 0, 0, 1, None], [None, 1, None], [None, 0, 1, 1, None]],
                "overflow_to_sample_mapping": [0, 0, 1]}  # fmt: skip
    windows = words.windows(encoding)
    assert windows.starts.tolist() == [[0, 0, 0, 8, 0], [0, 8, 0, 0, 0], [0, 0, 3, 0, 0]]
    labels = windows.encode(words.annotations, words.tags)
    ids = words.tags.label2id
    begin, inside = ids["B-Sign"], ids["I-Sign"]
    assert labels.tolist() == [
        [-100, begin, -100, inside, -100],
        [-100, inside, -100, -100, -100],
        [-100, 0, begin, -100, -100],
    ]  # fmt: skip
    assert windows.decode(np.maximum(labels, 0), words.tags) == [
        list(of) for of in words.annotations
    ]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ({"word_ids": [[0], [0]]}, "2 windows do not fit 1 documents"),
        ({"word_ids": [[0, 2]]}, "window 0: word 2 of a document with 2 words"),
        ({"input_ids": [[1]]}, "is_split_into_words=True"),
    ],
)
def test_encodings_of_something_else_are_refused(encoding, said):
    with pytest.raises(InputError, match=said):
        from_words([["a", "b"]], [["O", "O"]]).windows(encoding)


def read_tagged_words():
    """The demo notes as a data set of words with tags, a sentence each."""
    tags, rows = TagSet.of(["Disorder"]), []
    corpus = read_disorders()
    for text, annotations in zip(corpus.texts, corpus.annotations, strict=True):
        inside = {at for a in annotations for s, e in a.spans for at in range(s, e)}
        starts = {s for a in annotations for s, _ in a.spans}
        for line in re.finditer(r"\S[^\n]*", text):
            words = list(re.finditer(r"\w+|[^\w\s]", line[0]))
            at = [line.start() + word.start() for word in words]
            own = [
                "O" if k not in inside else "B-Disorder" if k in starts else "I-Disorder"
                for k in at
            ]
            rows.append(([word[0] for word in words], [tags.label2id[tag] for tag in own]))
    return from_words([w for w, _ in rows], [t for _, t in rows], tags.tags), [w for w, _ in rows]


@pytest.fixture(scope="module")
def tagged():
    """Words, their windows, and rows for the Trainer."""
    need("torch", "training")
    need("accelerate", "training")
    from training.models import make_tokenizer

    words, tokens = read_tagged_words()
    tokenizer = make_tokenizer(words.texts)
    encoding = tokenizer(
        tokens, is_split_into_words=True, truncation=True, max_length=12, stride=4,
        return_overflowing_tokens=True,
    )  # fmt: skip
    windows = words.windows(encoding)
    assert len(windows) > len(tokens)
    labels = windows.encode(words.annotations, words.tags).tolist()
    rows = [
        {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": row[: len(ids)]}
        for ids, row in zip(encoding["input_ids"], labels, strict=True)
    ]
    return words, tokenizer, windows, rows


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("strategy", ["random", "group_by_length"])
def test_the_trainer_gives_the_command_lines_number(tagged, strategy, batched, tmp_path):
    """A model that knows its tags by heart, and learns nothing: the same number in any order."""
    from training.models import TaggerByHeart
    from transformers import DataCollatorForTokenClassification, Trainer, TrainingArguments

    class Learner(TaggerByHeart):
        def forward(self, input_ids, attention_mask=None, labels=None):
            output = super().forward(input_ids, attention_mask, labels)
            output.loss = output.logits.sum() * 0
            return output

    words, tokenizer, windows, rows = tagged
    gold = words.documents(as_mentions())
    metrics = compute_metrics_for(MODULE, windows, gold, words.tags, config="task1")
    trainer = Trainer(
        model=Learner(tokenizer, words.tags, rows),
        args=TrainingArguments(
            str(tmp_path / "tagger"), train_sampling_strategy=strategy, use_cpu=True, report_to=[],
            include_for_metrics=["inputs"], batch_eval_metrics=batched, disable_tqdm=True,
            per_device_eval_batch_size=16, max_steps=2, eval_strategy="no", save_strategy="no",
        ),
        train_dataset=rows, eval_dataset=rows, compute_metrics=metrics,
        data_collator=DataCollatorForTokenClassification(tokenizer),
    )  # fmt: skip
    trainer.train()
    result = trainer.evaluate()["eval_strict_f1"]
    for name, side in (("gold", gold), ("found", metrics.predictions)):
        documents = [
            Document(f"s{at}", [Mention(m["spans"]) for m in of]) for at, of in enumerate(side)
        ]
        write_documents(documents, tmp_path / f"{name}.jsonl")
    sides = [tmp_path / "gold.jsonl", tmp_path / "found.jsonl"]
    done = invoke(["score", MODULE, *sides, "--config", "task1", "--format", "json"])
    assert json.loads(done.stdout)["scores"]["strict_f1"] == result
    # the tags of each window by itself, as the model's own numbers say, without any loop
    by_hand = model_tags(trainer.model, rows, windows)
    expected = compute_metrics_for(MODULE, windows, gold, words.tags, config="task1")
    assert expected(SimpleNamespace(predictions=by_hand))["strict_f1"] == result
    assert 0.2 < result < 1


def model_tags(model, rows, windows):
    """The model's tag of each token, window by window, in order."""
    import torch

    found = np.zeros(windows.starts.shape, np.int64)
    for at, row in enumerate(rows):
        with torch.no_grad():
            logits = model(torch.tensor([row["input_ids"]])).logits
        found[at, : len(row["input_ids"])] = logits[0].argmax(-1).numpy()
    return found


TYPELESS = [["leg", "pain", "and", "fever"]]
BARE = [["B", "I", "O", "B"]]


@pytest.mark.parametrize(
    ("tags", "names"),
    [(BARE, None), ([[1, 2, 0, 1]], ["O", "B", "I"]), ([["B-", "I-", "O", "B-"]], None)],
)
def test_tags_without_a_type_get_a_label(tags, names):
    words = from_words(TYPELESS, tags, names, label="Disease")
    assert [a.label for a in words.annotations[0]] == ["Disease", "Disease"]
    assert set(words.tags.tags) == {"O", "B-Disease", "I-Disease"}
    gold = [[{"spans": [list(s) for s in a.spans], "label": a.label} for a in words.annotations[0]]]
    assert clineval.score("clinical_spans", gold, gold)["disease_strict_tp"] == 2


def test_tags_with_a_type_keep_it():
    assert from_words([["a", "b"]], [["B-Sign", "B"]], label="Disease").tags.labels == (
        "Disease",
        "Sign",
    )


@pytest.mark.parametrize("module", ["clinical_spans", "bc5cdr", "distemist22", "clinais23_b2"])
def test_the_message_of_tags_without_a_type_says_what_to_do(module):
    """Each of these challenges needs a label; one of the labels is no word of a note."""
    words = from_words(TYPELESS, BARE)
    build = find_challenge(module).kind.build
    gold = words.documents(build)
    with pytest.raises(InputError, match=r"from_words\(\.\.\., label=\.\.\.\)"):
        clineval.score(module, gold, gold)


def test_tags_written_the_other_way_round_are_rejected_with_a_remedy():
    with pytest.raises(InputError, match=r"as in B-Disorder: replace each tag by '-'\.join"):
        from_words([["a"]], [["ADJP-B"]])
    turned = "-".join(reversed(["ADJP", "B"]))
    assert from_words([["a"]], [[turned]]).tags.labels == ("ADJP",)
    with pytest.raises(InputError, match="Write tags such as"):
        from_words([["a"]], [["ADJP"]])
