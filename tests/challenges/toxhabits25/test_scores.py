"""ToxHabits 2025 by its definition: a plain scorer, laws, and what is dropped and refused."""

from functools import partial

import laws
import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.toxhabits25 import HABITS, LABELS, USES
from clineval.definitions import linked_spans as plain

NAME = "toxhabits25"
MENTIONS = span_tables.mentions([*LABELS, "StatusTime"])
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


class TestThePlainScorer:
    @pytest.mark.parametrize(
        ("config", "labels"), [("default", LABELS), ("toxner", HABITS), ("toxuse", USES)]
    )
    @given(MENTIONS)
    def test_mentions(self, config, labels, documents):
        result = clineval.score(NAME, *span_tables.sides_of(documents), config=config)
        kept = [[[m for m in side if m[2] in labels] for side in doc] for doc in documents]
        assert span_tables.rows_of(result, "strict") == [plain.strict(*doc) for doc in kept]
        for verdict in span_tables.COUNTS:
            parts = [result[f"{label.lower()}_strict_{verdict}"] for label in labels]
            assert sum(parts) == result[f"strict_{verdict}"]

    @given(MENTIONS)
    def test_the_mended_program_divides_by_places(self, documents):
        sides = span_tables.sides_of(documents)
        result = clineval.score(NAME, *sides, protocol="official")
        for row, doc in zip(result.per_document, documents, strict=True):
            gold, found = ({m for m in side if m[2] in LABELS} for side in doc)
            found = found if gold else set()
            right = len(gold & found)
            places = [len({m[:2] for m in side}) for side in (found, gold)]
            assert row["strict_tp"] == right
            assert [right + row["strict_fp"], right + row["strict_fn"]] == places

    @given(MENTIONS, st.integers(0, 9))
    def test_laws(self, documents, seed):
        span_tables.obey_the_laws(NAME, documents, seed, config="default", matches=["strict"])


def test_other_labels_are_refused():
    mention = {"spans": [[0, 4]], "label": "Cigars"}
    laws.refuses(partial(clineval.score, NAME, [[mention]], [[]]), "label: expected one of Tobacco")
