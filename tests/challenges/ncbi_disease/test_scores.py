"""NCBI Disease by the definition: a worked example, a plain scorer, laws, forms, bad input."""

import json

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from pubtator_corpora import as_dicts, corpora, mentions, only_counts, scorers, write
from thorough import thorough

import clineval
from clineval.base.errors import InputWarning
from clineval.challenges.ncbi_disease import CHALLENGE
from clineval.challenges.ncbi_disease import definition as plain
from clineval.evaluation.evaluate import evaluate
from clineval.formats.checking import find_problems

NAME = "ncbi_disease"
KINDS = ("mentions", "linked", "concepts")
WORKED = DATA / "oracle" / NAME / "worked"
TYPES = ("SpecificDisease", "DiseaseClass", "Modifier", "CompositeMention", "Disease")
CONCEPTS = [
    "D1",
    "d1",
    "MESH:D1",
    "OMIM:1",
    "D2",
    "-1",
    "D1|D2",
    "D2+D1",
    "OMIM:1+OMIM:2|D1",
    " D1",
]
CORPORA = corpora(mentions(TYPES, CONCEPTS))
score, score_by_place, count = scorers(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def test_the_worked_example():
    scores = clineval.score(NAME, WORKED / "pred.txt", WORKED / "gold.txt")
    expected = json.loads((WORKED / "expected.json").read_text())
    found = {kind: {v: scores[f"{kind}_{v}"] for v in ("tp", "fp", "fn")} for kind in KINDS}
    assert found == expected
    assert scores["mentions_f1"] == 0.75
    assert (scores["concepts_precision"], scores["concepts_recall"]) == (1.0, 0.4)


@given(CORPORA)
def test_counts_are_those_of_the_plain_scorer(corpus):
    references, predictions = map(write, corpus)
    expected = only_counts(plain.score_documents(*map(as_dicts, corpus)))
    assert clineval.count(NAME, predictions, references).totals == expected


@given(CORPORA)
def test_outcomes_are_what_is_counted(corpus):
    references, predictions = map(write, corpus)
    evaluation = evaluate(NAME, predictions, references)
    for match in evaluation.outcomes.matches.values():
        for column in match.columns:
            assert len(match.rows(column)) == evaluation.counts.totals[column]


@thorough
@given(CORPORA, st.integers(0, 99))
def test_laws_of_the_engine(corpus, seed):
    laws.hold_for_the_engine(score_by_place, count, corpus, seed)


@given(CORPORA, st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    laws.scores_are_flat_numbers(score(predictions, references))
    laws.swapping_sides_swaps_precision_and_recall(score, predictions, references, KINDS)


def test_a_perfect_system():
    gold = [["0\t6\tAsthma\tDisease\tD1", "8\t12\tAnemia\tModifier\tOMIM:2|D3"]]
    laws.perfect_predictions_score_one(score, gold, [f"{kind}_f1" for kind in KINDS])


@pytest.mark.parametrize("concept", ["D1|D2", "D2|D1", "D1+D2", "MESH:D2+mesh:d1", " D1 | D2 "])
def test_the_concepts_of_a_mention_are_a_set(concept):
    gold = ["1\t0\t6\tx\tCompositeMention\tD1|D2\n"]
    whole, half = (
        clineval.score(NAME, [f"1\t0\t6\tx\tDisease\t{each}\n"], gold) for each in (concept, "D1")
    )
    assert (whole["linked_tp"], whole["linked_fp"], whole["linked_fn"]) == (2, 0, 0)
    assert (half["linked_tp"], half["linked_fp"], half["linked_fn"]) == (1, 0, 1)


def test_all_forms_give_the_same_scores(tmp_path):
    gold = {
        "id": "1",
        "mentions": [
            {"spans": [[0, 6]], "label": "Disease", "concepts": ["D1+D2", "OMIM:3"]},
            {"spans": [[8, 12]], "label": "Modifier", "concepts": None},
        ],
    }
    written = "1\t0\t6\tx\tDiseaseClass\tD1+D2|OMIM:3\n1\t8\t12\tx\tDisease\t\n"
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold))
    locations = '<location offset="{}" length="{}"/>'
    (tmp_path / "gold.xml").write_text(
        "<collection><document><id>1</id><passage>"
        '<annotation id="a"><infon key="type">Disease</infon><infon key="MESH">D1+D2</infon>'
        f'<infon key="OMIM">3</infon>{locations.format(0, 6)}</annotation>'
        f'<annotation id="b"><infon key="type">Modifier</infon>{locations.format(8, 4)}'
        "</annotation></passage></document></collection>"
    )
    for given_ in ([gold], written, tmp_path / "gold.jsonl", tmp_path / "gold.xml"):
        scores = clineval.score(NAME, given_, written)
        assert [scores[f"{kind}_tp"] for kind in KINDS] == [2, 3, 3]
        assert not any(scores[f"{kind}_{v}"] for kind in KINDS for v in ("fp", "fn"))


def test_two_entries_of_a_document_are_one():
    entry = "1|t|x\n1|a|y\n1\t0\t1\tx\tDisease\tD1\n\n"
    scores = clineval.score(NAME, entry, entry * 2)
    assert (scores["n_documents"], scores["mentions_tp"], scores["mentions_fn"]) == (1, 1, 0)


@pytest.mark.parametrize(("line", "parts"), [
    ("1\t0\t6\tSecret\tGene\tD1", [":2", "unknown type", "SpecificDisease"]),
    ("1\t0\t6\tSecret", [":2", "6 columns"]),
    ("1\t6\t0\tSecret\tDisease\tD1", [":2", "the end is not after the start"]),
    ("1\tCID\tD1\tD2", [":2", "expected PMID"]),
    ("Secret", [":2", "expected PMID"]),
])  # fmt: skip
def test_bad_lines_are_refused_and_listed(tmp_path, line, parts):
    file = tmp_path / "a.PubTator"
    file.write_text(f"1|t|Title\n{line}\n")
    message = laws.refuses(lambda: clineval.score(NAME, file, file), *parts, text=["Secret"])
    [problem] = find_problems(CHALLENGE, [file])
    assert problem.message in message
    assert problem.line == 2
    assert "CID" not in message


def test_relations_are_refused(tmp_path):
    relation = {"label": "CID", "from": "D1", "to": "D2"}
    given_ = [{"mentions": [], "relations": [relation]}]
    laws.refuses(lambda: clineval.score(NAME, given_, given_), "expected no relations")
    (tmp_path / "a.xml").write_text(
        "<collection><document><id>1</id><relation><infon key='relation'>CID</infon></relation>"
        "</document></collection>"
    )
    path = tmp_path / "a.xml"
    laws.refuses(lambda: clineval.score(NAME, path, path), "expected no relations")


def test_an_unknown_document_is_warned_about():
    with pytest.warns(InputWarning, match="2"):
        scores = clineval.score(NAME, "1|t|x\n2\t0\t4\tx\tDisease\tD1\n", "1|t|x\n\t")
    assert [scores[f"{kind}_fp"] for kind in KINDS] == [1, 1, 1]
