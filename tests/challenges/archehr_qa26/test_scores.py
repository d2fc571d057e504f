"""ArchEHR-QA 2026 against a plain scorer on random cases, the laws, and worked examples."""

import json

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.archehr_qa26 import definition as plain
from clineval.evaluation.evaluate import evaluate_pairs, make_setup

NAME = "archehr_qa26"
GRADES = ("essential", "supplementary", "not-relevant")
IDS = st.sampled_from("12345")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
KEYS = st.dictionaries(IDS, st.sampled_from(GRADES), max_size=5)
SENTENCES = st.lists(IDS, max_size=6)
PAIRS = st.lists(st.tuples(st.sampled_from("ab"), IDS), max_size=6)
LINKS = PAIRS.map(lambda pairs: [f"{answer}>{sentence}" for answer, sentence in pairs])
BOTH = st.tuples(SENTENCES, LINKS).map(lambda parts: [*parts[0], *parts[1]])
CORPORA = st.integers(1, 4).flatmap(
    lambda size: st.tuples(*[st.lists(BOTH, min_size=size, max_size=size)] * 2)
)


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def check(result, expected):
    assert {key: result[key] for key in expected} == pytest.approx(
        {key: float(value) for key, value in expected.items()}, rel=0, abs=1e-12
    )


def in_key(grades):
    return [{"sentence_id": at, "relevance": grade} for at, grade in grades.items()]


@given(st.dictionaries(st.sampled_from("abc"), KEYS, min_size=1),
       st.dictionaries(st.sampled_from("abcd"), SENTENCES))  # fmt: skip
def test_a_plain_scorer_computes_the_same_for_sentences(gold, predicted):
    references = {name: {"answers": in_key(grades)} for name, grades in gold.items()}
    check(score(predicted, references, config="subtask2"), plain.score_sentences(gold, predicted))


@given(st.dictionaries(st.sampled_from("abc"), PAIRS, min_size=1),
       st.dictionaries(st.sampled_from("abcd"), PAIRS))  # fmt: skip
def test_a_plain_scorer_computes_the_same_for_links(gold, predicted):
    references = {
        name: [{"id": answer, "citations": [sentence]} for answer, sentence in pairs]
        for name, pairs in gold.items()
    }
    given = {
        name: [{"answer_id": answer, "evidence_id": [sentence]} for answer, sentence in pairs]
        for name, pairs in predicted.items()
    }
    check(score(given, references, config="subtask4"), plain.score_links(gold, predicted))


@given(CORPORA, st.integers(0, 99))
def test_laws(corpus, seed):
    prefixes = ("strict_micro", "micro")
    for config in ("default", "subtask2", "subtask4"):

        def of(*sides, config=config):
            return score(*sides, config=config)

        laws.order_of_units_does_not_matter(of, *corpus, seed)
        laws.order_of_documents_does_not_matter(of, *corpus, seed, near=1e-12)
    both = [[*document, "9", "a>9"] for document in corpus[0]], corpus[1]
    both = both[0], [[*document, "9", "a>9"] for document in both[1]]
    laws.swapping_sides_swaps_precision_and_recall(score, *both, prefixes)
    laws.perfect_predictions_score_one(
        score, both[0], ("strict_micro_f1", "lenient_micro_f1", "micro_f1", "macro_f1")
    )
    laws.counts_of_parts_add_up(lambda *sides: clineval.count(NAME, *sides), *corpus)


@given(KEYS, SENTENCES)
def test_strict_is_at_most_lenient(grades, found):
    def of(predictions, references):
        return score(predictions, references, config="subtask2")

    gold = [in_key(grades)]
    laws.strict_is_at_most_relaxed(of, [found], gold, "strict_micro", "lenient_micro")


