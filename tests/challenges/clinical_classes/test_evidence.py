"""Evidence of answers: spans of the note that led to a class."""

import json
import random

import evaluate
import pytest
from commands import invoke
from decoded_pages import decode_page
from hypothesis import assume, given
from hypothesis import strategies as st

import clineval
from clineval import Counts, InputError, InputWarning
from clineval.answers import score as score_answers
from clineval.definitions import class_evidence
from clineval.evaluation.convert import read
from clineval.results.registry import find_challenge

NAME = "clinical_classes"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
CLASSES = {"pain": ["no", "yes"], "smoker": ["never", "now", "past"]}
SPANS = st.sets(st.tuples(st.integers(0, 12), st.integers(1, 5)).map(lambda s: (s[0], sum(s))),
                max_size=3)  # fmt: skip
ANSWERS = st.fixed_dictionaries(
    {
        question: st.none() | st.tuples(st.sampled_from(values), SPANS)
        for question, values in CLASSES.items()
    }
)
SETS = st.dictionaries(st.sampled_from(["cough", "fever", "rash"]), SPANS)
TEXT = "He quit. No pain in the chest now."
GOLD = [
    {"smoker": "past", "pain": "no", "evidence": {"smoker": [[0, 7]], "pain": [[9, 16], [20, 29]]}},
    {"smoker": "now", "pain": "yes", "evidence": {"smoker": [[0, 6]]}},
]
FOUND = [
    {"smoker": "past", "pain": "yes", "evidence": {"smoker": [[3, 7]], "pain": [[9, 16]]}},
    {"smoker": "now", "pain": "yes", "evidence": {"smoker": [[0, 6]], "yes": [[7, 9]]}},
]
EXACT, OVERLAP = (
    [f"evidence_{match}_{key}" for key in ("tp", "fp", "fn")] for match in ("exact", "overlap")
)


def write(document):
    """A document of one answer to each question, with evidence."""
    answers = {q: answer and answer[0] for q, answer in document.items()}
    spans = {q: [*map(list, answer[1])] for q, answer in document.items() if answer}
    return {**answers, "evidence": spans}


def write_set(document):
    return {"finding": [*document], "evidence": {v: [*map(list, of)] for v, of in document.items()}}


def plainly(document):
    return {(q, answer[0]): answer[1] for q, answer in document.items() if answer}


def without(documents):
    return [{key: of for key, of in each.items() if key != "evidence"} for each in documents]


def of_evidence(scores):
    return {key: value for key, value in scores.values.items() if key.startswith("evidence")}


def run(*words):
    done = invoke([*map(str, words)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def save(path, documents):
    lines = [json.dumps({"id": f"n{at}", **each}) for at, each in enumerate(documents)]
    path.write_text("\n".join(lines))
    return path


def test_a_worked_example():
    scores = clineval.score(NAME, FOUND, GOLD)
    assert [scores[key] for key in EXACT] == [1, 3, 3]  # past overlaps; the gold no has no partner
    assert [scores[key] for key in OVERLAP] == [2, 2, 2]
    assert scores["evidence_overlap_f1"] == 0.5
    assert scores["evidence_exact_precision"] == scores["evidence_exact_recall"] == 0.25


@given(st.lists(st.tuples(ANSWERS, ANSWERS), min_size=1, max_size=5))
def test_evidence_scores_as_a_plain_scorer(pairs):
    gold, found = ([write(each) for each in side] for side in zip(*pairs, strict=True))
    scores = clineval.score(NAME, found, gold, classes=CLASSES)
    sides = [[plainly(each) for each in side] for side in zip(*pairs, strict=True)]
    both = all(any(any(each.values()) for each in side) for side in sides)
    expected = class_evidence.count(*sides) if both else {}
    assert of_evidence(scores) == pytest.approx(expected)
    alone = clineval.score(NAME, without(found), without(gold), classes=CLASSES)
    assert {key: scores[key] for key in alone.values} == dict(alone.values)
    assert scores.values.keys() - alone.values.keys() == expected.keys()


@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=4))
def test_several_answers_have_their_own_evidence(pairs):
    gold, found = ([write_set(each) for each in side] for side in zip(*pairs, strict=True))
    sides = [[*side] for side in zip(*pairs, strict=True)]
    assume(all(any(any(each.values()) for each in side) for side in sides))
    values = ["cough", "fever", "rash"]
    scores = clineval.score(NAME, found, gold, classes={"finding": values}, several=True)
    assert of_evidence(scores) == pytest.approx(class_evidence.count(*sides))


