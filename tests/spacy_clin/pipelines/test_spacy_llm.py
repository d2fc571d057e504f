"""spacy-llm itself, with a model that is a function; see 'make test-spacy38'."""

from typing import Any, Iterable  # noqa: UP035 - as spacy-llm compares types

import pytest
import spacy
from needs import need

need("spacy_llm", "spacy38")

from spacy_llm.registry import registry

from spacy_clin import score_docs, set_mentions, to_inputs

TEXT = "No fever, mild chest pain."
GOLD = [{"spans": [[3, 8]], "cui": None}, {"spans": [[15, 25]], "cui": None}]


@registry.llm_models("spacy_clin_tests.Model.v1")
def make_model():
    """Answers as a language model would, to whatever it is asked."""
    answer = "1. fever | True | DISORDER | a symptom\n2. chest pain | True | DISORDER | a symptom"

    def answer_all(prompts: Iterable[Iterable[Any]]) -> Iterable[Iterable[Any]]:
        return [[answer for _ in shards] for shards in prompts]

    return answer_all


def pipeline(task):
    nlp = spacy.blank("en")
    model = {"@llm_models": "spacy_clin_tests.Model.v1"}
    task = {"@llm_tasks": task, "labels": ["DISORDER"]}
    nlp.add_pipe("llm", config={"task": task, "model": model})
    nlp.initialize()
    return nlp


@pytest.mark.parametrize(
    ("task", "pred"), [("spacy.NER.v3", "auto"), ("spacy.SpanCat.v3", "spancat")]
)
def test_what_it_finds_is_scored(task, pred):
    nlp = pipeline(task)
    gold = nlp.make_doc(TEXT)
    set_mentions(gold, GOLD)
    found = nlp(TEXT)
    assert [m["spans"] for m in to_inputs([found], getter=pred)[0]] == [m["spans"] for m in GOLD]
    score = score_docs([gold], [found], "clefehealth13_task1", pred=pred, config="task1a")
    assert score["exact_f1"] == 1.0
