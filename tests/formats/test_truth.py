"""True and false are values of slots such as negation, in whatever form mentions are given."""

import json

import laws
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import spacy
from spacy.tokens import Span

import clineval
from clineval import Document, Mention
from clineval.evaluation.convert import read, write
from clineval.results.slots import Slot
from spacy_clin import score_docs, set_mentions, to_inputs

TEXT = "No fever."
METRIC = "semeval15_task14"
OPTIONS = {"config": "task2a"}


def mention(**slots):
    return {"spans": [[3, 8]], "cui": "C0015967", **slots}


def accuracy(predicted, gold):
    return clineval.score(METRIC, predicted, gold, **OPTIONS)["negation_accuracy"]


WORDS = {True: [[mention(negation="yes")]], False: [[mention(negation="no")]]}


@pytest.mark.parametrize("given", [True, "true", "True", 1, np.True_, False, "false", 0, np.False_])
def test_a_dict_may_have_it(given):
    truth = str(given).lower() in {"true", "1"}
    predicted = [[mention(negation=given)]]
    assert accuracy(predicted, WORDS[truth]) == 1
    assert accuracy(predicted, WORDS[not truth]) == 0


@pytest.mark.parametrize("truth", [True, False])
def test_files_and_tables_may_have_it(tmp_path, truth):
    line = {"id": "a", "mentions": [mention(negation=truth)], "text": TEXT}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line) + "\n")
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({**line, "mentions": WORDS[truth][0]}) + "\n")
    assert accuracy(path, gold) == 1
    tables = [pa.table({"id": ["a"], "mentions": m}) for m in ([line["mentions"]], WORDS[truth])]
    for name, table in zip(("a", "gold"), tables, strict=True):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    assert accuracy(tmp_path / "a.parquet", tmp_path / "gold.parquet") == 1
    for format_ in ("brat", "pipe", "jsonl", "parquet"):
        target = tmp_path / f"out.{format_}"
        write([Document("a", [Mention.from_dict(mention(negation=truth))], TEXT)], target, format_)
        [document] = read(target, METRIC, format=format_)
        said = document.mentions[0].slots.get("negation", "no")
        assert said == WORDS[truth][0][0]["negation"]
    assert read(path, METRIC)[0].mentions[0].slots == {"negation": "yes" if truth else "no"}


@pytest.mark.parametrize(("said", "negation"), [("", "yes"), (" true", "yes"), (" False", "no")])
def test_attributes_of_brat_may_have_it(tmp_path, said, negation):
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "a.ann").write_text(f"T1\tDisorder 3 8\tfever\nA1\tNegation T1{said}\n")
    [document] = read(tmp_path, METRIC, format="brat")
    assert document.mentions[0].slots["negation"] == negation


def test_docs_may_have_it():
    if not Span.has_extension("said_no"):
        Span.set_extension("said_no", default=None)
    make = spacy.blank("en").make_doc
    docs = [make(TEXT) for _ in range(3)]
    set_mentions(docs[0], [mention(negation="yes")])
    set_mentions(docs[1], [mention(negation=True)])
    docs[2].ents = [Span(docs[2], 1, 2, "Disorder", kb_id="C0015967")]
    docs[2].ents[0]._.said_no = "true"
    getter = {"span_getter": "ents", "attributes": {"negation": "_.said_no"}}
    assert to_inputs(docs[1:2]) == to_inputs(docs[:1])
    assert to_inputs(docs[2:], getter=getter) == to_inputs(docs[:1])
    score = score_docs(docs[:1], docs[1:2], METRIC, **OPTIONS)
    assert score["negation_accuracy"] == 1


@pytest.mark.parametrize(
    ("slot", "true", "false"),
    [
        (Slot("x", "closed", ("no", "yes")), "yes", "no"),
        (Slot("x", "closed", ("yes", "no")), "yes", "no"),
        (Slot("x", "closed", ("unknown", "false", "true")), "true", "false"),
        (Slot("x", "closed", ("affirmed", "negated")), "negated", "affirmed"),
        (Slot("x", "closed", ("patient", "family", "other")), True, False),
        (Slot("x", "closed", ("drug", "dose"), required=True), True, False),
        (Slot("x", "label"), True, False),
    ],
)
def test_which_word_it_is(slot, true, false):
    assert list(map(slot.word, (True, False))) == [true, false]


@pytest.mark.parametrize("given", [True, 1, "true"])
def test_other_slots_do_not_have_it(given):
    laws.refuses(lambda: accuracy([[mention(severity=given)]], [[mention()]]), "severity: expected")