def test_the_worked_examples_of_the_challenge():
    sentences = score([["5", "6"]], [["1", "5", "6", "7"]])
    links = [["1>1", "2>1", "3>5", "4>6", "5>7"]]
    under = score([["1>1", "2>1", "3>5", "4>1"]], links)
    over = score([[*links[0], "1>2", "2>2", "3>2", "4>2", "5>2"]], links)
    rounded = [
        [round(result[f"{name}_{of}"], 2) for of in ("precision", "recall", "f1")]
        for name, result in (("strict_micro", sentences), ("micro", under), ("micro", over))
    ]
    assert rounded == [[1.0, 0.5, 0.67], [0.75, 0.6, 0.67], [0.5, 1.0, 0.67]]


FORMS = [
    ["1", "2>1"],
    [1, {"answer_id": 2, "evidence_id": [1]}],
    [" 1 ", {"answer_id": "2", "evidence_id": [" 1"]}, {"answer_id": "3", "evidence_id": []}],
    json.dumps(["1", "2>1", "5:supplementary", "6:not-relevant"]),
    {"prediction": ["1", "1", "2>1"]},
    {
        "answers": [{"sentence_id": "1", "relevance": "Essential"}],
        "clinician_answer_sentences": [{"id": "2", "text": "x", "citations": ["1"]}],
    },
]


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_of_a_case_are_read(form):
    for sides in (([form], [FORMS[0]]), ([FORMS[0]], [form])):
        result = score(*sides)
        assert (result["strict_micro_f1"], result["micro_f1"], result["overall_score"]) == (1, 1, 1)


WRONG = [None, True, 2.5, "", "two words", [], ["1"], {}, {"1": ["1"]}, {"answer_id": "1"},
         {"answer_id": "1", "evidence_id": "1"}, {"answer_id": None, "evidence_id": ["1"]},
         {"answer_id": "1", "evidence_id": [None]}, {"sentence_id": None, "relevance": "essential"},
         {"sentence_id": "1", "relevance": "good"}, ">", "1>2>3"]  # fmt: skip


@pytest.mark.parametrize("item", WRONG)
@pytest.mark.parametrize("config", ["subtask2", "subtask4"])
def test_an_item_in_another_form_is_one_wrong_prediction(item, config):
    name = {"subtask2": "strict_micro", "subtask4": "micro"}[config]
    gold = {"subtask2": "1", "subtask4": "1>1"}[config]
    with pytest.warns(clineval.InputWarning, match="1 predicted item is neither a sentence nor"):
        result = score([[gold, item]], [[gold]], config=config)
    assert [result[f"{name}_{of}"] for of in ("tp", "fp", "fn")] == [1, 1, 0]
    message = r"references, document 0, item 1: (expected|relevance: expected)"
    with pytest.raises(clineval.InputError, match=message):
        score([[gold]], [[item]], config=config)


def test_the_parts_that_are_predicted_are_scored():
    gold = [["1", "1>1"], ["2"]]
    sentences, links = score([["1"], []], gold), score([["1>1"], []], gold)
    assert "micro_f1" not in sentences
    assert "strict_micro_f1" not in links
    assert sentences["overall_score"] == sentences["strict_micro_f1"] == pytest.approx(2 / 3)
    assert links["overall_score"] == links["micro_f1"] == 1
    nothing = score([[], []], gold)
    assert nothing["strict_micro_f1"] == nothing["micro_f1"] == nothing["overall_score"] == 0


def test_predictions_for_the_other_subtask_do_not_count():
    with pytest.warns(clineval.InputWarning, match="1 predicted link does not count in subtask2"):
        result = score([["1", "1>1"]], [["1", "1>2"]], config="subtask2")
    assert result["strict_micro_f1"] == 1


def test_an_annotator_keeps_the_grades_as_a_gold_standard():
    graded = [["1", "2:supplementary", "3:not-relevant"]]
    annotators = {"a": [["1"]], "b": graded, "c": [["1", "2"]]}
    found = {
        (one, other): evaluation.score()["lenient_micro_fp"]
        for one, other, evaluation in evaluate_pairs(make_setup(NAME), annotators)
    }
    assert found == {("a", "b"): 0, ("a", "c"): 1, ("b", "c"): 0}
