"""Classes of any scheme in faces besides the command ``score``."""

import json
import pickle

import evaluate
import numpy as np
import pytest
import spacy
from commands import invoke
from decoded_pages import decode_page
from spacy.cli.init_config import fill_config
from spacy.cli.train import train

import clineval
from clineval import Challenge, FoundClasses, InputError, InputWarning, Task
from clineval.answers import score as score_answers
from clineval.answers.rewards import reward
from clineval.evaluation.convert import read
from clineval.harness.samples import SampleScoring
from clineval.results.registry import find_challenge
from clineval.training import compute_metrics_for, from_bigbio
from spacy_clin import score_docs, write_docbin

NAME = "clinical_classes"
DEMO = find_challenge(NAME).task.corpora
GOLD, RULES, MODEL = DEMO / "gold.csv", DEMO / "rules.csv", DEMO / "model.jsonl"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def run(*words):
    done = invoke([*map(str, words)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def docs_of(documents, text="A letter."):
    docs = [spacy.blank("en")(text) for _ in documents]
    for doc, cats in zip(docs, documents, strict=True):
        doc.cats = cats
    return docs


def same(first, second):
    """Compare scores with those of answers alone, which lack the scores of probabilities."""
    return {key: first[key] for key in second.values} == pytest.approx(dict(second.values))


def test_the_likeliest_category_of_a_doc_counts():
    gold = [{"past": 1, "never": 0, "now": 0}, {"past": 0, "never": 1, "now": 0}]
    found = [{"past": 0.4, "never": 0.35, "now": 0.25}, {"past": 0.1, "never": 0.3, "now": 0.6}]
    scores = score_docs(docs_of(gold), docs_of(found), NAME)
    classes = ["now", "past", "never"]
    assert same(scores, clineval.score(NAME, ["past", "now"], ["past", "never"], classes=classes))


def test_all_likely_categories_count_if_a_gold_doc_has_several():
    gold = [{"fever": 1, "cough": 1, "rash": 0}, {"fever": 0, "cough": 0, "rash": 0}]
    found = [{"fever": 0.9, "cough": 0.2, "rash": 0.5}, {"fever": 0.4, "cough": 0.45, "rash": 0.1}]
    scores = score_docs(docs_of(gold), docs_of(found), NAME)
    expected = clineval.score(
        NAME, [["fever", "rash"], []], [["fever", "cough"], []], classes=["fever", "cough", "rash"]
    )
    assert same(scores, expected)
    alone = [{**gold[0], "cough": 0}, gold[1]]
    assert score_docs(docs_of(alone), docs_of(found), NAME)["questions"] == 2
    several = score_docs(docs_of(alone), docs_of(found), NAME, several=True)
    assert several["fever_tp"] == several["rash_fp"] == 1


def test_categories_can_name_their_question():
    gold = [{"pain=yes": 1, "pain=no": 0, "smoker=past": 1, "smoker=no": 0}]
    found = [{"pain=yes": 0.3, "pain=no": 0.7, "smoker=past": 0.6, "smoker=no": 0.4}]
    scores = score_docs(docs_of(gold), docs_of(found), NAME)
    assert (scores["pain_accuracy"], scores["smoker_accuracy"]) == (0, 1)


@pytest.mark.parametrize("system", [RULES, MODEL])
def test_docs_of_files_score_as_the_files(system):
    kind, sides = find_challenge(NAME).kind, [read(side, NAME) for side in (GOLD, system)]
    cats = [[kind.as_cats({q: a for q, a in d.items() if q != "id"}) for d in s] for s in sides]
    assert same(score_docs(*map(docs_of, cats), NAME), clineval.score(NAME, system, GOLD))


def test_spacy_trains_a_categorizer_with_it(tmp_path):
    docs = []
    for value, text in (("past", "He quit."), ("never", "Never smoked."), ("now", "Smokes.")):
        doc = spacy.blank("en")(text)
        doc.cats = {each: float(each == value) for each in ("past", "never", "now")}
        docs.append(doc)
    write_docbin(docs * 4, tmp_path / "gold.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("textcat")
    nlp.add_pipe("clin_scorer", config={"challenge": NAME})
    config = nlp.config
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config["corpora"] = {"train": corpus, "dev": corpus}
    config["training"] |= {"max_steps": 20, "eval_frequency": 10}
    config.to_disk(tmp_path / "base.cfg")
    fill_config(tmp_path / "config.cfg", tmp_path / "base.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    scores = score_docs(docs, [best(doc.text) for doc in docs], NAME)
    held = next(of for key, of in best.meta["performance"].items() if key.endswith("_scores"))
    assert held["macro_f1"] == pytest.approx(scores["macro_f1"])
    assert scores["macro_f1"] > 0


def test_classifiers_are_scored_in_training():
    labels, found, gold = ["now", "past", "never"], ["past", "now", "now"], ["past", "never", "now"]
    metrics = compute_metrics_for(NAME, None, gold, labels)
    metrics.add([[float(label == each) for label in labels] for each in found])
    scores, expected = metrics.compute(), dict(clineval.score(NAME, found, gold).values)
    assert {key: scores[key] for key in expected} == pytest.approx(expected)
    high, low = np.exp(1) / (np.exp(1) + 2), 1 / (np.exp(1) + 2)  # softmax
    right, wrong = (1 - high) ** 2 + 2 * low**2, high**2 + (1 - low) ** 2 + low**2
    assert scores["brier"] == pytest.approx((2 * right + wrong) / 3)
    several = compute_metrics_for(NAME, None, [["past", "now"], []], labels)
    several.add([[2.0, -1.0, -3.0], [-2.0, -2.0, 0.5]])
    scores = several.compute()
    assert (scores["micro_tp"], scores["micro_fn"], scores["questions"]) == (1, 1, 2)


def test_bigbio_is_read():
    rows = [{"id": "0", "text": "x", "labels": ["past"]}, {"id": "1", "text": "x", "labels": []}]
    assert from_bigbio(rows, NAME) == ["past", None]
    rows[1]["labels"] = ["never", "now"]
    assert from_bigbio(rows, NAME) == [["past"], ["never", "now"]]


def test_answers_of_models_are_scored():
    answers = ['{"label": "Past"}', "never", '["now"]', '{"answer": "unclear"}', "I cannot say"]
    gold = ["past", "never", "now", "past", "never"]
    scores = score_answers(NAME, answers, gold)
    assert (scores["micro_tp"], scores["micro_fn"], scores["micro_fp"]) == (3, 2, 0)
    assert (scores["n_invalid"], scores["n_unreadable"]) == (1, 1)
    asked = [{"pain": "yes", "smoker": "past"}]
    scores = score_answers(NAME, ['{"smoker": "PAST", "pain": "no way", "why": "x"}'], asked)
    assert (scores["smoker_accuracy"], scores["pain_accuracy"], scores["n_invalid"]) == (1, 0, 1)


def test_rewards_and_samples_need_no_other_document():
    written = ['{"label": "past"}', "past", "no idea", '{"class": "never"}', '["past"]']
    assert reward(NAME, written, ["past"] * 5, classes=["past", "never"]) == [1, 1, 0, 0, 1]
    several = ['["fever"]', '["fever", "rash"]', "[]"]
    gold = [["fever"]] * 3
    assert reward(NAME, several, gold, classes=["fever", "rash"]) == [1, 0.5, 0]
    with pytest.raises(InputError, match=r"all references determine the classes. Pass classes"):
        SampleScoring(NAME).check_alone()
    scoring = SampleScoring(NAME, ("macro_f1",), options={"classes": ["past", "never"]})
    scoring.check_alone()
    answers, golds = ["past", "past", "never"], ["past", "never", "never"]
    parts = [
        scoring.count(answer, gold, None, str(at))
        for at, (answer, gold) in enumerate(zip(answers, golds, strict=True))
    ]
    assert scoring.tell(parts) == {"macro_f1": clineval.score(NAME, answers, golds)["macro_f1"]}


def test_answers_on_the_command_line(tmp_path):
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": f"letter-{at}", "answer": '{"smoking": "never"}'} for at in range(1, 9)]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    scores = json.loads(run("score", NAME, GOLD, answers, "--answers", "--format", "json"))
    assert scores["scores"]["smoking_never_tp"] == 3
    run("convert", answers, tmp_path / "found.csv", "--from", "answers", "--module", NAME)
    assert clineval.score(NAME, tmp_path / "found.csv", GOLD)["smoking_never_tp"] == 3


@pytest.mark.parametrize("command", ["errors", "agreement", "compare", "report"])
def test_commands_of_several_sides(command, tmp_path):
    gold = [] if command == "agreement" else [GOLD]
    systems = [RULES] if command in ("errors", "report") else [RULES, MODEL]
    form = ["-o", tmp_path / "page.html"] if command == "report" else ["--format", "json"]
    assert run(command, NAME, *gold, *systems, *form) or (tmp_path / "page.html").exists()


def test_errors_name_the_answers():
    errors = json.loads(run("errors", NAME, GOLD, RULES, "--format", "json"))
    kinds = {kind: number for kind, number in errors["kinds"].items() if number}
    assert kinds == {"right": 9, "answer": 5, "spurious": 1, "missed": 1}
    confused = json.loads(run("errors", NAME, GOLD, RULES, "--slot", "answer", "--format", "json"))
    assert {"yes", "never"} <= {*confused["values"]}


@pytest.mark.parametrize("more", [["--jobs", "2"], ["--confidence", ".9"], ["--by", "answer"],
                                  ["--by", "slot:question"]])  # fmt: skip
def test_options_of_scores(more):
    found = json.loads(run("score", NAME, GOLD, RULES, *more, "--format", "json"))
    if "--by" in more:
        groups = found["groups"]
        assert sum(of["micro_tp"] for of in groups.values()) == 9
    else:
        assert found["scores"]["micro_tp"] == 9


def test_systems_that_are_read_together_have_the_same_scores():
    compared = clineval.compare(NAME, {"a": ["x", "z"], "b": ["x", "y"]}, ["x", "y"])
    first, second = compared.scores.values()
    assert first.values.keys() == second.values.keys()
    assert "z_tp" not in first


def test_pages_without_texts_refuse_words_of_notes(tmp_path):
    for side in ("gold", "found"):
        (tmp_path / f"{side}.csv").write_text("id,label\na,denies pain today\n")
    sides = [tmp_path / "gold.csv", tmp_path / "found.csv"]
    page = tmp_path / "page.html"
    done = invoke(["report", NAME, *map(str, sides), "-o", str(page), "--no-text"])
    assert "could be words of a note" in str(done.exception)
    run("report", NAME, *sides, "-o", page, "--no-text", "--classes", "denies pain today")
    assert "denies pain today" in decode_page(page.read_text())


def test_the_evaluate_module_adds_batches():
    metric = evaluate.load(NAME)
    metric.add_batch(predictions=["past"], references=["past"])
    metric.add(prediction="past", reference="never")
    expected = clineval.score(NAME, ["past", "past"], ["past", "never"])
    assert metric.compute()["macro_f1"] == expected["macro_f1"]


def test_counts_travel_between_processes():
    counts = clineval.count(NAME, MODEL, GOLD)
    assert pickle.loads(pickle.dumps(counts)) == counts
    again = clineval.Counts.from_json(counts.to_json())
    assert dict(again.score()) == dict(counts.score())


def test_parquet_is_scored_as_other_files_are(tmp_path):
    arrow, parquet = map(pytest.importorskip, ("pyarrow", "pyarrow.parquet"))
    for name, side in (("gold", GOLD), ("found", MODEL)):
        rows = [{"id": row["id"], "smoking": row["smoking"]} for row in read(side, NAME)]
        parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    found = clineval.score(NAME, tmp_path / "found.parquet", tmp_path / "gold.parquet")
    assert same(found, clineval.score(NAME, MODEL, GOLD, label_column="smoking"))


def test_a_challenge_of_ones_own():
    task = Task("ward", "Ward", "https://example.org/", definition="", file="")
    challenge = Challenge(task, {"spec": FoundClasses()})
    assert clineval.score(challenge, ["a"], ["a"])["macro_f1"] == 1


@pytest.mark.parametrize("name", ["gold.csv", "rules.csv", "model.jsonl"])
def test_files_are_valid(name):
    assert run("validate", NAME, DEMO / name) == ""


def test_faults_of_files_are_listed(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("id,label\na,past\nb,later\n,past\n")
    done = invoke(["validate", NAME, str(path), "--classes", "past,never"])
    assert done.exit_code
    assert "gold.csv:3: label: expected one of past, never, got 'later'" in done.output
    assert "gold.csv:4: the name of the document is missing" in done.output


def test_agreement_needs_the_classes_of_both():
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        clineval.score(NAME, ["a", "c"], ["a", "b"])


def test_columns_are_named_on_the_command_line(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("note,status,pain\na,past,yes\nb,never,no\n")
    for command in ("score", "errors"):
        more = ["--id-column", "note", "--label-column", "status,pain", "--format", "json"]
        assert '"status' in run(command, NAME, path, path, *more) or command == "errors"
    done = invoke(["score", "clinical_codes", str(path), str(path), "--id-column", "note"])
    assert "is for Parquet files" in done.output