@given(st.lists(st.tuples(ANSWERS, ANSWERS), min_size=2, max_size=6), st.randoms())
def test_laws(pairs, random):
    gold, found = ([write(each) for each in side] for side in zip(*pairs, strict=True))
    whole = clineval.count(NAME, found, gold, classes=CLASSES)
    parts = [
        clineval.count(NAME, [f], [g], classes=CLASSES).named(str(at))
        for at, (f, g) in enumerate(zip(found, gold, strict=True))
    ]
    total, scores = Counts.sum(parts), whole.score()
    assert dict(total.score().values) == dict(scores.values)
    assert total == whole
    assert Counts.from_json(whole.to_json()) == whole
    turned = clineval.score(NAME, gold, found, classes=CLASSES)
    if of_evidence(scores):
        assert scores["evidence_exact_tp"] <= scores["evidence_overlap_tp"]
        assert turned["evidence_exact_precision"] == scores["evidence_exact_recall"]
        perfect = clineval.score(NAME, gold, gold, classes=CLASSES)
        assert perfect["evidence_exact_f1"] == perfect["evidence_overlap_f1"] == 1
    both = [*zip(found, gold, strict=True)]
    random.shuffle(both)
    mixed = clineval.score(NAME, *map(list, zip(*both, strict=True)), classes=CLASSES)
    assert of_evidence(mixed) == of_evidence(scores)


def test_scores_need_evidence_on_both_sides():
    plain = clineval.score(NAME, without(FOUND), without(GOLD))
    for found, gold in ((FOUND, without(GOLD)), (without(FOUND), GOLD)):
        scores = clineval.score(NAME, found, gold)
        assert dict(scores.values) == dict(plain.values)
    assert str(clineval.score(NAME, FOUND, without(GOLD)).signature) == str(plain.signature)
    assert clineval.score(NAME, FOUND, GOLD).counts.references != plain.counts.references


@pytest.mark.parametrize(
    "evidence",
    [
        [[0, 2], [4, 6]],
        [[4, 6], [0, 2], [0, 2]],
        {"label": [[0, 2], [4, 6]]},
        {"Past": ((0, 2), (4, 6))},
        {"answer": {"past": [[0, 2], [4, 6]]}},
        {"class": {"past": [[0, 2]]}, "past": [[4, 6]]},
    ],
)
def test_forms_of_evidence(evidence):
    found = [{"label": "past", "evidence": [[0, 2], [4, 7]]}, {"label": "now", "evidence": []}]
    gold = [{"label": "past", "evidence": evidence}, {"label": "now", "evidence": None}]
    scores = clineval.score(NAME, found, gold)
    assert [scores[key] for key in EXACT] == [1, 1, 1]
    given = [json.dumps({"id": str(at), **each}) for at, each in enumerate(gold)]
    assert clineval.score(NAME, found, given)["evidence_overlap_tp"] == 2
    found[0] |= {"probabilities": {"past": 0.25, "now": 0.75}}
    assert clineval.score(NAME, found, given)["evidence_overlap_tp"] == 2
    spans = {"evidence_exact_tp", "evidence_overlap_tp"}
    assert not spans & clineval.score(NAME, without(found), given).values.keys()


def test_a_question_can_be_called_evidence():
    gold, found = [{"evidence": "weak"}, {"evidence": None}], [{"evidence": "weak"}, {}]
    scores = clineval.score(NAME, found, gold)
    assert (scores["weak_tp"], scores["questions"]) == (1, 1)
    scores = clineval.score(NAME, [{"evidence": ["a"]}], [{"evidence": ["a", "b"]}])
    assert (scores["micro_tp"], scores["micro_fn"]) == (1, 1)
    both = [{"label": "x", "evidence": "weak"}]
    assert clineval.score(NAME, both, both, label_column=["evidence"])["weak_tp"] == 1


@pytest.mark.parametrize(
    ("evidence", "problem"),
    [
        ([[4, 4]], "n0, evidence: fragment 4-4: the end is not after the start"),
        ([[-1, 2]], "offset -1 is negative"),
        ([[0, 1.5]], "expected an integer offset"),
        ([[0, True]], "expected an integer offset"),
        ([[0]], r"expected a fragment \[start, end\]"),
        ({"past": "he quit"}, r"evidence: expected lists of spans, .* got"),
        ({"now": [[0, 2]]}, "the spans of now can belong to no answer of the document"),
        ({"label": {"now": [[0, 2]]}}, "the spans of label and now can belong to no answer"),
        ([[0, 35]], "n0, evidence: offset 35 is outside the text, which has 34 characters"),
    ],
)
def test_invalid_evidence_of_a_gold_standard_is_an_error(evidence, problem, tmp_path):
    gold = {"n0": {"label": "past", "text": TEXT, "evidence": evidence}}
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, {"n0": "past"}, gold)
    path = save(tmp_path / "gold.jsonl", gold.values())
    done = invoke(["validate", NAME, str(path)])
    assert done.exit_code == 2
    assert "quit" not in done.output


