"""Answers with relations, events, codes, records and classes in Inspect and lm-eval."""

import json

import pytest
from harness.scripted import id_in
from needs import need
from outside_cases import TEXT, at, mention, quote, relate

need("inspect_ai", "harness")
need("lm_eval", "harness")

import inspect_ai
from harness.test_inspect import told
from harness.test_lm_eval import run as run_lm_eval
from harness.test_lm_eval import write_task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

import clineval
from clineval.answers.rewards import reward
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA
from clineval.harness.inspect import quoted_mentions

pytestmark = pytest.mark.filterwarnings("default")


def event(label, word, *arguments):
    return {"label": label, "spans": at(word), "arguments": [*arguments]}


def score_codes(*pairs):
    return [{"code": code, "score": score} for code, score in pairs]


def quote_all(document):
    """The answer of a model that found a document's annotation."""
    if "events" in document:
        events = [
            {**quote(each), "arguments": [quote(a) for a in each["arguments"]]}
            for each in document["events"]
        ]
        return {"events": events}
    if "mentions" in document:
        mentions = [{"id": m["id"], **quote(m)} for m in document["mentions"]]
        return {**document, "mentions": mentions}
    return document


CASES = {
    "clinical_relations": (
        [relate(("CAUSES", 0, 1), ("TREATS", 2, 3)), relate()],
        [relate(("CAUSES", 0, 1), ("TREATS", 3, 2)), relate(("TREATS", 0, 1))],
        {"types": ["CAUSES", "TREATS"]},
        {"strict_precision": 1 / 3, "strict_recall": 1 / 2, "mentions_f1": 1},
    ),
    "clinical_events": (
        [{"events": [event("Give", "helped", mention("heparin", "Drug"))]}, {"events": []}],
        [{"events": [event("Give", "helped", mention("Aspirin", "Drug"))]}, {"events": []}],
        {"events": {"Give": {"Drug": []}}},
        {"trigger_f1": 1, "span_f1": 0, "overall_f1": 1 / 2},
    ),
    "clinical_codes": (
        [["I10", "E11.9"], ["J45"]],
        [["i10"], ["J45", "R52"]],
        {},
        {"micro_precision": 2 / 3, "micro_recall": 2 / 3, "exact_match": 0},
    ),
    "clinical_records": (
        [{"day": "2024-05-01", "drugs": [{"drug": "aspirin", "mg": 5}]}, {"drugs": []}],
        [{"day": "2024-05-02", "drugs": [{"drug": "aspirin", "mg": 5.5}]}, {}],
        {"schema": {"type": "object", "properties": {
            "day": {"type": "string", "format": "date"},
            "drugs": {"type": "array", "items": {"type": "object", "properties": {
                "drug": {"type": "string", "x-key": True},
                "mg": {"type": "number", "x-tolerance": 0.5},
            }}},
        }}},
        {"day_f1": 0, "drugs_mg_f1": 1, "documents_exact": 1 / 2},
    ),
    "clinical_classes": (
        [{"smoking": "past", "pain": "no"}, {"smoking": "never", "pain": None}],
        [{"smoking": "Past", "pain": "yes"}, {"smoking": "unclear", "pain": "yes"}],
        {"classes": {"smoking": ["past", "never"], "pain": ["yes", "no"]}},
        {
            "micro_precision": 1 / 3, "micro_recall": 1 / 3, "accuracy": 1 / 4,
            "smoking_accuracy": 1 / 2, "smoking_micro_precision": 1, "pain_micro_f1": 0,
        },
    ),
    "clinical_classes of one question": (
        ["past", "never", "past"],
        ["never", "Never", "never"],
        {"classes": ["past", "never"]},
        {"micro_precision": 1 / 3, "accuracy": 1 / 3, "never_f1": 1 / 2, "past_f1": 0},
    ),
    "clinical_classes with several answers": (
        [["fever", "rash"], []],
        [["fever"], ["rash"]],
        {"classes": ["fever", "rash"], "several": True},
        {"micro_f1": 1 / 2, "fever_f1": 1, "rash_f1": 0, "accuracy": 0, "hamming_loss": 1 / 2},
    ),
    "n2c2_2018_track1": (
        [dict.fromkeys(CRITERIA, "not met"), dict.fromkeys(CRITERIA, "met")],
        [{**dict.fromkeys(CRITERIA, "NOT MET "), "ENGLISH": "met"},
         {"keto-1yr": "met", "HBA1C": "?"}],
        {},
        {"not_met_recall": 12 / 13, "met_precision": 1 / 2, "met_recall": 1 / 13,
         "english_overall_f1": 0, "keto_1yr_overall_f1": 1},
    ),
    "i2b2_2006_smoking": (
        [{"smoking": "PAST SMOKER"}, {"smoking": "UNKNOWN"}],
        [{"smoking": "CURRENT SMOKER"}, {"smoking": "unknown"}],
        {},
        {"macro_f1": 1 / 3, "macro_all_f1": 1 / 5, "micro_f1": 1 / 2, "accuracy": 1 / 2},
    ),
    "i2b2_2008_obesity": (
        [{"Obesity": "U", "Gout": "N"}, {"Obesity": "Y", "Gout": "U"}],
        [{"Obesity": "U", "Gout": "U"}, {"Obesity": "Y", "Gout": "U"}],
        {"config": "textual"},
        {"micro_f1": 3 / 4, "macro_f1": 3 / 5, "obesity_macro_f1": 1, "diseases_macro_f1": 2 / 3},
    ),
    "icd_coding": (
        [["401.9", "428.0"], ["486"]],
        [["4019"], ["486", "38.93"]],
        {},
        {"micro_precision": 2 / 3, "micro_f1": 2 / 3, "macro_f1": 1 / 2, "macro_gold_f1": 2 / 3},
    ),
    "icd_coding with scores": (
        [["401.9", "428.0"], ["486"]],
        [score_codes(["401.9", 0.9], ["428.0", 0.4]), score_codes(["486", 0.8], ["38.93", 0.45])],
        {"codes": ["401.9", "428.0", "486", "38.93"]},
        {"micro_precision": 1, "micro_recall": 2 / 3, "auc_micro": 14 / 15, "map": 1},
    ),
    "icd_coding under caml": (
        [["401.9", "428.0"], ["486"]],
        [score_codes(["401.9", 0.9], ["428.0", 0.4]), score_codes(["486", 0.8], ["38.93", 0.7])],
        {"codes": ["401.9", "428.0", "486", "38.93"], "protocol": "caml"},
        {"micro_accuracy": 1 / 2, "macro_precision": 1 / 2, "macro_f1": 1 / 2, "f1_proc": 0},
    ),
    "icd_coding under edin": (
        [["401.9", "428.0"], ["486"]],
        [score_codes(["401.9", 0.9], ["428.0", 0.4]), score_codes(["486", 0.8], ["38.93", 0.7])],
        {"codes": ["401.9", "428.0", "486", "38.93"], "protocol": "edin"},
        {"micro_f1": 4 / 5, "macro_f1": 2 / 3, "micro_f1_mullenbach": 2 / 3, "map": 1},
    ),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request):
    return request.param.partition(" ")[0], *CASES[request.param]


