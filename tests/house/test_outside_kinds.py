"""Challenges of other people, a file each: every face gives what is worked out by hand.

Classes of documents, relations, and two rules: time lines with closure and reduction, and partial
credit by shared characters.
"""

import json
import re
from dataclasses import dataclass

import evaluate
import pytest
import spacy
from commands import invoke
from conftest import DATA
from decoded_pages import decode_page
from outside import install
from spacy.cli.init_config import fill_config
from spacy.cli.train import train

import clineval
import clineval.hf
from clineval import InputError
from clineval.answers.rewards import reward
from clineval.evaluation.analysis.mistakes import count_mistakes
from clineval.harness.samples import SampleScoring
from clineval.results.registry import find_challenge
from clineval.training import compute_metrics_for, from_bigbio
from spacy_clin import score_docs, write_docbin

TEXT = "Aspirin gave rash; heparin helped pain."
CLASSES = [
    "PAST",
    "NON",
    "CURRENT",
    "CAUSES",
    "TREATS",
    "BEFORE",
    "AFTER",
    "OVERLAP",
    "DRUG",
    "SIGN",
]
WORDS = {"Aspirin": "DRUG", "rash": "SIGN", "heparin": "DRUG", "pain": "SIGN"}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def at(words):
    return [[TEXT.index(words), TEXT.index(words) + len(words)]]


def relate(*links):
    """A document of all words, and relations between their numbers."""
    mentions = [
        {"id": f"T{number}", "spans": at(word), "label": label}
        for number, (word, label) in enumerate(WORDS.items())
    ]
    relations = [{"label": label, "from": f"T{a}", "to": f"T{b}"} for label, a, b in links]
    return {"mentions": mentions, "relations": relations}


def mention(words, label):
    return {"spans": at(words), "label": label}


@dataclass(frozen=True)
class Case:
    name: str
    lines: int
    """The most that its file may have."""
    gold: list
    found: list
    scores: dict
    groups: tuple
    """A group of ``--by``, and a count of it."""
    kinds: dict
    """What ``errors`` lists."""
    answer: object
    """A model's answer that is right for the first document."""
    word: str = "label"

    def write(self, folder, ending="jsonl"):
        paths = [folder / f"gold.{ending}", folder / f"found.{ending}"]
        for path, side in zip(paths, (self.gold, self.found), strict=True):
            lines = [
                json.dumps({"id": f"n{number}", "text": TEXT, **self.as_dict(document)}) + "\n"
                for number, document in enumerate(side)
            ]
            path.write_text("".join(lines))
        return paths

    def as_dict(self, document):
        if isinstance(document, str):
            return {self.word: document}
        return document if isinstance(document, dict) else {"mentions": document}


CASES = [
    Case(
        "smoking_status", 16, ["PAST", "NON", "CURRENT"], ["PAST", "CURRENT", "CURRENT"],
        {"accuracy": 2 / 3, "micro_f1": 2 / 3, "macro_f1": (1 + 0 + 2 / 3) / 3, "kappa": 1 / 2},
        ("CURRENT", "micro_tp", 1), {"right": 2, "status": 1}, {"status": "past"}, "status",
    ),
    Case(
        "drug_effects", 20,
        [relate(("CAUSES", 0, 1), ("TREATS", 2, 3)), relate()],
        [relate(("CAUSES", 0, 1), ("CAUSES", 2, 3)), relate(("TREATS", 0, 1))],
        {"relations_precision": 1 / 3, "relations_recall": 1 / 2, "causes_relations_f1": 2 / 3},
        ("CAUSES", "relations_tp", 1), {"right": 1, "label": 1, "spurious": 1},
        {
            "mentions": [
                {"id": word, "text": word, "label": label} for word, label in WORDS.items()
            ],
            "relations": [
                {"label": "CAUSES", "from": "Aspirin", "to": "rash"},
                {"label": "TREATS", "from": "heparin", "to": "pain"},
            ],
        },
    ),
    Case(
        "time_lines", 64,
        [relate(("BEFORE", 0, 1), ("BEFORE", 1, 2), ("BEFORE", 0, 2)), relate()],
        [relate(("AFTER", 1, 0), ("BEFORE", 2, 1)), relate(("OVERLAP", 0, 1))],
        {"system_precision": 1 / 3, "system_recall": 1 / 2, "system_f1": 2 / 5},
        ("AFTER", "system_tp", 1), {"spurious": 3, "missed": 3},
        {
            "mentions": [
                {"id": word, "text": word, "label": label} for word, label in WORDS.items()
            ],
            "relations": [
                {"label": "AFTER", "from": "rash", "to": "Aspirin"},
                {"label": "BEFORE", "from": "rash", "to": "heparin"},
            ],
        },
    ),
    Case(
        "shared_words", 40,
        [[mention("Aspirin", "DRUG"), mention("rash", "SIGN")],
         [mention(word, label) for word, label in WORDS.items()]],
        [[mention("Aspi", "DRUG")], [mention("rash", "SIGN"), mention("heparin", "SIGN")]],
        {"credit_precision": (8 / 11 + 1) / 3, "credit_recall": (8 / 11 + 1) / 6},
        ("SIGN", "credit_f1", 2 / 5), {"right": 1, "boundary": 1, "label": 1, "missed": 3},
        [{"text": "Aspirin", "label": "DRUG"}, {"text": "rash", "label": "SIGN"}],
    ),
]  # fmt: skip
NAMES = [case.name for case in CASES]


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    sources = {name: (DATA / "outside" / f"{name}.py").read_text() for name in NAMES}
    with install(tmp_path_factory.mktemp("site"), **sources):
        yield


