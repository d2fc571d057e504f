"""MedMentions by the definition: a worked example, a plain scorer, laws, splits, answers."""

import json

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from pubtator_corpora import as_dicts, corpora, mentions, only_counts, scorers, write
from thorough import thorough

import clineval
from clineval.answers import reward
from clineval.base.errors import InputWarning
from clineval.challenges.medmentions import REDUCED
from clineval.challenges.medmentions import definition as plain
from clineval.evaluation.evaluate import evaluate
from clineval.training.bigbio import from_bigbio

NAME = "medmentions"
KINDS = ("mentions", "typed", "linked", "concepts")
WORKED = DATA / "oracle" / NAME / "worked"
TYPES = ["T047", "T116,T123", "T123,T116", "T033", "T033,T047", "UnknownType"]
CONCEPTS = ["C0000001", "c0000001", "UMLS:C0000001", "C0000002", "C0000001|C0000003", "-1"]
CORPORA = corpora(mentions(TYPES, CONCEPTS))
score, score_by_place, count = scorers(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def counts_of(scores):
    return {kind: {v: scores[f"{kind}_{v}"] for v in ("tp", "fp", "fn")} for kind in KINDS}


def test_the_worked_example():
    scores = clineval.score(NAME, WORKED / "pred.txt", WORKED / "gold.txt")
    assert counts_of(scores) == json.loads((WORKED / "expected.json").read_text())
    assert (scores["typed_f1"], scores["linked_precision"], scores["linked_recall"]) == (
        0.6,
        0.5,
        0.4,
    )


@pytest.mark.parametrize("config", ["default", "st21pv"])
@given(CORPORA)
def test_counts_are_those_of_the_plain_scorer(config, corpus):
    references, predictions = map(write, corpus)
    expected = only_counts(plain.score_documents(*map(as_dicts, corpus), config))
    assert clineval.count(NAME, predictions, references, config=config).totals == expected


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
    laws.swapping_sides_swaps_precision_and_recall(score, predictions, references, KINDS)


def test_the_subset_keeps_21_types_and_counts_the_others():
    assert len(set(REDUCED.scheme.kept)) == 21
    gold = "1\t0\t3\tx\tT033\tC1\n1\t4\t6\tx\tT047\tC2\n"
    with pytest.warns(InputWarning, match="references: 1 mention has a type that is not scored"):
        scores = clineval.score(NAME, gold, gold, config="st21pv")
    assert [scores[f"{kind}_tp"] for kind in KINDS] == [1, 1, 1, 1]


@given(CORPORA, st.sets(st.sampled_from("0123"), min_size=1))
def test_a_split_is_scored_as_its_documents_alone(corpus, names):
    """Other documents do not count on either side."""
    references, predictions = corpus
    rows = [[line for line in write(side).splitlines() if line[0] in names] for side in corpus]
    alone = clineval.count(NAME, *("\n".join([*row, "\t"]) for row in reversed(rows))).totals
    found = clineval.count(NAME, write(predictions), write(references), pmids=names)
    assert found.totals == alone


def test_a_list_of_documents_is_a_file_or_names(tmp_path):
    (tmp_path / "pmids.txt").write_text("2\n7\n")
    gold, found = WORKED / "gold.txt", WORKED / "pred.txt"
    with pytest.warns(InputWarning, match="1 document of the list is not in the gold standard: 7"):
        scores = clineval.score(NAME, found, gold, pmids=tmp_path / "pmids.txt")
    assert (scores["n_documents"], scores["concepts_tp"]) == (1, 1)
    assert "pmids:2-" in str(scores.signature)
    same = clineval.score(NAME, found, gold, pmids=["2", "7"])
    assert same.as_dict() == scores.as_dict()
    for wrong in ([], [7], 7):
        laws.refuses(lambda w=wrong: clineval.score(NAME, found, gold, pmids=w), "pmids: expected")
    laws.refuses(lambda: clineval.score(NAME, [[]], [[]], pmids=["1"]), "have no names")


def test_bigbio_has_an_entity_for_each_type():
    entity = {"id": "a", "text": ["XPL"], "offsets": [[0, 3]]}
    codes = {"normalized": [{"db_name": "UMLS", "db_id": "C0000002"}]}
    entities = [{**entity, **codes, "type": name} for name in ("T116", "T123")]
    row = {"passages": [{"text": ["XPL."], "offsets": [[0, 4]]}], "entities": entities}
    gold = ["1\t0\t3\tXPL\tT116,T123\tC0000002\n"]
    scores = clineval.score(NAME, from_bigbio([row], NAME), gold)
    assert [scores[f"{kind}_tp"] for kind in KINDS] == [1, 2, 1, 1]
    assert [scores[f"{kind}_f1"] for kind in KINDS] == [1, 1, 1, 1]


def test_answers_of_a_model_have_a_reward():
    gold = [{"spans": [[0, 3]], "label": "T028", "concept": "C0000001|C0000002"}]
    answer = json.dumps([{"text": "XPL", "label": "T028", "concept": "C0000002"}])
    assert reward(NAME, [answer], [gold], texts=["XPL."]) == [pytest.approx(2 / 3)]
    wrong = answer.replace("T028", "Gene")
    assert reward(NAME, [wrong], [gold], texts=["XPL."]) == [0.0]


@pytest.mark.parametrize(("line", "parts"), [
    ("1\t0\t6\tSecret\tDisease\tC1", [":2", "unknown type", "such as T047"]),
    ("1\t0\t6\tSecret\tT047;T033\tC1", [":2", "unknown type"]),
    ("1\t0\t6\tSecret", [":2", "6 columns"]),
    ("Secret", [":2", "expected PMID"]),
])  # fmt: skip
def test_bad_lines_are_refused(tmp_path, line, parts):
    file = tmp_path / "a.PubTator"
    file.write_text(f"1|t|Title\n{line}\n")
    laws.refuses(lambda: clineval.score(NAME, file, file), *parts, text=["Secret"])
