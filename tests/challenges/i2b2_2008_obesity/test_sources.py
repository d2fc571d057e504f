"""i2b2 2008 obesity with both sources: the default configuration."""

import json
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import Oracle, name_output

import clineval
from clineval import InputWarning
from clineval.challenges.i2b2_2008_obesity.measures import DISEASES, JUDGMENTS, SOURCES

NAME = "i2b2_2008_obesity"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def strip(judgments, source):
    """The judgments of a source, as its own configuration takes them."""
    found = {
        name: {
            disease.removeprefix(f"{source} "): judgment
            for disease, judgment in of_document.items()
            if disease.startswith(source)
        }
        for name, of_document in judgments.items()
    }
    return {name: of_document for name, of_document in found.items() if of_document}


def list_keys(scores, source):
    begin = f"{source}_"
    return {key.removeprefix(begin) for key in scores if key.startswith(begin)}


@pytest.mark.parametrize("output", ORACLE.outputs("sklearn.json"), ids=name_output)
def test_each_source_has_the_scores_of_its_configuration(output):
    sides = output.parent / "system.xml", output.parent / "gold.xml"
    sources = json.loads(output.read_text("utf-8"))
    both = clineval.score(NAME, *sides).values
    for source in sources:
        own = clineval.score(NAME, *sides, config=source).values
        assert list_keys(both, source) == own.keys() - {"n_documents"}
        of_source = {key: both[f"{source}_{key}"] for key in list_keys(both, source)}
        assert of_source == {key: own[key] for key in of_source}
    assert {source for source in SOURCES if list_keys(both, source)} == sources.keys()
    means = [both[f"{source}_macro_f1"] for source in sources]
    assert both["macro_f1"] == pytest.approx(sum(means) / len(means))


JUDGED = st.fixed_dictionaries(
    {},
    optional={
        f"{source} {disease}": st.sampled_from(JUDGMENTS[source])
        for source in SOURCES
        for disease in DISEASES[:3]
    },
)
SIDE = st.fixed_dictionaries(dict.fromkeys("abc", JUDGED))


@settings(max_examples=10, deadline=None)
@given(SIDE, SIDE, st.integers(0, 3))
def test_random_judgments_count_as_in_each_configuration_and_in_parts(gold, found, size):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        both, there = clineval.score(NAME, found, gold).values, set()
        for source in SOURCES:
            sides = strip(found, source), strip(gold, source)
            if any(sides):
                there.add(source)
                own = clineval.score(NAME, *sides, config=source).values
                for key in list_keys(both, source):
                    assert both[f"{source}_{key}"] == pytest.approx(own[key]), key
        assert {source for source in SOURCES if list_keys(both, source)} == (there or {*SOURCES})
        names = sorted(gold)
        parts = [
            clineval.count(NAME, *({n: side[n] for n in part} for side in (found, gold)))
            for part in (names[:size], names[size:])
        ]
        assert clineval.Counts.sum(parts).score().values == pytest.approx(both)


def test_a_disease_without_a_source_is_textual():
    gold = [{"CAD": "Y", "intuitive CAD": "N"}, {"textual Gout": "U"}]
    scores = clineval.score(NAME, [{"textual cad": "y"}, {"Gout": "N"}], gold)
    assert (scores["textual_cad_y_tp"], scores["textual_gout_n_fp"]) == (1, 1)
    assert (scores["intuitive_micro_tp"], scores["intuitive_micro_fn"]) == (0, 1)


def test_a_source_that_neither_side_has_is_left_out():
    scores = clineval.score(NAME, [{"CAD": "Y"}], [{"CAD": "Y"}])
    assert list_keys(scores.values, "textual")
    assert not list_keys(scores.values, "intuitive")
    assert scores["macro_f1"] == scores["textual_macro_f1"] == 1
    assert "sources:textual" in str(scores.signature)


def test_u_is_no_intuitive_judgment_beside_a_textual_one():
    gold = [{"CAD": "U", "intuitive CAD": "N"}]
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        scores = clineval.score(NAME, [{"CAD": "U", "intuitive CAD": "U"}], gold)
    assert (scores["textual_u_tp"], scores["intuitive_micro_fn"]) == (1, 1)
    assert "intuitive_u_tp" not in scores.values


def test_judgments_of_a_source_that_gold_lacks_trigger_a_warning():
    found = [{"CAD": "Y", "intuitive CAD": "N", "intuitive Gout": "Y"}]
    with pytest.warns(InputWarning, match="2 intuitive judgments count as spurious"):
        scores = clineval.score(NAME, found, [{"CAD": "Y"}])
    assert scores["intuitive_micro_fp"] == 2
    assert scores["textual_micro_f1"] == 1
