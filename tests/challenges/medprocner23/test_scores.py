"""MedProcNER 2023 by its definition: a plain scorer, laws, tables, and what is refused."""

from functools import partial

import laws
import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.definitions import code_sets as plain
from clineval.evaluation.convert import read, write
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

NAME = "medprocner23"
LABEL = "PROCEDIMIENTO"
CELLS = ["1", "2", "1+2", "2+1", "2 +1", "1+1", "3+"]
MENTIONS = span_tables.mentions([LABEL, "OTRO"])
LINKED = span_tables.mentions([LABEL, "OTRO"], CELLS)
CODES = st.lists(
    st.tuples(*[st.lists(st.sampled_from(["12", "21", "112", "3"]), max_size=5)] * 2),
    min_size=1,
    max_size=4,
)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


class TestThePlainScorer:
    @given(MENTIONS)
    def test_mentions(self, documents):
        span_tables.agree_with_plain(NAME, documents, config="ner")

    @given(LINKED)
    def test_linked_mentions(self, documents):
        span_tables.agree_with_plain(NAME, documents, config="norm")

    @given(CODES)
    def test_codes(self, documents):
        gold, found = (list(side) for side in zip(*documents, strict=True))
        result = clineval.score(NAME, found, gold, config="index")
        assert span_tables.rows_of(result, "micro") == [plain.codes(g, p) for g, p in documents]

    @pytest.mark.parametrize("config", ["ner", "norm"])
    @given(LINKED)
    def test_tables_score_as_lists(self, config, tmp_path_factory, documents):
        folder = tmp_path_factory.mktemp("tables")
        span_tables.agree_with_tables(NAME, documents, folder, config=config)


class TestLaws:
    @given(LINKED, st.integers(0, 9))
    def test_no_order_of_mentions_matters(self, documents, seed):
        matches = ["strict", "linked"]
        span_tables.obey_the_laws(NAME, documents, seed, config="norm", matches=matches)

    @given(LINKED)
    def test_the_program_counts_each_predicted_place_and_each_gold_row_once(self, documents):
        """Of lists: without texts on either side, and of documents with a gold mention."""
        sides = span_tables.sides_of(documents)
        result = clineval.score(NAME, *sides, config="norm", protocol="official")
        for row, (gold, found) in zip(result.per_document, documents, strict=True):
            places = {m[:3] for m in found} if gold else set()
            assert row["linked_tp"] + row["linked_fp"] == len(places)
            assert row["linked_tp"] + row["linked_fn"] == len(gold)


HEADER = "filename\tlabel\tstart_span\tend_span\ttext\tcode\n"
GOOD = f"d1\t{LABEL}\t1\t5\tx\t12\n"


