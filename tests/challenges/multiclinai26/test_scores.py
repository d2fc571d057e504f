"""MultiClinAI 2026 by its definition: a plain scorer, laws, and one label alone."""

from functools import partial

import laws
import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.multiclinai26 import definition as plain

NAME = "multiclinai26"
ENDS = st.tuples(st.integers(0, 12), st.integers(1, 9)).map(lambda of: (of[0], of[0] + of[1]))
LABELS = ("DISEASE", "SYMPTOM")
MENTION = st.tuples(ENDS, st.sampled_from(LABELS)).map(lambda of: (*of[0], of[1]))
MENTIONS = st.lists(st.tuples(*[st.lists(MENTION, max_size=7)] * 2), min_size=1, max_size=4)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


class TestThePlainScorer:
    @given(MENTIONS)
    def test_mentions(self, documents):
        span_tables.agree_with_plain(NAME, documents, config="default")

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @given(MENTIONS)
    def test_characters(self, protocol, documents):
        if protocol == "spec":
            documents = [[sorted(set(side)) for side in doc] for doc in documents]
        result = clineval.score(NAME, *span_tables.sides_of(documents), protocol=protocol)
        found = tuple(result[f"char_{of}"] for of in ("precision", "recall", "f1"))
        assert found == pytest.approx(plain.characters(documents), abs=1e-12)

    @given(MENTIONS)
    def test_tables(self, tmp_path_factory, documents):
        folder = tmp_path_factory.mktemp("tables")
        span_tables.agree_with_tables(NAME, documents, folder, config="default")


@given(MENTIONS, st.integers(0, 9))
def test_laws(documents, seed):
    span_tables.obey_the_laws(NAME, documents, seed, config="default", matches=["strict"])


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(MENTIONS)
def test_one_label_alone(protocol, documents):
    sides = span_tables.sides_of(documents)
    whole = clineval.score(NAME, *sides, protocol=protocol)
    for label in LABELS:
        alone = clineval.score(NAME, *sides, protocol=protocol, entity=label)
        assert alone["strict_tp"] == whole[f"{label.lower()}_strict_tp"]
        assert alone["strict_fn"] == whole[f"{label.lower()}_strict_fn"]
        assert f"entity:{label}" in str(alone.signature)


def test_an_offset_is_a_number_also_in_a_row_without_a_document():
    rows = "filename\tlabel\tstart_span\tend_span\ttext\na.txt\tDISEASE\t3\t9\tasthma\n"
    bad = rows + "\tDISEASE\tsecret\t45\tcough\n"
    call = partial(clineval.score, "multiclinai26", [bad], [rows], protocol="official")
    laws.refuses(call, "document 0:3", "expected numbers as offsets", text=["secret"])