def test_a_place_in_the_text_is_checked_with_the_option_too():
    gold = [{"label": "past", "evidence": [[0, 99]]}]
    assert clineval.score(NAME, ["past"], gold)["accuracy"] == 1
    with pytest.raises(InputError, match="document 0, evidence: offset 99 is outside the text"):
        clineval.score(NAME, ["past"], gold, texts=[TEXT])
    with pytest.warns(InputWarning, match="1 document has predicted evidence outside the text: 0"):
        clineval.score(NAME, gold, ["past"], texts=[TEXT])


def test_evidence_of_one_of_several_answers_needs_its_name():
    gold = [{"label": ["fever", "rash"], "evidence": [[0, 2]]}]
    with pytest.raises(InputError, match="the spans can belong to several answers"):
        clineval.score(NAME, [["fever"]], gold)
    gold = [{"pain": "no", "fever": "no", "evidence": {"no": [[0, 2]]}}]
    with pytest.raises(InputError, match="the spans of no can belong to several answers"):
        clineval.score(NAME, gold, gold)


def test_predicted_evidence_without_an_answer_is_counted_in_a_warning():
    gold = [{"label": "past", "evidence": [[0, 2]]}, {"label": "now", "evidence": [[0, 2]]}]
    found = [{"label": "unsure", "evidence": [[0, 2]]}, {"label": "now", "evidence": [[0, 2]]}]
    ignored = "1 document has evidence that does not belong to one of the answers, which is ignored"
    with pytest.warns(InputWarning, match=f"{ignored}: 0"):
        scores = clineval.score(NAME, found, gold)
    assert [scores[key] for key in EXACT] == [1, 0, 1]
    found[0] = {"probabilities": {"past": 1, "now": 0}, "evidence": [[0, 2]]}
    with pytest.warns(InputWarning, match=ignored):
        scores = clineval.score(NAME, found, gold)
    assert [scores[key] for key in EXACT] == [1, 0, 1]
    assert scores["accuracy"] == 1


@pytest.fixture
def corpus(tmp_path):
    gold = save(tmp_path / "gold.jsonl", [{**each, "text": TEXT} for each in GOLD])
    return gold, save(tmp_path / "found.jsonl", FOUND)


def test_options_of_scores(corpus):
    gold, found = corpus
    scores = clineval.score(NAME, found, gold)
    for more in (["--jobs", "2", "--classes", gold.with_name("c.json")], ["--confidence", ".9"]):
        gold.with_name("c.json").write_text(json.dumps(CLASSES))
        of = json.loads(run("score", NAME, gold, found, *more, "--format", "json"))["scores"]
        assert {key: of[key] for key in of_evidence(scores)} == of_evidence(scores)
    for by in ("answer", "slot:question", "document"):
        groups = json.loads(run("score", NAME, gold, found, "--by", by, "--format", "json"))
        for key in (*EXACT, *OVERLAP):
            assert sum(of[key] for of in groups["groups"].values()) == scores[key]
    by_answer = json.loads(run("score", NAME, gold, found, "--by", "answer", "--format", "json"))
    assert by_answer["groups"]["past"]["evidence_overlap_f1"] == 1
    assert "Evidence of answers" in run("score", NAME, gold, found)


def test_errors_show_equal_answers_with_other_evidence(corpus):
    gold, found = corpus
    errors = json.loads(run("errors", NAME, gold, found, "--format", "json"))
    kinds = {kind: number for kind, number in errors["kinds"].items() if number}
    assert kinds == {"right": 1, "answer": 1, "evidence": 2}
    plain = save(found.with_name("plain.jsonl"), without(FOUND))
    errors = json.loads(run("errors", NAME, gold, plain, "--format", "json"))
    assert {kind: n for kind, n in errors["kinds"].items() if n} == {"right": 3, "answer": 1}


def test_systems_with_and_without_evidence_can_be_compared(corpus):
    compared = clineval.compare(NAME, {"a": FOUND, "b": GOLD}, GOLD)
    assert compared.scores["b"]["evidence_exact_f1"] == 1
    with pytest.warns(InputWarning, match="1 system has no evidence, so that evidence is not"):
        compared = clineval.compare(NAME, {"a": FOUND, "b": without(FOUND)}, GOLD)
    first, second = compared.scores.values()
    assert dict(first.values) == dict(second.values)
    systems = {"a": FOUND, "b": without(FOUND)}
    first, second = clineval.compare(NAME, systems, without(GOLD)).scores.values()
    assert dict(first.values) == dict(second.values)
    gold, found = corpus
    assert run("agreement", NAME, gold, found, "--format", "json")