@pytest.fixture(params=CASES, ids=NAMES)
def case(request):
    return request.param


@pytest.fixture
def sides(case, tmp_path):
    return case.write(tmp_path)


def run(*words, status=0):
    done = invoke([*map(str, words)])
    assert done.exit_code == status, (done.output, done.exception)
    return json.loads(done.stdout) if "json" in words else done.stdout


def check(case, scores):
    assert {key: scores[key] for key in case.scores} == pytest.approx(case.scores)


def test_its_author_writes_one_short_file(case):
    text = (DATA / "outside" / f"{case.name}.py").read_text()
    assert len(text.splitlines()) <= case.lines
    imported = re.findall(r"^(?:from|import) (\S+)", text, re.MULTILINE)
    assert imported == ["clineval"]


def test_commands_give_what_a_hand_gives(case, sides, tmp_path):
    for more in ((), ("--jobs", "2"), ("--confidence", ".9")):
        check(case, run("score", case.name, *sides, *more, "--format", "json")["scores"])
    group, key, value = case.groups
    groups = run("score", case.name, *sides, "--by", case.word, "--format", "json")["groups"]
    assert groups[group][key] == pytest.approx(value)
    errors = run("errors", case.name, *sides, "--format", "json")
    assert {kind: number for kind, number in errors["kinds"].items() if number} == case.kinds
    confused = run("errors", case.name, *sides, "--slot", case.word, "--format", "json")
    assert all(value in CLASSES for value in confused["values"] if value)
    [pair] = run("agreement", case.name, *sides, "--format", "json")
    check(case, pair["scores"])
    compared = run("compare", case.name, sides[0], sides[1], sides[0], "--format", "json")
    main = next(iter(compared["differences"]["gold"]))
    score = clineval.score(case.name, sides[1], sides[0])
    assert compared["differences"]["gold"][main]["value"] == pytest.approx(1 - score[main])
    run("validate", case.name, *sides)
    run("report", case.name, *sides, "--output", tmp_path / "report.html")
    assert decode_page((tmp_path / "report.html").read_text())


def test_files_are_converted_and_score_the_same(case, sides, tmp_path):
    targets = {"smoking_status": ["csv", "tsv", "jsonl"]}.get(case.name, ["jsonl"])
    targets += ["brat"] if case.name in ("drug_effects", "time_lines") else []
    for to in targets:
        written = []
        for side, path in zip(("gold", "found"), sides, strict=True):
            target = tmp_path / (f"{to}_{side}" if to == "brat" else f"new_{side}.{to}")
            options = ["--to", "brat"] if to == "brat" else []
            run("convert", path, target, "--module", case.name, *options)
            written.append(target)
        check(case, clineval.score(case.name, written[1], written[0]))


def test_documents_are_read_and_written(case, sides, tmp_path):
    found = clineval.read(sides[1], case.name)
    form = "" if case.name == "smoking_status" else "jsonl"
    clineval.write(found, tmp_path / "again.jsonl", form, case.name)
    check(case, clineval.score(case.name, tmp_path / "again.jsonl", sides[0]))


def test_parquet_is_scored_as_json_lines_are(case, sides):
    arrow, parquet = map(pytest.importorskip, ("pyarrow", "pyarrow.parquet"))
    tables = []
    for side in sides:
        rows = [json.loads(line) for line in side.read_text().splitlines()]
        tables.append(side.with_suffix(".parquet"))
        parquet.write_table(arrow.Table.from_pylist(rows), tables[-1])
    check(case, run("score", case.name, *tables, "--format", "json")["scores"])


