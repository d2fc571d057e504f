"""i2b2 2008: the definition agrees on random judgments of both sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.i2b2_2008_obesity.definition import score_documents

NAME = "i2b2_2008_obesity"
MAIN = [f"{of}{key}" for of in ("", "diseases_") for key in ("macro_f1", "micro_f1")]
SOURCES = st.sampled_from(["textual", "intuitive"])


def sides(names, judgments):
    """Two sides with the same documents; each lacks some judgments."""
    answers = st.dictionaries(st.sampled_from(names), st.sampled_from(judgments), min_size=1)
    pairs = st.lists(st.tuples(answers, answers), min_size=1, max_size=4)
    return pairs.map(
        lambda corpus: [
            [{"id": str(number), **pair[side]} for number, pair in enumerate(corpus)]
            for side in (0, 1)
        ]
    )


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(sides(["CAD", "Asthma", "Gout"], "YNQ"), SOURCES)
def test_it_agrees_on_a_source(corpus, config):
    golds, found = corpus
    expected = score_documents(golds, found, config)
    result = clineval.score(NAME, found, golds, config=config)
    assert {key: result[key] for key in MAIN} == pytest.approx({key: expected[key] for key in MAIN})


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(sides(["textual CAD", "textual Gout", "intuitive CAD", "Asthma"], "YNQ"))
def test_it_agrees_on_both_sources(corpus):
    golds, found = corpus
    expected = score_documents(golds, found)
    result = clineval.score(NAME, found, golds)
    keys = [f"{of}_{key}" for of in ("textual", "intuitive") for key in MAIN]
    keys = ["macro_f1", "micro_f1", *(key for key in keys if key in expected)]
    assert {key: result[key] for key in keys} == pytest.approx({k: expected[k] for k in keys})
