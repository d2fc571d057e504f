"""i2b2 2012: the definition agrees on random notes with entities, attributes and links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.i2b2_2012_temporal.definition import score_documents

NAME = "i2b2_2012_temporal"
TEXT = "a bc , def . g hi jkl"
SPANS = st.tuples(st.integers(0, 14), st.integers(1, 6)).map(lambda s: [s[0], s[0] + s[1]])
VALUES = ["P1D", "PT24H", "PT36H", "P3W", "P1M", "R2PT12H", "RP1D", "2011-05", "x"]
EVENTS = st.fixed_dictionaries(
    {"label": st.just("EVENT")},
    optional={
        "type": st.sampled_from(["PROBLEM", "TEST", "test"]),
        "polarity": st.sampled_from(["POS", "NEG"]),
        "modality": st.sampled_from(["FACTUAL", "POSSIBLE"]),
    },
)
TIMES = st.fixed_dictionaries(
    {"label": st.just("TIMEX3"), "type": st.sampled_from(["DURATION", "FREQUENCY", "DATE"])},
    optional={"value": st.sampled_from(VALUES), "modifier": st.sampled_from(["NA", "APPROX"])},
)


@st.composite
def documents(draw):
    drawn = draw(st.lists(st.tuples(EVENTS | TIMES, SPANS), max_size=6))
    mentions = [{**of, "id": f"E{k}", "spans": [span]} for k, (of, span) in enumerate(drawn)]
    ends = st.sampled_from([mention["id"] for mention in mentions] or [""])
    labels = st.sampled_from(["BEFORE", "AFTER", "OVERLAP"])
    arcs = draw(st.lists(st.tuples(labels, ends, ends), max_size=6)) if mentions else []
    relations = [{"label": label, "from": a, "to": b} for label, a, b in arcs if a != b]
    return {"text": TEXT, "mentions": mentions, "relations": relations}


@pytest.mark.parametrize("config", ["default", "entities", "links"])
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(st.lists(st.tuples(documents(), documents()), min_size=1, max_size=2))
def test_it_agrees(config, corpus):
    golds, found = (list(side) for side in zip(*corpus, strict=True))
    expected = score_documents(golds, found, config)
    result = clineval.score(NAME, found, golds, config=config)
    assert {key: result.get(key) or 0 for key in expected} == pytest.approx(expected, abs=1e-12)
