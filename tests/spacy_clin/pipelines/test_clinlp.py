"""clinlp itself; see 'make test-spacy38'."""

import pytest
import spacy
from needs import need

need("clinlp", "spacy38")

from clinlp.ie import Term

from spacy_clin import score_docs, set_mentions, to_inputs

TEXT = "Geen koorts. Moeder heeft diabetes. Mogelijk pneumonie."
GOLD = [
    {"spans": [[5, 11]], "cui": "C0015967", "negation": "yes"},
    {"spans": [[26, 34]], "cui": "C0011849", "subject": "family_member"},
    {"spans": [[45, 54]], "cui": "C0032285", "uncertainty": "yes"},
]


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("clinlp")
    nlp.add_pipe("clinlp_sentencizer")
    matcher = nlp.add_pipe("clinlp_rule_based_entity_matcher", config={"attr": "LOWER"})
    words = {"C0015967": "koorts", "C0011849": "diabetes", "C0032285": "pneumonie"}
    matcher.add_terms_from_dict({code: [Term(phrase=word)] for code, word in words.items()})
    nlp.add_pipe("clinlp_context_algorithm", config={"phrase_matcher_attr": "LOWER"})
    return nlp


def test_qualifiers_become_slots(nlp):
    assert to_inputs([nlp(TEXT)], getter="clinlp") == [GOLD]


@pytest.mark.filterwarnings("ignore:.*the getter does not read")
def test_docs_are_scored(nlp):
    gold = nlp.make_doc(TEXT)
    set_mentions(gold, GOLD)
    score = score_docs([gold], [nlp(TEXT)], pred="clinlp")
    assert (score["strict_f1"], score["weighted_accuracy"]) == (1.0, 1.0)
