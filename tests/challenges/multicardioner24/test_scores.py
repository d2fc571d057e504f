"""MultiCardioNER 2024 by its definition: a plain scorer, laws, and masked names."""

from functools import partial

import laws
import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval

NAME = "multicardioner24"
MENTIONS = span_tables.mentions(["ENFERMEDAD", "FARMACO"])
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


class TestThePlainScorer:
    @given(MENTIONS)
    def test_mentions(self, documents):
        span_tables.agree_with_plain(NAME, documents, config="track1")

    @given(MENTIONS, st.integers(0, 9))
    def test_laws(self, documents, seed):
        span_tables.obey_the_laws(NAME, documents, seed, config="default", matches=["strict"])


HEADER = "filename\tlabel\tstart_span\tend_span\ttext\n"
ROW = "{}\tENFERMEDAD\t{}\t{}\tasma\n"


class TestMaskedNames:
    @pytest.fixture
    def paths(self, tmp_path):
        gold, found, mapping = (tmp_path / f"{name}.tsv" for name in ("gold", "found", "mapping"))
        gold.write_text(HEADER + ROW.format("d1", 1, 5) + ROW.format("d1.txt", 7, 11))
        found.write_text(HEADER + ROW.format("m7", 7, 11) + ROW.format("m8", 1, 5))
        mapping.write_text("d1\tm7\nd1\tm8\n")
        return found, gold, mapping

    def test_two_of_one_document_are_united(self, paths):
        *sides, mapping = paths
        for given_ in (mapping, {"m7": "d1", "m8": "d1"}, {"m7.txt": "d1.txt", "m8": "d1"}):
            assert clineval.score(NAME, *sides, mapping=given_)["strict_f1"] == 1
        assert clineval.score(NAME, *sides)["strict_f1"] == 0

    def test_one_that_is_not_there_is_refused_and_lost_by_the_program(self, paths):
        *sides, mapping = paths
        mapping.write_text("d1\tm7\n")
        call = partial(clineval.score, NAME, *sides, mapping=mapping)
        laws.refuses(call, "predictions: the mapping lacks names: m8")
        result = call(protocol="official")
        assert result["strict_tp"] + result["strict_fp"] == 1

    @pytest.mark.parametrize(
        ("text", "said"),
        [("d1\n", "mapping, row 1: expected a name, a tab"), (None, "nowhere.tsv: ")],
    )
    def test_what_is_no_mapping_is_refused(self, paths, tmp_path, text, said):
        *sides, mapping = paths
        if text is None:
            mapping = tmp_path / "nowhere.tsv"
        else:
            mapping.write_text(text)
        laws.refuses(partial(clineval.score, NAME, *sides, mapping=mapping), said)
