"""A challenge of other people is one file and an entry point, and every face works for it."""

import csv
import io
import json
import re
import subprocess
import sys

import evaluate
import pytest
import spacy
from commands import invoke
from conftest import DATA
from huggingface_hub import SpaceCard
from outside import CASES, CONCEPTS, install
from pages import code_of
from spacy.cli.init_config import fill_config
from spacy.cli.train import train
from spacy.language import Language
from thorough import thorough

import clineval
import clineval.hf
from clineval import Document, InputError, InputWarning, Mention
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import confuse, count_mistakes, find_frequent
from clineval.hub.results import to_eval_results
from clineval.results.registry import all_challenges, find_challenge
from clineval.training import TagSet, Windows, compute_metrics_for, from_bigbio, from_mentions
from clineval.workbench import build_workbench
from spacy_clin import get_mentions, score_docs, set_mentions, to_inputs, write_docbin
from spacy_clin.scorers import make_scorer

BROKEN = "broken_metric"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
LINES = {"wound_findings": 40, "trial_concepts": 70}
COUNTS = {"wound_findings": (1, 3, 3), "trial_concepts": (1, 2, 2)}
"""True and false positives and false negatives of strict, by hand."""
SCORES = {
    "wound_findings": {
        "strict_f1": 1 / 4, "lenient_f1": 2 / 4, "wound_strict_precision": 1 / 2,
        "dressing_strict_fn": 2, "dressing_lenient_tp": 1, "macro_strict_recall": (1 / 2 + 0) / 2,
        "macro_lenient_precision": (1 / 2 + 1 / 2) / 2,
    },
    "trial_concepts": {
        "strict_f1": 1 / 3, "lenient_f1": 2 / 3, "problem_strict_precision": 1 / 2,
        "test_strict_fn": 1, "treatment_lenient_tp": 1, "macro_strict_recall": (1 + 0 + 0) / 3,
        "macro_lenient_precision": (1 / 2 + 0 + 1) / 3, "assertion_accuracy": 0,
        "conditional_accuracy": 0,
    },
}  # fmt: skip
KAPPA = {
    # three pairs, two of which agree; WOUND twice in one side and once in the other
    "wound_findings": {"label": (2 / 3 - 4 / 9) / (1 - 4 / 9)},
    # by chance: problem in 1/3 and 2/3, treatment in 1/3 and 1/3, test in 1/3 and none
    "trial_concepts": {"type": (2 / 3 - 1 / 3) / (1 - 1 / 3), "assertion": 0, "conditional": 0},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site")) as folder:
        yield folder


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request, site):  # noqa: ARG001 - installed
    return request.param


@pytest.fixture
def sides(case, tmp_path):
    """Paths of JSON Lines: the gold standard and the system."""
    return case.write(tmp_path)


def run(*words, status=0):
    """What a command prints; JSON is read."""
    done = invoke(words)
    assert done.exit_code == status, (done.output, done.exception)
    return json.loads(done.stdout) if "json" in words else done.stdout


def refuse(call, *given, **options):
    """What the error of a call says."""
    with pytest.raises(InputError) as caught:
        call(*given, **options)
    return str(caught.value)


def documents(case, side):
    return [
        Document(f"n{at}", [Mention.from_dict(each) for each in mentions], text)
        for at, (mentions, text) in enumerate(zip(side, case.texts, strict=True))
    ]


def docs(case, side):
    nlp, found = spacy.blank("en"), []
    for at, (text, mentions) in enumerate(zip(case.texts, side, strict=True)):
        found.append(nlp(text))
        set_mentions(found[-1], mentions, document=f"n{at}")
    return found


def written(mentions):
    """Mentions as files hold them, where yes is the word for true."""
    return [{k: "yes" if v is True else v for k, v in each.items()} for each in mentions]


def test_it_is_one_short_file(case):
    lines = (DATA / "outside" / f"{case.name}.py").read_text().splitlines()
    assert len(lines) <= LINES[case.name]


def test_the_manual_shows_three_whole_files():
    shown = code_of("metrics/README.md", "python")
    names = ("wound_findings", "smoking_status", "shared_words")
    assert shown == [(DATA / "outside" / f"{name}.py").read_text() for name in names]


