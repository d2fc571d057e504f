"""MedCAT 2 itself; see 'make test-spacy38'."""

import pytest
import spacy
from needs import need

need("medcat", "spacy38")

import pandas as pd
from medcat.cat import CAT
from medcat.config import Config
from medcat.model_creation.cdb_maker import CDBMaker
from medcat.vocab import Vocab

from spacy_clin import score_docs, set_mentions, to_inputs

TEXT = "Patient denies fever. Has cough. No chest pain."
GOLD = [
    {"spans": [[15, 20]], "cui": "C0015967"},
    {"spans": [[26, 31]], "cui": "C0010200"},
    {"spans": [[36, 46]], "cui": "C0008031"},
]
NAMES = {"C0015967": "fever", "C0010200": "cough", "C0008031": "chest pain"}


@pytest.fixture(scope="module")
def cat():
    config = Config()
    config.components.linking.train = False
    concepts = pd.DataFrame({"cui": list(NAMES), "name": list(NAMES.values())})
    vocab = Vocab()
    for word in TEXT.lower().replace(".", "").split():
        vocab.add_word(word, cnt=10, vec=[1.0, 0.5])
    return CAT(cdb=CDBMaker(config).prepare_csvs([concepts]), vocab=vocab, config=config)


@pytest.fixture
def gold():
    doc = spacy.blank("en").make_doc(TEXT)
    set_mentions(doc, GOLD)
    return doc


def test_its_documents_are_read(cat):
    assert to_inputs([cat(TEXT)], getter="medcat") == [GOLD]


def test_its_documents_are_scored(cat, gold):
    assert score_docs([gold], [cat(TEXT)], pred="medcat", config="task1")["strict_f1"] == 1.0
    with pytest.raises(ValueError, match="differ from offset 0"):
        score_docs([gold], [cat("No fever.")], pred="medcat", config="task1")


def test_meta_annotations_become_slots(cat):
    """As MetaCAT writes them; its models cannot be had here."""
    doc = cat(TEXT)
    path = "meta_cat_meta_anns"
    type(doc.linked_ents[0]).register_addon_path(path)
    doc = cat(TEXT)
    told = {"Negation": {"name": "Negation", "value": "Yes", "confidence": 0.9}}
    doc.linked_ents[0].set_addon_data(path, told)
    [found] = to_inputs([doc], getter="medcat")
    assert found == [{**GOLD[0], "negation": "yes"}, *GOLD[1:]]