@pytest.mark.parametrize("texts", [True, False])
def test_the_report_shows_evidence(corpus, tmp_path, texts):
    gold, found = corpus
    gold = gold if texts else save(tmp_path / "bare.jsonl", GOLD)
    run("report", NAME, gold, found, "-o", tmp_path / "page.html")
    page = decode_page((tmp_path / "page.html").read_text())
    assert all(span in page for span in ("9-16,20-29", "3-7", "7-9"))
    assert '"evidence": 2' in page or '"evidence":2' in page
    assert ("chest now" in page) == texts
    plain = save(tmp_path / "plain.jsonl", without(GOLD))
    run("report", NAME, plain, plain, "-o", tmp_path / "plain.html")
    assert "9-16" not in decode_page((tmp_path / "plain.html").read_text())


def test_files_are_converted(corpus, tmp_path):
    gold, found = corpus
    run("convert", gold, tmp_path / "out.jsonl", "--module", NAME)
    assert read(tmp_path / "out.jsonl", NAME) == read(gold, NAME)
    assert read(gold, NAME)[0]["evidence"]["smoker"] == {"past": [[0, 7]]}
    first, second = (clineval.score(NAME, found, path) for path in (tmp_path / "out.jsonl", gold))
    assert dict(first.values) == dict(second.values)
    for other in ("out.csv", "out.spacy"):
        with pytest.warns(InputWarning, match="the evidence of 2 documents is left out: write"):
            run("convert", gold, tmp_path / other, "--module", NAME)
    run("convert", tmp_path / "out.spacy", tmp_path / "docs.jsonl", "--module", NAME)
    assert "evidence" not in (tmp_path / "docs.jsonl").read_text()


def test_validate_counts_the_spans(corpus):
    assert "spans of evidence" in run("validate", NAME, corpus[0], "--summary")


def test_answers_of_models_can_have_evidence():
    answers = [
        '{"smoker": "past", "pain": "yes", "evidence": {"smoker": [[3, 7]], "pain": [[9, 16]]}}',
        '{"smoker": "now", "pain": "yes", "evidence": {"smoker": [[0, 6]], "yes": [[7, 9]]}}',
    ]
    scores = score_answers(NAME, answers, GOLD)
    assert of_evidence(scores) == of_evidence(clineval.score(NAME, FOUND, GOLD))
    wrong = ['{"smoker": "past", "pain": "yes", "evidence": [[3, 2]]}', answers[1]]
    scores = score_answers(NAME, wrong, GOLD)
    assert (scores["n_invalid"], scores["smoker_accuracy"]) == (1, 1)
    junk = ['{"a": {"b": {"c": 1}}}', '{"smoker": [["x"]]}', '{"pain": [[0, 2]]}', "[[0]]"]
    for evidence, invalid in [*((of, 1) for of in junk), ("[[0, 2]]", 0), ('"quit"', 0)]:
        wrong[0] = f'{{"smoker": "past", "evidence": {evidence}}}'
        assert score_answers(NAME, wrong, GOLD)["n_invalid"] == invalid
    lists = ['[{"label": "fever", "evidence": [[0, 5]]}, {"label": "rash", "evidence": [[7, 9]]}]']
    gold = [{"label": ["fever", "rash"], "evidence": {"fever": [[0, 5]], "rash": [[8, 9]]}}]
    scores = score_answers(NAME, lists, gold)
    assert [scores[key] for key in EXACT] == [1, 1, 1]


def test_the_evaluate_module_takes_evidence():
    metric = evaluate.load(NAME)
    results = metric.compute(predictions=FOUND, references=GOLD)
    assert {key: results[key] for key in EXACT} == dict(zip(EXACT, (1, 3, 3), strict=True))


def test_docs_lose_evidence_and_keep_answers():
    kind = find_challenge(NAME).kind
    assert kind.as_cats(GOLD[1]) == {"smoker=now": 1, "pain=yes": 1}


def test_many_documents_are_read_in_linear_time():
    size = 3000
    draw = random.Random(5)
    gold = [
        {"pain": draw.choice(["no", "yes"]), "evidence": {"pain": [[at, at + 5]]}}
        for at in range(size)
    ]
    scores = clineval.score(NAME, gold, gold)
    assert scores["evidence_exact_tp"] == size