class TestTables:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", ": expected a header with one column"),
            (HEADER.replace("end_span", "fin"), ":1: expected a header with one column end_span"),
            (HEADER.replace("text", "label"), ":1: expected a header with one column label"),
            (
                f"{HEADER}{GOOD}d1\t{LABEL}\t1\t5\tx\n",
                ":3: expected 6 cells separated by tabs, got 5",
            ),
            (f"{HEADER}d1\t{LABEL}\t5\t1\tx\t12\n", ":2: end 1 is not after start 5"),
            (f"{HEADER}d1\t{LABEL}\tuno\t5\tx\t12\n", ":2: start: expected a whole number"),
            (f"{HEADER}d1\t{LABEL}\t1\t99999999999\tx\t12\n", ":2: end: expected a whole number"),
            (f"{HEADER}\t{LABEL}\t1\t5\tx\t12\n", ":2: filename: expected a name"),
            (f"{HEADER}d1\t\t1\t5\tx\t12\n", ":2: label: expected a value"),
            (f"{HEADER}d1\t{LABEL}\t1\t5\tfebre alta\t\n", ":2: code: expected a value"),
        ],
    )
    def test_bad_rows_are_refused_and_listed(self, tmp_path, text, said):
        path = tmp_path / "a.tsv"
        path.write_text(text)
        call = partial(score, path, path, config="norm")
        laws.refuses(call, f"a.tsv{said}", text=["alta"])

    @pytest.mark.parametrize("between", ["\t", ","])
    def test_a_table_without_a_header_shows_no_word_of_the_note(self, tmp_path, between):
        path = tmp_path / "a.tsv"
        path.write_text(between.join(["d1", LABEL, "0", "5", "febre"]) + "\n")
        expected = "a.tsv:1: expected a header with one column filename, start_span or off0"
        got = "5 cells with other names" if between == "\t" else "a line without tabs"
        laws.refuses(partial(score, path, path), expected, f"got {got}", text=["febre", "d1"])
        laws.refuses(partial(score, path, path, protocol="official"), got, text=["febre", "d1"])
        [problem] = find_problems(find_challenge(NAME), [path])
        assert str(problem).endswith(f"got {got}")
        assert "febre" not in str(problem)

    def test_all_problems_are_listed(self, tmp_path):
        path, codes = tmp_path / "a.tsv", tmp_path / "b.tsv"
        path.write_text(f"{HEADER}{GOOD}d1\t{LABEL}\t5\t1\tx\t12\n\nd1\t\t1\tx\tx\t12\n")
        codes.write_text("filename\tcodes\nd1\t1+2\n\t1\nd2\ta b\n")
        problems = find_problems(find_challenge(NAME), [path, codes])
        assert [(p.file.rpartition("/")[2], p.line) for p in problems] == [
            ("a.tsv", 3), ("a.tsv", 5), ("b.tsv", 3), ("b.tsv", 4),
        ]  # fmt: skip

    def test_quotes_marks_order_and_further_columns_do_not_matter(self, tmp_path):
        gold, found = tmp_path / "gold.tsv", tmp_path / "found.tsv"
        gold.write_text(HEADER + GOOD + f"d2.txt\t{LABEL}\t7\t9\ty\t12+34\n")
        found.write_bytes(
            "\ufefftext\tmark\toff1\toff0\tlabel\tcode\tfilename\r\n"
            f'"a ""b"\tT1\t5\t1\t"{LABEL}"\t"12"\td1\r\n'
            f'"y\tT2\t9\t7\t{LABEL}\t34+12\td2\r\n'.encode()
        )
        assert score(found, gold, config="norm")["linked_f1"] == 1

    def test_rows_of_codes_add_up(self, tmp_path):
        gold, found = tmp_path / "gold.tsv", tmp_path / "found.tsv"
        gold.write_text("filename\tcodes\nd1\t12+34\nd2\t5\n")
        found.write_text("code\tfilename\n34\td1\n 12 + 12\td1\n7\td2\n")
        result = score(found, gold, config="index")
        assert [result[f"micro_{v}"] for v in span_tables.COUNTS] == [2, 1, 1]

    def test_documents_become_a_table_and_come_back(self, tmp_path):
        corpus = find_challenge(NAME).task.corpora
        documents = read(corpus / "gold.tsv", NAME, texts=corpus / "text")
        write(documents, tmp_path / "again.tsv", "tsv", NAME)
        assert (tmp_path / "again.tsv").read_text("utf-8") == (corpus / "gold.tsv").read_text(
            "utf-8"
        )

    def test_words_are_compared_where_both_sides_have_them(self, tmp_path):
        """By the program: of documents they are those of the texts."""
        path = tmp_path / "gold.tsv"
        path.write_text(f"filename\tlabel\tstart_span\tend_span\ttext\nd1\t{LABEL}\t0\t4\tasma\n")
        for text, right in (("asma leve", 1), ("Asma leve", 0), (None, 1)):
            mention = clineval.Mention.from_dict({"spans": [(0, 4)], "label": LABEL})
            document = clineval.Document("d1", [mention], text)
            assert score([document], path, protocol="official")["strict_tp"] == right
