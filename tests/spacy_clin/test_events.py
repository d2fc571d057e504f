"""Events on Docs: brat's files become Docs, and these score as the files do."""

import pytest
import spacy
from conftest import DATA

import clineval
from clineval.results.registry import find_challenge
from spacy_clin import read_docs, score_docs, write_docs

SDOH = "n2c2_2022_sdoh"
DEMO = find_challenge(SDOH).task.corpora
RANDOM = [DATA / "oracle" / SDOH / f"random_{name}" for name in ("01_clean", "03_overlap")]
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def read(folder, texts):
    """The Docs of a directory of brat's files, by their names."""
    return list(read_docs(folder, spacy.blank("en").make_doc, SDOH, text=texts))


def check(sides, docs, protocol, **criteria):
    of_files = clineval.score(SDOH, *sides[::-1], protocol=protocol, **criteria)
    of_docs = score_docs(*docs, SDOH, protocol=protocol, **criteria)
    assert of_files["overall_tp"] > 0
    assert of_docs.values == of_files.values
    assert of_docs.signature == of_files.signature


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("system", ["tagger", "rules"])
def test_docs_of_files_score_as_the_files(system, protocol, tmp_path):
    sides = DEMO / "gold", DEMO / system
    docs = [read(side, DEMO / "text") for side in sides]
    check(sides, docs, protocol)
    check(sides, docs, protocol, trigger="exact", labeled="overlap", span="overlap")
    for number, of in enumerate(docs):
        write_docs(of, tmp_path / f"{number}.spacy", SDOH)
    back = [read(tmp_path / f"{number}.spacy", None) for number in (0, 1)]
    check(sides, back, protocol)


@pytest.mark.parametrize("corpus", RANDOM, ids=lambda corpus: corpus.name)
def test_docs_of_the_oracles_corpora_score_as_the_files(corpus):
    """Offsets that cut words, fragments, shared triggers and arguments."""
    sides = corpus / "gold", corpus / "system"
    docs = [read(side, None) for side in sides]
    check(sides, docs, "spec")
    check(sides, docs, "spec", trigger="exact", labeled="exact", span="overlap")
