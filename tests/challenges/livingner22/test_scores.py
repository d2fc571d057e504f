"""LivingNER 2022 by its definition: plain scorers, laws, suffixes, answers, and what is refused."""

from collections import Counter
from functools import partial

import laws
import pytest
import span_tables
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.definitions import linked_spans as plain
from clineval.evaluation.convert import read, write
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

NAME = "livingner22"
LINKED = span_tables.mentions(["SPECIES", "HUMAN"], ["1", "2", "1+2", "2|1", "2 |1", "1+1", "3|"])
QUESTIONS = {"Pet": "pet", "AnimalInjury": "injury", "Food": "food", "Nosocomial": "nosocomial"}
SPECIES = st.sampled_from(["", "1", "2", "1+2", "2|1", "1+1", "1|H", "1|H+2", "2+1|H"])
ANSWERS = st.dictionaries(st.sampled_from([*QUESTIONS]), SPECIES)
CASES = st.lists(st.tuples(ANSWERS, ANSWERS), min_size=1, max_size=4)
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


def set_of(cell):
    """The species of a cell, H with its number, in plain Python."""
    return frozenset(part for part in cell.replace("|H", "H").replace("|", "+").split("+") if part)


def lists_of(cases):
    """Predictions and references as lists of answers."""
    sides = reversed(list(zip(*cases, strict=True)))
    return [
        [[f"{of}:{ids}" if ids else of for of, ids in doc.items()] for doc in side]
        for side in sides
    ]


def write_answers(path, documents):
    """Write one side as a table."""
    columns = [name for of in QUESTIONS for name in (f"is{of}", f"{of}IDs")]
    rows = [["filename", *columns]]
    for at, doc in enumerate(documents):
        cells = [("Yes", doc[of] or "NA") if of in doc else ("No", "NA") for of in QUESTIONS]
        rows.append([f"d{at}.txt", *(cell for pair in cells for cell in pair)])
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return path