def answers_of(side):
    return [json.dumps(quote_all(document)) for document in side]


def notes_of(gold):
    """Samples with the gold standard as harnesses carry it: words as they are, else JSON."""
    carried = [each if isinstance(each, str) else json.dumps(each) for each in gold]
    return [{"id": f"n{at}", "note": TEXT, "gold": each} for at, each in enumerate(carried)]


def test_the_lists_give_what_a_hand_gives(case):
    name, gold, found, options, scores = case
    result = clineval.score(name, found, gold, **options)
    assert {key: result[key] for key in scores} == pytest.approx(scores)


def test_inspect(case, tmp_path):
    name, gold, found, options, scores = case
    written = answers_of(found)

    def answer(messages, tools, tool_choice, config):  # noqa: ARG001
        text = written[int(id_in(messages[-1].text).removeprefix("n"))]
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    samples = [Sample(id=n["id"], input=f"ID: {n['id']}\n", metadata=n) for n in notes_of(gold)]
    scorer = quoted_mentions(name, keys=[*scores, "n_unreadable"], **options)
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    [log] = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert told(log) == pytest.approx({**scores, "n_unreadable": 0})


def test_lm_eval(case, tmp_path):
    name, gold, found, options, scores = case
    rows, folder, written = tmp_path / "notes.json", tmp_path / "task", answers_of(found)
    rows.write_text(json.dumps(notes_of(gold)))
    folder.mkdir()
    write_task(folder, rows, name, [*scores], **options)
    told = run_lm_eval(
        folder, "scripted_notes", lambda prompt: written[int(id_in(prompt).removeprefix("n"))]
    )
    assert {key: told[f"{key},none"] for key in scores} == pytest.approx(scores)


def test_rewards(case):
    name, gold, found, options, _ = case
    texts = [TEXT] * len(gold)
    assert reward(name, answers_of(gold), gold, texts=texts, **options)[0] == pytest.approx(1)
    assert reward(name, answers_of(found), gold, texts=texts, **options)[0] < 1
    assert reward(name, ["I cannot say"], gold[:1], texts=texts[:1], **options) == [0]