def test_lists_and_modules_are_scored(case, tmp_path):
    check(case, clineval.score(case.name, case.found, case.gold))
    folder = tmp_path / "module"
    run("space", "build", case.name, folder)
    written = [[json.dumps({"text": TEXT, **case.as_dict(d)}) for d in side]
               for side in (case.found, case.gold)]  # fmt: skip
    if case.name in ("smoking_status", "shared_words"):
        written = [case.found, case.gold]
    for metric in (clineval.hf.load(case.name), evaluate.load(str(folder))):
        check(case, metric.compute(predictions=written[0], references=written[1]))


def test_answers_of_models_are_scored(case):
    written = [json.dumps(case.answer), "I cannot say"]
    gold = [case.gold[0]] * 2
    assert reward(case.name, written, gold, texts=[TEXT] * 2) == [1, 0]
    key = next(iter(find_challenge(case.name).measures.headline))
    scoring = SampleScoring(case.name, (key,))
    held = gold[0] if isinstance(gold[0], str) else json.dumps(gold[0])
    part = scoring.count_sample(written[0], {"gold": held, "note": TEXT}, "n0")
    assert scoring.tell([part]) == {key: 1}


def test_answers_on_the_command_line(case, sides, tmp_path):
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": f"n{at}", "answer": "nothing" if at else json.dumps(case.answer)}
             for at in range(len(case.gold))]  # fmt: skip
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    scores = run("score", case.name, sides[0], answers, "--answers", "--format", "json")["scores"]
    assert scores["n_unreadable"] == len(case.gold) - 1


def test_kinds_of_errors_are_those_of_a_hand(case):
    outcomes = clineval.evaluate(case.name, case.found, case.gold).outcomes
    kinds = {kind: number for kind, number in count_mistakes(outcomes).items() if number}
    assert sum(kinds.values()) == sum(case.kinds.values())


def as_doc(document):
    doc = spacy.blank("en")(TEXT)
    doc.cats = {value: float(value == document) for value in ("PAST", "CURRENT", "NON")}
    return doc


def test_categories_of_docs_are_classes():
    case = CASES[0]
    gold, found = ([as_doc(each) for each in side] for side in (case.gold, case.found))
    check(case, score_docs(found, gold, case.name))


def test_classifiers_are_scored_in_training():
    case = CASES[0]
    labels = ["NON", "CURRENT", "PAST"]
    metrics = compute_metrics_for(case.name, None, case.gold, labels)
    metrics.add([[float(label == found) for label in labels] for found in case.found])
    check(case, metrics.compute())


@pytest.mark.parametrize("name", ["drug_effects", "time_lines"])
def test_relations_are_read_from_bigbio(name):
    case = CASES[NAMES.index(name)]
    document = case.gold[0]
    source = {
        "passages": [], "events": [], "coreferences": [],
        "entities": [
            {"id": m["id"], "type": m["label"], "offsets": m["spans"], "text": [], "normalized": []}
            for m in document["mentions"]
        ],
        "relations": [
            {"id": "r", "type": r["label"], "arg1_id": r["from"], "arg2_id": r["to"],
             "normalized": []}
            for r in document["relations"]
        ],
    }  # fmt: skip
    found = from_bigbio([source], name)
    score = clineval.score(name, found, [document])
    assert next(iter(score.values.values())) == 1


def test_a_face_that_a_kind_lacks_says_why(tmp_path):
    paths = CASES[0].write(tmp_path)
    remarks = tmp_path / "remarks.jsonl"
    remarks.write_text("")
    done = invoke(
        ["adjudicate", "smoking_status", str(paths[0]), str(remarks), str(tmp_path / "x")]
    )
    assert done.exit_code != 0
    with pytest.raises(InputError, match="tags stand for mentions, and for no relation"):
        compute_metrics_for("drug_effects", None, CASES[1].gold, ["DRUG"])


def test_spacy_trains_a_categorizer_with_it(tmp_path):
    """A real ``textcat``: the metric's scores stand in the model, and choose it."""
    docs = []
    for value, text in (("PAST", "He quit."), ("NON", "Never smoked."), ("CURRENT", "Smokes.")):
        doc = spacy.blank("en")(text)
        doc.cats = {each: float(each == value) for each in ("PAST", "NON", "CURRENT")}
        docs.append(doc)
    write_docbin(docs * 4, tmp_path / "gold.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("textcat")
    nlp.add_pipe("clin_scorer", config={"challenge": "smoking_status"})
    config = nlp.config
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config["corpora"] = {"train": corpus, "dev": corpus}
    config["training"] |= {"max_steps": 20, "eval_frequency": 10}
    config.to_disk(tmp_path / "base.cfg")
    fill_config(tmp_path / "config.cfg", tmp_path / "base.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    found = [best(doc.text) for doc in docs]
    scores = score_docs(found, docs, "smoking_status").as_dict()
    assert best.meta["performance"]["ss_scores"]["macro_f1"] == pytest.approx(scores["macro_f1"])