class TestAnswers:
    @given(CASES)
    def test_the_plain_scorer(self, cases):
        result = score(*lists_of(cases), config="app")
        for row, case in zip(result.per_document, cases, strict=True):
            species = [Counter((of, set_of(ids)) for of, ids in doc.items()) for doc in case]
            asked = [Counter(doc) for doc in ([*side] for side in case)]
            found = [tuple(row[f"{m}_{v}"] for v in span_tables.COUNTS) for m in ("micro", "yes")]
            assert found == [plain.compare(*species), plain.compare(*asked)]
        for question, name in QUESTIONS.items():
            sides = [[doc[at].get(question) for doc in cases] for at in (0, 1)]
            both = [pair for pair in zip(*sides, strict=True) if None not in pair]
            assert result[f"{name}_tp"] == len(both)
            assert result[f"{name}_species_tp"] == sum(set_of(g) == set_of(p) for g, p in both)
            assert result[f"{name}_fp"] == sum(of is not None for of in sides[1]) - len(both)
            assert result[f"{name}_fn"] == sum(of is not None for of in sides[0]) - len(both)

    @given(CASES)
    def test_tables_score_as_lists(self, tmp_path_factory, cases):
        folder = tmp_path_factory.mktemp("tables")
        gold, found = (
            write_answers(folder / f"{at}.tsv", [doc[at] for doc in cases]) for at in (0, 1)
        )
        for protocol in ("spec", "official"):
            asked = {"config": "app", "protocol": protocol}
            tables, lists = score(found, gold, **asked), score(*lists_of(cases), **asked)
            assert {k: v for k, v in tables.items() if "_" in k} == {
                k: v for k, v in lists.items() if "_" in k
            }

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @pytest.mark.parametrize("answers", [["Perro:1"], ["Pet:1", "Pet:2"], ["Pet 1"], [3]])
    def test_what_is_no_answer_is_refused(self, answers, protocol):
        laws.refuses(partial(score, [answers], [["Pet"]], config="app", protocol=protocol), "")

    def test_an_unknown_species_is_wrong_or_costs_the_document(self):
        gold, found = [["Pet:12", "Food:34"]], [["Pet:99", "Food:34"]]
        asked = {"config": "app", "codes": ["12", "34"]}
        assert score(found, gold, **asked)["micro_tp"] == 1
        assert score(found, gold, protocol="official", **asked)["micro_tp"] == 0
        said = "references, document 0, code 0: 1 code is not in the list of valid codes"
        laws.refuses(partial(score, gold, found, **asked), said)

    def test_validate_and_score_say_where_an_unknown_species_stands(self, tmp_path):
        path = write_answers(tmp_path / "a.tsv", [{"Pet": "12"}, {"Pet": "12", "Food": "12+99"}])
        said = "a.tsv:3: 1 code is not in the list of valid codes"
        laws.refuses(partial(score, path, path, config="app", codes=["12"]), said)
        [problem] = find_problems(find_challenge(NAME), [path], codes=["12"])
        assert str(problem).endswith(said)

    def test_what_the_program_drops_is_counted(self, tmp_path):
        path = write_answers(tmp_path / "a.tsv", [{"Pet": "12"}, {"Food": "34"}])
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join([*lines, lines[1]]))
        with pytest.warns(clineval.InputWarning, match="1 row of repeated documents"):
            score(path, path, config="app", protocol="official")

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ("d1\tyes\tNA", ":2: isPet: expected Yes or No"),
            ("d1\tNo\t12", ":2: PetIDs: expected NA after No"),
            ("d1\tYes\t", ":2: PetIDs: expected codes without blanks, or NA"),
            ("d1\tYes\tun perro", ":2: PetIDs: expected codes"),
            ("d1\tYes", ":2: expected 9 cells"),
            (
                "d1\tYes\t1" + "\tNo\tNA" * 3 + "\nd1.txt\tYes\t1",
                ":3: an earlier row has the same document",
            ),
        ],
    )
    def test_errors_name_file_and_line(self, tmp_path, row, said):
        path = write_answers(tmp_path / "a.tsv", [])
        rest = "" if row == "d1\tYes" else "\tNo\tNA" * 3
        path.write_text(path.read_text() + row + rest + "\n")
        laws.refuses(partial(score, path, [["Pet"]], config="app"), said)
        problems = list(find_problems(find_challenge(NAME), [path]))
        assert any(said in str(problem) for problem in problems)


def mention(start, code="12", label="SPECIES"):
    return {"spans": [[start, start + 4]], "label": label, "code": code}


GOLD = [[mention(1, "12|H+34")]]


@pytest.mark.parametrize(
    ("code", "by_spec", "by_program"),
    [("34|12|H", 1, 1), ("12+34|H", 0, 1), ("12+34", 0, 0), ("34 + 12 | H", 1, 0)],
)
def test_a_suffix_belongs_to_its_code_and_to_none_in_the_program(code, by_spec, by_program):
    found = [[mention(1, code)]]
    asked = {"config": "norm", "codes": ["12", "34 "]}
    assert score(found, GOLD, **asked)["linked_tp"] == by_spec
    result = score(found, GOLD, protocol="official", **asked)
    assert result["linked_tp"] == by_program


def test_other_labels_are_refused():
    found = [[mention(7, label="ANIMAL")]]
    laws.refuses(partial(score, found, GOLD), "label: expected one of SPECIES, HUMAN")


def test_documents_become_a_submission_that_the_program_takes(tmp_path):
    corpus = find_challenge(NAME).task.corpora
    write(read(corpus / "tagger.tsv", NAME, texts=corpus / "text"), tmp_path / "a.tsv", "tsv-mark")
    assert (tmp_path / "a.tsv").read_text("utf-8") == (corpus / "tagger.tsv").read_text("utf-8")
    asked = {"config": "norm", "protocol": "official"}
    assert score(tmp_path / "a.tsv", corpus / "gold.tsv", **asked)["linked_tp"] == 17