def test_scores_are_those_worked_out_by_hand(case, sides):
    """Given as dicts, Documents, JSON Lines and Docs."""
    gold, found = sides
    scores = [
        clineval.score(case.name, case.found, case.gold),
        clineval.score(case.name, documents(case, case.found), documents(case, case.gold)),
        clineval.score(case.name, found, gold),
        score_docs(docs(case, case.gold), docs(case, case.found), case.name),
    ]
    for score in scores:
        assert tuple(score[f"strict_{key}"] for key in ("tp", "fp", "fn")) == COUNTS[case.name]
        for key, value in SCORES[case.name].items():
            assert score[key] == pytest.approx(value), key


def test_it_is_scored_on_the_command_line(case, sides):
    printed = run("score", case.name, *sides)
    assert f"{SCORES[case.name]['strict_f1']:.4f}" in printed
    assert "Labels, lenient" in printed
    usual = run("score", case.name, *sides, "--format", "json")
    assert run("score", case.name, *sides, "--format", "json", "--jobs", "2") == usual
    assert usual["scores"]["lenient_f1"] == pytest.approx(SCORES[case.name]["lenient_f1"])


def test_groups_are_those_of_its_class_slots_and_documents(case, sides):
    slots = [case.slot, *({*KAPPA[case.name]} - {case.slot})]
    ways = [case.word, "document", *(f"slot:{slot}" for slot in slots)]
    groups = {by: run("score", case.name, *sides, "--by", by, "--format", "json")["groups"]
              for by in ways}  # fmt: skip
    by_class = groups[case.word]
    assert groups[f"slot:{case.slot}"] == by_class
    _, gold, taken_for = case.classes
    assert by_class[gold]["strict_fn"] == 1
    assert by_class[taken_for]["strict_fp"] >= 1
    for by in ways:
        total = sum(group["strict_fn"] for group in groups[by].values())
        assert total == COUNTS[case.name][2], by
    assert {*groups["document"]} == {"n0", "n1"}
    outcomes = clineval.evaluate(case.name, case.found, case.gold).outcomes
    assert break_down(outcomes, case.word).values.keys() == by_class.keys()


def test_errors_and_confusion_know_its_class(case, sides):
    boundary, gold, taken_for = case.classes
    outcomes = clineval.evaluate(case.name, case.found, case.gold).outcomes
    kinds = count_mistakes(outcomes)
    expected = {"right": 1, "boundary": 1, case.word: 1}
    assert {kind: kinds[kind] for kind in expected} == expected
    frequent = [(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)]
    assert {("boundary", boundary, boundary), (case.word, gold, taken_for)} <= {*frequent}
    printed = run("errors", case.name, *sides, "--format", "json")
    assert printed["kinds"] == kinds
    confusion = confuse(outcomes, case.slot)
    rows, columns = (confusion.values.index(value) for value in (gold, taken_for))
    assert confusion.table[rows][columns] == 1
    printed = run("errors", case.name, *sides, "--slot", case.slot, "--format", "json")
    assert printed["confusion"] == confusion.table.tolist()


def test_kappa_is_the_one_computed_by_hand(case, sides):
    [pair] = agree(case.name, {"a": case.gold, "b": case.found})
    kappas = {slot: (of.pairs, of.agreement, of.kappa) for slot, of in pair.slots.items()}
    assert kappas == {
        slot: (3, pytest.approx(2 / 3), pytest.approx(kappa))
        for slot, kappa in KAPPA[case.name].items()
    }
    [printed] = run("agreement", case.name, *sides, "--format", "json")["pairs"]
    kappa = printed["slots"][case.slot]["kappa"]
    assert kappa == pytest.approx(KAPPA[case.name][case.slot])


def test_systems_are_compared(case, sides):
    gold, found = sides
    compared = run("compare", case.name, gold, found, gold, "--format", "json", "--jobs", "2")
    systems = compared["systems"]
    assert systems["found"]["strict_f1"] == pytest.approx(SCORES[case.name]["strict_f1"])
    assert systems["gold"]["strict_f1"] == 1


