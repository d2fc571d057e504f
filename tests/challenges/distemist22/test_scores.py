"""DisTEMIST 2022 by its definition: a plain scorer, laws, lists of codes, and what is refused."""

from functools import partial

import laws
import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.evaluation.convert import read, write
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

NAME = "distemist22"
LINKED = span_tables.mentions(["ENFERMEDAD"], ["1", "2", "1+2", "2|1", "2 |1", "1+1", "3|"])
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options)


@pytest.mark.parametrize("config", ["ner", "norm"])
class TestThePlainScorer:
    @given(LINKED)
    def test_mentions(self, config, documents):
        if config == "ner":
            documents = [[[m[:3] for m in side] for side in doc] for doc in documents]
        span_tables.agree_with_plain(NAME, documents, config=config, separators="+|")

    @given(LINKED)
    def test_tables(self, config, tmp_path_factory, documents):
        folder = tmp_path_factory.mktemp("tables")
        span_tables.agree_with_tables(NAME, documents, folder, config=config)

    @given(LINKED, st.integers(0, 9))
    def test_laws(self, config, documents, seed):
        matches = ["strict", "linked"] if config == "norm" else ["strict"]
        span_tables.obey_the_laws(NAME, documents, seed, config=config, matches=matches)


def mention(start, code="12", label="ENFERMEDAD"):
    return {"spans": [[start, start + 4]], "label": label, "code": code}


GOLD = [[mention(1), mention(7, "34+12")]]


class TestLists:
    @pytest.mark.parametrize(("code", "right"), [("99", 1), ("12|34", 2), ("34+99", 1)])
    def test_a_predicted_code_that_is_not_there_is_wrong(self, code, right):
        found = [[mention(1), mention(7, code)]]
        result = score(found, GOLD, config="norm", codes=["12", "34"])
        assert [result[f"linked_{v}"] for v in span_tables.COUNTS] == [right, 2 - right, 2 - right]

    def test_the_program_drops_its_row(self):
        found = [[mention(1), mention(7, "99")]]
        result = score(found, GOLD, config="norm", codes=["12", "34"], protocol="official")
        assert [result[f"linked_{v}"] for v in span_tables.COUNTS] == [1, 0, 1]

    def test_a_gold_code_that_is_not_there_is_refused(self):
        call = partial(score, GOLD, GOLD, config="norm", codes=["12"])
        said = "references, document 0, mention 1: 1 code is not in the list of valid codes"
        laws.refuses(call, said)

    def test_files_are_named_with_the_line_and_validate_lists_all(self, tmp_path):
        table, lines, codes = (tmp_path / name for name in ("a.tsv", "a.jsonl", "codes.tsv"))
        rows = [
            f"d1\tENFERMEDAD\t{at}\t9\tx\t{code}\n" for at, code in enumerate(["12", "9+8", "9"])
        ]
        table.write_text("filename\tlabel\toff0\toff1\tspan\tcode\n" + "".join(rows))
        write(read(table, NAME), lines, "jsonl", NAME)
        codes.write_text("12\tasma\n")
        one, two = (f"{of} not in the list of valid codes" for of in ("1 code is", "2 codes are"))
        validate = partial(find_problems, find_challenge(NAME), codes=codes)
        for path, places in ((table, (3, 4)), (lines, ("1: mention 1", "1: mention 2"))):
            said = [f"{path.name}:{at}: {of}" for at, of in zip(places, (two, one), strict=True)]
            assert [str(each).rpartition("/")[2] for each in validate([path])] == said
            call = partial(score, path, path, config="norm", codes=codes)
            laws.refuses(call, said[0].replace("1: m", "1, m"))
        ner = tmp_path / "ner.tsv"
        ner.write_text("filename\tlabel\toff0\toff1\tspan\nd1\tENFERMEDAD\t1\t9\tx\n")
        assert list(validate([ner])) == []

    @pytest.mark.parametrize("given", [3, [], "nowhere.tsv", [1]])
    def test_what_is_no_list_is_refused(self, given):
        laws.refuses(partial(score, GOLD, GOLD, codes=given), "")

    def test_an_empty_list_is_refused(self, tmp_path):
        path = tmp_path / "codes.tsv"
        path.write_text("\n")
        laws.refuses(partial(score, GOLD, GOLD, codes=path), "codes: expected codes in the first")

    def test_the_signature_names_the_list(self, tmp_path):
        path = tmp_path / "codes.tsv"
        path.write_text("12\tasma\n34\tgripe\n")
        named = [str(score(GOLD, GOLD, codes=of).signature) for of in (path, ["34", "12"])]
        assert named[0] == named[1]
        assert "codes:2-" in named[0]
        assert "codes:any" in str(score(GOLD, GOLD).signature)


def test_other_labels_are_refused_and_dropped_by_the_program():
    gold, found = [[mention(1)]], [[mention(1), mention(7, label="OTRO")]]
    laws.refuses(partial(score, found, gold), "label: expected one of ENFERMEDAD")
    path = find_challenge(NAME).task.corpora / "gold.tsv"
    assert score(path, path, protocol="official")["strict_f1"] == 1


def test_documents_become_a_submission_that_the_program_takes(tmp_path):
    corpus = find_challenge(NAME).task.corpora
    write(read(corpus / "tagger.tsv", NAME, texts=corpus / "text"), tmp_path / "a.tsv", "tsv-off")
    asked = {"config": "norm", "protocol": "official"}
    for path in (tmp_path / "a.tsv", corpus / "tagger.tsv"):
        assert score(path, corpus / "gold.tsv", **asked)["linked_tp"] == 12
