"""Outcomes are what the counts count, and their groups add up to the whole."""

import laws
import numpy as np
import pytest
from demos import OTHER_FILES, arguments_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora
from thorough import fewer

import clineval
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.evaluate import evaluate
from clineval.formats.section_lines import read_sections
from clineval.results.registry import NAMES, find_challenge

NAME = "semeval15_task14"
LISTED = [name for name in NAMES if find_challenge(name).steps.listed]
WAYS = [
    (name, config, protocol)
    for name in LISTED
    for config in find_challenge(name).task.configs
    for protocol in find_challenge(name).protocols
]
CODES = [["8000/6", "8500/3", "r52"], ["8010/3"]], [["8500/3", "8000/6"], ["8010/3", "r10"]]
PLACES = (
    "a\t3 9\tDIAGNOSTICO\tr52\na\t20 25\tDIAGNOSTICO\tr10\n",
    "a\tDIAGNOSTICO\tr52\tdolor\t3 8\na\tDIAGNOSTICO\tr10\tfiebre\t40 46\n",
)
IMPACTS = [["Pet:9615", "Food"], ["Nosocomial"]], [["Pet:9685", "Food"], ["AnimalInjury"]]
LINKS = [["1>1", "2>3"], ["1>2"]], [["1>1", "2>2"], ["1>4"]]
OTHER_SIDES = {
    ("archehr_qa26", "subtask4"): LINKS,
    ("codiesp20", "X"): PLACES,
    ("livingner22", "app"): IMPACTS,
}
"""Predictions and references of configurations for which the demo has no files."""


def sides_of(name, config, system):
    """Predictions, references and options of a configuration."""
    sides, options = arguments_of(name, system)
    if config in OTHER_FILES.get(name, ()):
        sides = OTHER_SIDES.get((name, config), CODES)
    return sides, options


GROUPINGS = ["document", "slot:cui", "slot:negation", "slot:body_location", "length", "fragments"]
FEW = fewer(0.4)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.mark.parametrize(("name", "config", "protocol"), WAYS)
@pytest.mark.parametrize("system", [0, 1])
def test_documents_counts_are_the_lengths_of_their_lists(name, config, protocol, system):
    sides, options = sides_of(name, config, system)
    evaluation = evaluate(name, *sides, **options, config=config, protocol=protocol)
    counts, outcomes = evaluation.counts, evaluation.outcomes
    assert outcomes.documents == counts.documents
    told = set()
    for match in outcomes.matches.values():
        documents = outcomes.documents_of(match)
        for column, values in match.tally(documents, len(counts)).items():
            expected = counts.table[:, counts.columns.index(column)]
            assert values == pytest.approx(expected), column
            told.add(column)
    assert told


@pytest.mark.parametrize("name", LISTED)
def test_in_the_widest_match_every_mention_is_in_one_row(name):
    sides, options = arguments_of(name)
    outcomes = evaluate(name, *sides, **options).outcomes
    match = outcomes.matches[outcomes.widest]
    for rows, mentions in ((match.gold, outcomes.gold), (match.prediction, outcomes.prediction)):
        assert sorted(rows[rows >= 0].tolist()) == list(range(len(mentions)))
    assert all(len(equal) == match.pairs for equal in match.equal.values())
    both = (match.gold >= 0) & (match.prediction >= 0)
    assert both[: match.pairs].all()
    documents = outcomes.prediction.document[match.prediction[both]]
    assert np.array_equal(outcomes.gold.document[match.gold[both]], documents)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("by", GROUPINGS)
@FEW
@given(corpora())
def test_groups_add_up_to_the_whole(by, protocol, corpus):
    references, predictions = corpus
    outcomes = evaluate(NAME, predictions, references, protocol=protocol).outcomes
    totals = clineval.count(NAME, predictions, references, protocol=protocol).totals
    result = break_down(outcomes, by)
    sums = {column: values.sum() for column, values in result.counts.items()}
    assert sums == pytest.approx(totals)
    for column in ("strict_tp", "strict_fp", "relaxed_fn", "span_tp"):
        for name, count in zip(result.names, result.counts[column], strict=True):
            assert len(result.rows(column, name)[1]) == count


@pytest.mark.parametrize(("name", "by"), [("i2b2_2009_medication", "field"),
                                          ("i2b2_2009_medication", "slot:genre"),
                                          ("clinais23_b2", "label"),
                                          ("codiesp20", "code"),
                                          ("i2b2_2014_deid", "label"),
                                          ("meddocan19", "label"),
                                          ("pharmaconer19", "label"),
                                          ("n2c2_2022_cmed", "label"),
                                          ("clefehealth13_task1", "code"),
                                          ("clefehealth13_task1", "fragments"),
                                          ("clefehealth13_task2", "code")])  # fmt: skip
def test_groups_of_every_challenge_add_up(name, by):
    sides, options = arguments_of(name)
    totals = clineval.count(name, *sides, **options).totals
    result = break_down(evaluate(name, *sides, **options).outcomes, by)
    assert len(result.names) > 1
    for column, values in result.counts.items():
        assert values.sum() == totals[column]
        for group, count in zip(result.names, values, strict=True):
            assert len(result.rows(column, group)[1]) == count