def test_its_page_counts_what_the_core_counts(case, sides, tmp_path):
    html = tmp_path / "report.html"
    run("report", case.name, *sides, "--output", html)
    text = html.read_text("utf-8")
    head = json.loads(re.search(r'id="head"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    assert head["classes"]["slot"] == case.slot
    assert head["classes"]["word"] == case.word
    assert not any(head["problems"].values())
    assert [preset["key"] for preset in head["presets"]] == ["strict_f1", "lenient_f1"]
    page = build_workbench(case.name, case.gold, {"system": case.found}, notes=case.texts)
    rows = csv.DictReader(io.StringIO(page.measures))
    sums = {(row["match"], row["criterion"]): row for row in rows if row["class"] == "All"}
    [system] = head["systems"]
    for check in head["checks"]:
        counted = float(sums[check["match"], check["criterion"]][check["measure"]])
        assert system["scores"][check["key"]] == pytest.approx(counted, abs=1e-6), check
    keys = {check["key"] for check in head["checks"]}
    assert keys >= {f"{match}_{key}" for match in ("strict", "lenient") for key in ("tp", "f1")}


@pytest.mark.parametrize("through", ["brat", "notes.spacy"])
def test_mentions_survive_other_formats(case, sides, tmp_path, through):
    target, back = tmp_path / through, tmp_path / "back.jsonl"
    form = ["--to", "brat"] if through == "brat" else []
    run("convert", sides[0], target, *form, "--module", case.name)
    run("convert", target, back, "--module", case.name)
    lines = [json.loads(line) for line in back.read_text().splitlines()]
    assert [line["mentions"] for line in lines] == [*map(written, case.gold)]
    assert clineval.score(case.name, back, sides[0])["strict_f1"] == 1
    if through != "brat":  # whose types may be codes
        run("convert", sides[0], target)
        run("convert", target, back)
        assert clineval.score(case.name, back, sides[0])["strict_f1"] == 1


def test_what_is_wrong_is_found_and_names_its_slots(case, sides, tmp_path):
    run("validate", case.name, sides[0])
    nameless = {"spans": [[0, 3]]}
    strange = {**nameless, case.slot: case.classes[0], "mood": "bad"}
    bad = tmp_path / "bad.jsonl"
    for mention, problem in ((nameless, f"'{case.slot}' is missing"),
                             (strange, "unknown slot 'mood', expected one of ")):  # fmt: skip
        bad.write_text(json.dumps({"id": "n0", "mentions": [mention]}))
        assert f"bad.jsonl:1: mention 0: {problem}" in run("validate", case.name, bad, status=2)
        said = refuse(clineval.score, case.name, [[mention]], [[mention]])
        assert f"document 0, mention 0: {problem}" in said
    assert {*KAPPA[case.name]} <= {*re.split(r"[ ,]+", said)}
    [doc] = docs(case, case.gold)[:1]
    doc.user_data["found"] = [{"start": 0, "end": 3, **strange}]
    getter = {"span_getter": lambda each: each.user_data["found"]}
    said = refuse(to_inputs, [doc], case.name, getter=getter)
    assert {*KAPPA[case.name]} <= {*re.split(r"[ ,]+", said)}
    outcomes = clineval.evaluate(case.name, case.found, case.gold).outcomes
    said = refuse(confuse, outcomes, "mood")
    assert said == f"unknown slot 'mood', expected one of {', '.join(KAPPA[case.name])}"


def test_values_that_are_none_of_a_closed_slot_are_refused(site, tmp_path):  # noqa: ARG001
    for slot, expected in (("type", "problem, test, treatment"), ("assertion", "present, absent"),
                           ("conditional", "no, yes")):  # fmt: skip
        mention = {"spans": [[0, 3]], "type": "test", slot: "tests"}
        said = refuse(clineval.score, CONCEPTS.name, [[mention]], [[mention]])
        assert f"{slot}: expected one of {expected}" in said
        (tmp_path / "bad.jsonl").write_text(json.dumps({"id": "n0", "mentions": [mention]}))
        said = run("validate", CONCEPTS.name, tmp_path / "bad.jsonl", status=2)
        assert f"{slot}: expected one of {expected}" in said


def test_files_of_another_format_are_named(case, sides, tmp_path):
    run("convert", sides[0], tmp_path / "brat", "--to", "brat", "--module", case.name)
    said = refuse(clineval.score, case.name, tmp_path / "brat", tmp_path / "brat")
    assert "expected JSON Lines" in said
    assert "This is brat" in said


def test_it_is_described_with_its_definition(case):
    challenge = find_challenge(case.name)
    printed = " ".join(run("describe", case.name, "--full").split())
    for line in challenge.task.specification.splitlines():
        assert " ".join(line.split()) in printed
    assert challenge.task.title in run("describe", case.name)
    assert case.name in run("list")


def test_objects_and_docs_hold_its_mentions_and_no_code_that_nobody_gave(case):
    first = case.gold[0][0]
    kept = get_mentions(docs(case, case.gold)[0])
    assert [mention.as_dict() for mention in kept.values()] == case.gold[0]
    slots = {name: value for name, value in first.items() if name != "spans"}
    assert Mention(first["spans"], slots=slots, coded=False).as_dict() == first
    coded = Document("n0", [Mention(first["spans"], slots=slots)], case.texts[0])
    assert clineval.score(case.name, [coded], [case.gold[0][:1]])["strict_f1"] == 1


def test_data_sets_in_bigbios_schema_become_its_mentions(case):
    entities = [
        {
            "type": mention[case.slot], "offsets": mention["spans"], "text": [],
            "normalized": [{"db_name": "UMLS", "db_id": "C1"}],
        }
        for mention in case.gold[0]
    ]  # fmt: skip
    expected = [{name: mention[name] for name in ("spans", case.slot)} for mention in case.gold[0]]
    assert from_bigbio([{"passages": [], "entities": entities}], case.name) == [expected]


def test_a_tagger_is_scored(case):
    """What the Trainer calls; outputs that are right in the first text and empty in the second."""
    words = [[*re.finditer(r"\w+|\W", text)] for text in case.texts]
    offsets = {"offset_mapping": [[word.span() for word in row] for row in words]}
    windows = Windows.of(offsets, case.texts)
    labels = sorted({mention[case.slot] for side in case.gold for mention in side})
    tags = TagSet.of(labels, "biohd")
    metrics = compute_metrics_for(case.name, windows, case.gold, tags)
    right = [from_mentions(mentions, lambda m: m[case.slot]) for mentions in case.gold]
    metrics.add(windows.encode([right[0], []], tags))
    scores = metrics.compute()
    sizes = [len(mentions) for mentions in case.gold]
    assert scores["strict_precision"] == 1
    assert scores["strict_recall"] == sizes[0] / sum(sizes)


def test_it_is_an_evaluate_module(case, sides, tmp_path):
    """What ``clineval.hf.load`` gives, and a folder that is made for ``evaluate.load``."""
    gold, found = sides
    folder = tmp_path / "module"
    run("space", "build", case.name, folder)
    for metric in (clineval.hf.load(case.name), evaluate.load(str(folder))):
        assert metric.name == case.name
        scores = metric.compute(predictions=case.found, references=case.gold)
        assert scores == clineval.score(case.name, case.found, case.gold).as_dict()
        metric.add_batch(predictions=case.found, references=case.gold)
        assert metric.compute() == scores
        assert metric.compute(predictions=str(found), references=str(gold), numbers_only=True)
        assert "clineval.hf.load" in metric.inputs_description
        assert case.slot in str(metric.features[0])
        assert metric.homepage == find_challenge(case.name).task.homepage
    definition = find_challenge(case.name).task.specification
    assert definition in (folder / "README.md").read_text()
    assert SpaceCard.load(folder / "README.md").data.description == metric.description
    assert {"clineval", case.name} <= {*(folder / "requirements.txt").read_text().split()}
    refused = invoke(["space", "push", case.name, "--repo", f"me/{case.name}", "--dry-run"])
    assert f"a Space cannot contain the package of {case.name}" in str(refused.exception)


def test_its_scores_stand_on_model_cards(case):
    score = clineval.score(case.name, case.found, case.gold)
    [result] = to_eval_results(score, dataset="me/notes", keys=["strict_f1"])
    assert (result.metric_type, result.metric_value) == (case.name, score["strict_f1"])


def test_its_main_scores_stand_in_the_training_table(site):  # noqa: ARG001
    assert make_scorer(challenge="trial_concepts").score_weights == {
        "tc_strict_f1": 1, "tc_lenient_f1": 0, "tc_assertion": 0, "tc_cond_accu": 0,
        "tc_scores": None, "tc_dataset": None,
    }  # fmt: skip
    assert make_scorer(challenge="wound_findings").score_weights == {
        "wf_strict_f1": 1, "wf_lenient_f1": 0, "wf_scores": None, "wf_dataset": None,
    }  # fmt: skip


@Language.factory("knows_by_heart", default_config={"lessons": [], "texts": []})
class KnowsByHeart:
    """Predicts one lesson after the other, whatever the examples are that it is updated with."""

    is_trainable = True
    model = None

    def __init__(self, nlp, name, lessons, texts):  # noqa: ARG002 - what spaCy hands in
        self.name, self.lessons, self.texts, self.lesson = name, lessons, texts, -1

    def update(self, *_, losses, **__):
        self.lesson += 1
        losses[self.name] = 0.0

    def __call__(self, doc):
        set_mentions(doc, self.lessons[self.lesson][self.texts.index(doc.text)])
        return doc

    def score(self, *_, **__):
        return {}

    def to_disk(self, path, **_):
        path.write_text(str(self.lesson))

    def from_disk(self, path, **_):
        self.lesson = int(path.read_text())
        return self


def configure(nlp, case, folder):
    """A configuration that trains a pipeline with the challenge's score, on its corpus."""
    nlp.add_pipe("clin_scorer", config={"challenge": case.name})
    write_docbin(docs(case, case.gold), folder / "gold.spacy")
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(folder / "gold.spacy")}
    config = nlp.config
    config["corpora"] = {"train": corpus, "dev": corpus}
    return config


def test_training_keeps_the_model_that_its_ranking_prefers(case, tmp_path):
    """By construction: the second lesson has the best lenient F1, the third the best strict one."""
    wide = [[{**m, "spans": [[a, b - 1] for a, b in m["spans"]]} for m in of] for of in case.gold]
    lessons = [[[], []], wide, [case.gold[0][:1], []], [[], []]]
    nlp = spacy.blank("en")
    nlp.add_pipe("knows_by_heart", config={"lessons": lessons, "texts": case.texts})
    config = configure(nlp, case, tmp_path)
    config["training"] |= {"max_steps": len(lessons) - 1, "eval_frequency": 1}
    config.to_disk(tmp_path / "config.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    assert best.get_pipe("knows_by_heart").lesson == 2
    prefix = "".join(word[0] for word in case.name.split("_"))
    assert best.meta["performance"][f"{prefix}_scores"]["strict_precision"] == 1


@thorough
def test_spacy_trains_with_it(case, tmp_path):
    """With a component that learns; the kept model has the best score of all in the table."""
    nlp = spacy.blank("en")
    nlp.add_pipe("ner")
    config = configure(nlp, case, tmp_path)
    log = tmp_path / "log.jsonl"
    config["training"] |= {
        "max_steps": 30, "eval_frequency": 5, "score_weights": {"ents_f": 0.0},
        "logger": {"@loggers": "spacy.ConsoleLogger.v3", "output_file": str(log)},
    }  # fmt: skip
    config.to_disk(tmp_path / "base.cfg")
    fill_config(tmp_path / "config.cfg", tmp_path / "base.cfg")
    words = ["train", "config.cfg", "--output", "out"]
    subprocess.run([sys.executable, "-m", "spacy", *words], cwd=tmp_path, check=True)
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    prefix = "".join(word[0] for word in case.name.split("_"))
    main = [row["scores"][f"{prefix}_strict_f1"] / 100 for row in rows]
    best = spacy.load(tmp_path / "out" / "model-best")
    assert best.meta["performance"][f"{prefix}_strict_f1"] == pytest.approx(max(main), abs=1e-9)
    assert [row["score"] for row in rows] == pytest.approx(main, abs=0.01)
    assert max(main) > 0


def test_what_is_built_in_is_as_if_nothing_were_installed(site, tmp_path):  # noqa: ARG001
    """Types of brat are none of the challenges'."""
    mention = {"spans": [[3, 8]], "cui": "C0015967", "negation": "yes"}
    line = {"id": "n0", "mentions": [mention], "text": "No fever."}
    (tmp_path / "start.jsonl").write_text(json.dumps(line))
    for source, target in (("start.jsonl", "brat"), ("brat", "notes.spacy"),
                           ("notes.spacy", "back.jsonl")):  # fmt: skip
        form = ["--to", "brat"] if target == "brat" else []
        run("convert", tmp_path / source, tmp_path / target, *form)
    [back] = json.loads((tmp_path / "back.jsonl").read_text())["mentions"]
    assert (back["cui"], back["negation"]) == ("C0015967", "yes")


def test_a_package_that_is_broken_stands_in_one_warning(tmp_path):
    """In a process that has only been started, as after an installation."""
    with install(tmp_path, **{BROKEN: "raise TypeError('of its author')"}):
        done = subprocess.run(
            [sys.executable, "-m", "clineval", "list"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert all(case.name in done.stdout for case in CASES)
        problem = f"package {BROKEN}, metric {BROKEN}: it cannot be imported: TypeError"
        assert done.stderr.count(problem) == 1
        with pytest.warns(InputWarning, match=problem):
            all_challenges()
        said = refuse(clineval.score, BROKEN, "a", "b")
    assert problem in said
    assert "of its author" in said
