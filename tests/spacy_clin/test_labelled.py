"""Docs with labelled mentions, for challenges that spaCy knows only by what they declare."""

import pytest
import spacy

from spacy_clin import score_docs, set_mentions

TEXT = "chest pain and aspirin"
CHALLENGES = {
    "clinical_spans": ({"label": "problem"}, {"label": "test"}, "strict"),
    "i2b2_2010": ({"label": "problem"}, {"label": "test"}, "concepts_strict"),
    "bc5cdr": ({"label": "Disease", "concept": "D1"}, {"label": "Chemical"}, "mentions"),
}


@pytest.mark.parametrize("name", CHALLENGES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_score_docs(name):
    nlp = spacy.blank("en")
    right, wrong, key = CHALLENGES[name]

    def make(*mentions):
        doc = nlp(TEXT)
        set_mentions(doc, mentions, document="a")
        return [doc]

    first, second = {"spans": [[0, 10]], **right}, {"spans": [[15, 22]], **right}
    gold, found = make(first, second), make(first, {**second, **wrong})
    scores = score_docs(gold, found, name)
    assert [scores[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn")] == [1, 1, 1]
