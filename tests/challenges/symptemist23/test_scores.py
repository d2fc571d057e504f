"""SympTEMIST 2023 by its definition: a plain scorer, laws, and accuracy."""

import warnings

import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.symptemist23 import definition as plain

NAME = "symptemist23"
LINKED = span_tables.mentions(["SINTOMA", "OTRO"], ["1", "2", "1+2", "2+1", "1+1"])
ENDS = st.tuples(st.integers(0, 9), st.integers(1, 5)).map(lambda of: (of[0], of[0] + of[1]))
ANYWHERE = st.tuples(ENDS, st.sampled_from("AB")).map(lambda of: (*of[0], of[1]))
OVERLAPS = st.lists(st.tuples(*[st.lists(ANYWHERE, max_size=8)] * 2), min_size=1, max_size=3)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


class TestThePlainScorer:
    @given(LINKED)
    def test_linked_mentions(self, documents):
        span_tables.agree_with_plain(NAME, documents, config="norm")

    @given(OVERLAPS)
    def test_overlaps(self, documents):
        span_tables.agree_with_plain(NAME, documents, config="ner")
        result = clineval.score(NAME, *span_tables.sides_of(documents))
        assert span_tables.rows_of(result, "lenient") == [plain.overlaps(*doc) for doc in documents]

    @given(LINKED)
    def test_tables(self, tmp_path_factory, documents):
        folder = tmp_path_factory.mktemp("tables")
        span_tables.agree_with_tables(NAME, documents, folder, config="multi")


class TestLaws:
    @given(LINKED, st.integers(0, 9))
    def test_of_linked_mentions(self, documents, seed):
        matches = ["strict", "linked"]
        span_tables.obey_the_laws(NAME, documents, seed, config="norm", matches=matches)

    @given(LINKED, st.integers(0, 9))
    def test_of_overlaps(self, documents, seed):
        matches = ["strict", "lenient"]
        span_tables.obey_the_laws(NAME, documents, seed, config="ner", matches=matches)


@given(LINKED)
def test_accuracy_is_the_recall_of_linked_mentions(documents):
    for protocol in ("spec", "official"):
        result = clineval.score(
            NAME, *span_tables.sides_of(documents), config="norm", protocol=protocol
        )
        assert result["linked_accuracy"] == result["linked_recall"]


def test_what_has_no_name_has_no_number_that_is_an_offset():
    """The script takes the cells of a row for a set, and 4, 0 and 4 are 0 and 4."""
    found = [{"spans": [[0, 4]], "label": "SINTOMA"}]
    gold, predicted = [found, [], [], [], found], [[], [], [], [], found]
    with warnings.catch_warnings(action="error", category=clineval.InputWarning):
        counts = clineval.count(NAME, predicted, gold, protocol="official", batch_size=1)
    assert counts == clineval.evaluate(NAME, predicted, gold, protocol="official").counts
    assert counts.table[[0, 4], :3].tolist() == [[0, 0, 1], [1, 0, 0]]
