"""negspaCy itself; see 'make test-spacy38'."""

import pytest
import spacy
from needs import need

need("negspacy", "spacy38")

import negspacy.negation  # noqa: F401 - registers the component

from spacy_clin import score_docs, set_mentions, to_inputs

TEXT = "Patient denies fever. Has cough. No chest pain."
GOLD = [
    {"spans": [[15, 20]], "cui": "C0015967", "negation": "yes"},
    {"spans": [[26, 31]], "cui": "C0010200"},
    {"spans": [[36, 46]], "cui": "C0008031", "negation": "yes"},
]


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    patterns = {"fever": "C0015967", "cough": "C0010200", "chest pain": "C0008031"}
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"label": "PROBLEM", "pattern": p, "id": code} for p, code in patterns.items()]
    )
    nlp.add_pipe("negex", config={"ent_types": ["PROBLEM"]})
    return nlp


PRED = "negspacy"  # which takes the ids of the entity ruler for codes


def test_negation_is_read(nlp):
    found = to_inputs([nlp(TEXT)], getter=PRED)[0]
    assert found == [{"negation": "no", **mention} for mention in GOLD]


def test_docs_are_scored(nlp):
    gold = nlp.make_doc(TEXT)
    set_mentions(gold, GOLD)
    with pytest.warns(UserWarning, match="does not read subject"):
        score = score_docs([gold], [nlp(TEXT)], pred=PRED)
    assert (score["strict_f1"], score["weighted_accuracy"]) == (1.0, 1.0)


def test_the_pipeline_converts_and_scores_by_itself(nlp):
    from spacy.training import Example

    gold = nlp.make_doc(TEXT)
    set_mentions(gold, GOLD)
    nlp.add_pipe("clin_converter", config={"getter": PRED})
    nlp.add_pipe("clin_semeval15_task14")
    try:
        assert nlp.evaluate([Example(nlp.make_doc(TEXT), gold)])["s15_f_x_wa"] == 1.0
    finally:
        nlp.remove_pipe("clin_semeval15_task14")
        nlp.remove_pipe("clin_converter")
