"""Scores of Docs = scores of the evaluate module = scores of the command line, exactly."""

import json
import shutil
import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path

import evaluate
import pytest
from docs import CORPORA, annotated_texts, blank_doc, demo_docs
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.registry import find_challenge
from spacy_clin import score_docs, set_mentions, to_inputs, write_docs

CLINEVAL = shutil.which("clineval", path=str(Path(sys.executable).parent))


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request):
    """Gold and predicted Docs of a challenge's demo."""
    return request.param, *demo_docs(request.param)


def from_files(challenge, golds, preds, folder, config, protocol):  # noqa: PLR0913, PLR0917
    """What the command line says of the files that the Docs are written to."""
    extension = ".json" if challenge == "clinais23_b2" else ""
    gold, pred = folder / f"gold{extension}", folder / f"pred{extension}"
    write_docs(golds, gold, challenge, side="references")
    write_docs(preds, pred, challenge)
    command = [CLINEVAL, "score", challenge, gold, pred, "--config", config]
    command += ["--protocol", protocol, "--format", "json"]
    if challenge == "i2b2_2009_medication":
        (folder / "records").mkdir()
        for doc in golds:
            name = doc.spans["clin_meds"].attrs["document"]
            (folder / "records" / name).write_bytes(doc.text.encode())
        command += ["--records", folder / "records"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def from_evaluate(challenge, golds, preds, config, protocol):
    metric = evaluate.load(challenge, config)
    texts = {"records": [doc.text for doc in golds]} if "i2b2" in challenge else {}
    return metric.compute(
        predictions=to_inputs(preds, challenge, config=config),
        references=to_inputs(golds, challenge, config=config, side="references"),
        protocol=protocol,
        **texts,
    )


def test_docs_module_and_command_line_agree(corpus, tmp_path):
    challenge, golds, preds = corpus
    described = find_challenge(challenge)
    for config, protocol in product(described.configs, described.protocols):
        folder = tmp_path / f"{config}-{protocol}"
        folder.mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", clineval.InputWarning)
            score = score_docs(golds, preds, challenge, config=config, protocol=protocol)
            computed = from_evaluate(challenge, golds, preds, config, protocol)
            written = from_files(challenge, golds, preds, folder, config, protocol)
        signature = computed.pop("signature")
        assert dict(score.values) == computed == written["scores"]
        assert str(score.signature) == signature == written["signature"]
        assert score["n_documents"] == len(golds) > 5


@given(annotated_texts(), st.data())
def test_random_docs_and_the_module_agree(annotated, data):
    text, mentions = annotated
    gold, pred = blank_doc(text), blank_doc(text)
    set_mentions(gold, mentions)
    set_mentions(pred, data.draw(st.lists(st.sampled_from(mentions)) if mentions else st.just([])))
    expected = clineval.score("semeval15_task14", to_inputs([pred]), to_inputs([gold]))
    assert dict(score_docs([gold], [pred]).values) == dict(expected.values)


def test_documents_keep_their_names():
    golds, preds = demo_docs("semeval15_task14")
    row = score_docs(golds, preds).per_document[0]
    assert row["document"] == "demo-001-DISCHARGE_SUMMARY.txt"


def test_words_are_those_of_the_docs():
    golds, preds = demo_docs("semeval15_task14")
    texts = [doc.text for doc in golds]
    expected = clineval.score(
        "semeval15_task14", to_inputs(preds), to_inputs(golds), overlap="word", texts=texts
    )
    score = score_docs(golds, preds, overlap="word")
    assert dict(score.values) == dict(expected.values)
    assert "overlap:word" in str(score.signature)