@FEW
@given(corpora())
def test_a_group_by_document_scores_as_the_document_does(corpus):
    references, predictions = corpus
    result = break_down(evaluate(NAME, predictions, references).outcomes, "document")
    rows = {
        row["document"]: row for row in clineval.score(NAME, predictions, references).per_document
    }
    for at, name in enumerate(result.names):
        for key, values in result.scores.items():
            assert values[at] == pytest.approx(rows[name][key]), key


def mention(start, end, cui="C1", **slots):
    return {"spans": [[start, end]], "cui": cui, **slots}


def test_an_outcome_is_in_the_group_of_its_gold_mention_else_of_the_predicted_one():
    gold = [[mention(0, 4, negation="yes"), mention(10, 14)]]
    found = [[mention(0, 4, negation="no"), mention(20, 24, negation="yes")]]
    result = break_down(evaluate(NAME, found, gold).outcomes, "slot:negation")
    assert result.names == ("yes", "no")
    assert result.counts["span_tp"].tolist() == [1, 0]
    assert result.counts["span_fp"].tolist() == [1, 0]
    assert result.counts["span_fn"].tolist() == [0, 1]
    assert result.scores["negation_accuracy"].tolist() == [0, 0]


def test_seen_codes_are_those_of_the_training_corpus():
    train = evaluate(NAME, [[]], [[mention(0, 4, "C9"), mention(5, 6, "c2")]]).outcomes
    gold = [[mention(0, 4, "C9"), mention(10, 14, "C1"), mention(15, 19, None)]]
    result = break_down(
        evaluate(NAME, [[mention(20, 24, "C2")]], gold).outcomes, "seen", train=train
    )
    assert dict(zip(result.names, result.counts["strict_fn"].tolist(), strict=True)) == {
        "seen": 1, "unseen": 1, "cui-less": 1,
    }  # fmt: skip
    assert result.counts["strict_fp"].tolist() == [1, 0, 0]


def test_a_mention_is_in_the_section_where_it_begins():
    mentions = [clineval.Mention([(at, at + 4)], "C1") for at in (0, 8, 30)]
    gold = [clineval.Document("a.txt", mentions), clineval.Document("b", mentions[:1])]
    sections = {"a": ((0, 10, "HISTORY"), (10, 20, "PLAN"))}
    with pytest.warns(clineval.InputWarning, match="1 document has no sections"):
        result = break_down(evaluate(NAME, gold, gold).outcomes, "section", sections=sections)
    assert result.names == ("HISTORY", "no section")
    assert result.counts["strict_tp"].tolist() == [2, 2]


def test_sections_are_read_from_lines_of_json(tmp_path):
    path = tmp_path / "sections.jsonl"
    path.write_text('{"id": "a", "sections": [{"start": 5, "end": 9, "label": "X"}]}\n\n')
    assert read_sections(path) == {"a": ((5, 9, "X"),)}
    empty = '{"id": "a", "sections": [{"start": 5, "end": 5, "label": "secret"}]}'
    for line in ("x", "[]", '{"id": "a"}', '{"id": "a", "sections": [{"start": 5}]}', empty):
        path.write_text("\n" + line)
        laws.refuses(lambda: read_sections(path), "sections.jsonl:2", text=["secret"])
    laws.refuses(lambda: read_sections(tmp_path / "none"), "cannot be read")


def test_sections_are_of_characters():
    sides, options = arguments_of("i2b2_2009_medication")
    outcomes = evaluate("i2b2_2009_medication", *sides, **options).outcomes
    laws.refuses(lambda: break_down(outcomes, "section", sections={}), "tokens")


def test_lengths_are_those_of_all_fragments():
    gold = [[{"spans": [[0, 3], [10, 13]], "cui": None}, mention(20, 25), mention(30, 90)]]
    result = break_down(evaluate(NAME, gold, gold).outcomes, "length")
    names = ("1 to 5 characters", "6 to 10 characters", "31 characters and more")
    assert result.names == names
    result = break_down(evaluate(NAME, gold, gold).outcomes, "fragments")
    assert result.counts["strict_tp"].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("x", "slot:negation"),
        ("slot:x", "negation"),
        ("seen", "--train"),
        ("section", "--sections"),
    ],
)
def test_groupings_that_cannot_be_are_refused(by, said):
    outcomes = evaluate(NAME, [[]], [[mention(0, 4)]]).outcomes
    laws.refuses(lambda: break_down(outcomes, by), said)


def test_what_has_no_mentions_has_no_outcomes():
    laws.refuses(lambda: evaluate("clefehealth13_task3", {}, {}).outcomes, "does not list mentions")


@given(st.data())
def test_values_are_those_of_the_mentions(data):
    references, predictions = data.draw(corpora(documents=1))
    outcomes = evaluate(NAME, predictions, references).outcomes
    match = outcomes.matches["span"]
    for row in range(len(match)):
        gold, found = outcomes.value("negation", match, row)
        assert (gold is None) == (match.gold[row] < 0)
        assert (found is None) == (match.prediction[row] < 0)
        if row < match.pairs:
            assert match.equal["negation"][row] == (gold == found)
