"""Challenges of other people, a file each: every face gives what is worked out by hand.

Classes of documents, relations, and two rules: time lines with closure and reduction, and partial
credit by shared characters.
"""

import json
import re

import evaluate
import pytest
import spacy
from commands import invoke
from decoded_pages import decode_page
from outside import install
from outside_cases import CASES, CLASSES, CODES, EVERY, NAMES, SOURCES, TEXT
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
from spacy_clin import score_docs, set_mentions, write_docbin

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **SOURCES):
        yield


@pytest.fixture(params=EVERY, ids=lambda case: case.name)
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
    text = SOURCES[case.name]
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
    known = CLASSES
    if case is CODES:  # in the form in which they are compared
        known = {code.lower() for codes in (*case.gold, *case.found) for code in codes}
    assert all(value in known for value in confused["values"] if value)
    [pair] = run("agreement", case.name, *sides, "--format", "json")["pairs"]
    check(case, pair["scores"])
    compared = run("compare", case.name, sides[0], sides[1], sides[0], "--format", "json")
    main = next(iter(compared["differences"]["gold"]))
    score = clineval.score(case.name, sides[1], sides[0])
    assert compared["differences"]["gold"][main]["value"] == pytest.approx(1 - score[main])
    run("validate", case.name, *sides)
    run("report", case.name, *sides, "--output", tmp_path / "report.html")
    assert decode_page((tmp_path / "report.html").read_text())


def test_files_are_converted_and_score_the_same(case, sides, tmp_path):
    flat = {"smoking_status": ["csv", "tsv", "jsonl"], "ward_codes": ["tsv", "jsonl"]}
    targets = flat.get(case.name, ["jsonl"])
    targets += ["brat"] if case.name in ("drug_effects", "time_lines", "event_order") else []
    targets += [] if case is CODES else ["spacy"]  # a table of codes has no text
    for to in targets:
        written = []
        for side, path in zip(("gold", "found"), sides, strict=True):
            target = tmp_path / (f"{to}_{side}" if to == "brat" else f"new_{side}.{to}")
            options = ["--to", "brat"] if to == "brat" else []
            run("convert", path, target, "--module", case.name, *options)
            if to == "spacy":  # which score_docs reads
                run("convert", target, tmp_path / f"{side}_back.jsonl", "--module", case.name)
                target = tmp_path / f"{side}_back.jsonl"
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
    for path, side in zip(sides, (case.gold, case.found), strict=True):
        tables.append(path.with_suffix(".parquet"))
        parquet.write_table(arrow.Table.from_pylist(case.list_rows(side)), tables[-1])
    check(case, run("score", case.name, *tables, "--format", "json")["scores"])


def test_lists_and_modules_are_scored(case, tmp_path):
    check(case, clineval.score(case.name, case.found, case.gold))
    folder = tmp_path / "module"
    run("space", "build", case.name, folder)
    written = [[json.dumps({"text": TEXT, **case.as_dict(d)}) for d in side]
               for side in (case.found, case.gold)]  # fmt: skip
    if case.name in ("smoking_status", "shared_words", "ward_codes"):
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
    """The Doc that holds a document's annotation as the kind has it."""
    doc = spacy.blank("en")(TEXT)
    if isinstance(document, str):
        doc.cats = {value: float(value == document) for value in ("PAST", "CURRENT", "NON")}
    elif isinstance(document, dict):
        set_mentions(doc, document["mentions"], relations=document["relations"])
    elif isinstance(document[0], str):
        doc.cats = {code: float(code in document) for code in (*document, "R52")}
    else:
        set_mentions(doc, document)
    return doc


def test_docs_are_scored(case):
    gold, found = ([as_doc(each) for each in side] for side in (case.gold, case.found))
    check(case, score_docs(gold, found, case.name))


def test_classifiers_are_scored_in_training():
    case = CASES[0]
    labels = ["NON", "CURRENT", "PAST"]
    metrics = compute_metrics_for(case.name, None, case.gold, labels)
    metrics.add([[float(label == found) for label in labels] for found in case.found])
    check(case, metrics.compute())


def as_bigbio(document):
    """A row of one of BigBIO's schemas: of texts with labels, or of a knowledge base."""
    labels = [document] if isinstance(document, str) else document
    if isinstance(labels, list) and isinstance(labels[0], str):
        return {"id": "0", "text": TEXT, "labels": labels}
    held = document if isinstance(document, dict) else {"mentions": document, "relations": []}
    entities = [
        {
            "id": mention.get("id", f"E{number}"),
            "type": mention["label"],
            "offsets": mention["spans"],
            "text": [],
            "normalized": [],
        }
        for number, mention in enumerate(held["mentions"])
    ]
    relations = [
        {
            "id": f"R{number}",
            "type": relation["label"],
            "arg1_id": relation["from"],
            "arg2_id": relation["to"],
            "normalized": [],
        }
        for number, relation in enumerate(held["relations"])
    ]
    empty = {"passages": [], "events": [], "coreferences": []}
    return {**empty, "entities": entities, "relations": relations}


def test_bigbio_is_read(case):
    gold, found = (
        from_bigbio([as_bigbio(each) for each in side], case.name)
        for side in (case.gold, case.found)
    )
    check(case, clineval.score(case.name, found, gold))


DECIDED = {
    "drug_effects": ("relations_f1", 2 / 5),
    "time_lines": ("system_tp", 0),
    "shared_words": ("credit_precision", (1 + 1) / 3),
}
"""A score of each when the first gold mention is "Aspi": ends overlap still, and are not equal."""


@pytest.mark.parametrize("name", DECIDED)
def test_decisions_on_mentions_are_followed_and_all_else_is_kept(name, tmp_path):
    gold, found = CASES[NAMES.index(name)].write(tmp_path)
    remark = {
        "document": "n0", "side": "gold", "spans": "0-7", "class": "DRUG", "tags": [],
        "comment": "", "decision": "boundary", "to_spans": "0-4", "to_class": "DRUG",
        "to_slots": {},
    }  # fmt: skip
    head = {"schema": "clineval remarks 1", "module": name, "config": "default"}
    remarks = tmp_path / "remarks.json"
    remarks.write_text(json.dumps({**head, "remarks": [remark]}))
    listed = run("adjudicate", gold, remarks, "-o", tmp_path / "new", "--format", "json")
    assert [change["after"] for change in listed["changes"]] == ["0-4 DRUG"]
    corrected = tmp_path / "new" / gold.name
    assert corrected.read_text() == gold.read_text().replace("[[0, 7]]", "[[0, 4]]", 1)
    key, value = DECIDED[name]
    scores = run("score", name, corrected, found, "--format", "json")["scores"]
    assert scores[key] == pytest.approx(value)
    if name == "shared_words":
        return
    brat, again = tmp_path / "brat", tmp_path / "again"  # where relations are lines of their own
    run("convert", gold, brat, "--to", "brat", "--module", name)
    run("adjudicate", brat, remarks, "-o", again)
    before, after = ((folder / "n0.ann").read_text() for folder in (brat, again))
    assert after == before.replace("DRUG 0 7\tAspirin", "DRUG 0 4\tAspi")
    assert run("score", name, again, found, "--format", "json")["scores"][key] == scores[key]


@pytest.mark.parametrize("case", [CASES[0], CODES], ids=lambda case: case.name)
def test_what_has_no_place_in_the_text_is_not_adjudicated(case, sides, tmp_path):
    head = {"schema": "clineval remarks 1", "module": case.name, "config": "default"}
    remarks = tmp_path / "remarks.json"
    remarks.write_text(json.dumps({**head, "remarks": []}))
    done = invoke(["adjudicate", sides[0], remarks, "-o", tmp_path / "new"])
    assert isinstance(done.exception, InputError)
    assert find_challenge(case.name).kind.lacks["adjudicate"] in str(done.exception)
    assert not (tmp_path / "new").exists()


def test_tags_stand_for_no_relation():
    with pytest.raises(InputError, match="tags mark mentions, but not the relations between them"):
        compute_metrics_for("drug_effects", None, CASES[1].gold, ["DRUG"])


TRAINED = {
    "smoking_status": ("textcat", "ss_scores", "macro_f1"),
    "ward_codes": ("textcat_multilabel", "wc_scores", "micro_f1"),
}
"""A component that says it, what holds the scores in its model, and the main one."""


@pytest.mark.parametrize("name", TRAINED)
def test_spacy_trains_a_categorizer_with_it(name, tmp_path):
    """The metric's scores stand in the model, and choose it."""
    component, key, main = TRAINED[name]
    docs = []
    notes = (("PAST", "He quit."), ("NON", "Never smoked."), ("CURRENT", "Smokes."))
    for at, (value, text) in enumerate(notes):
        right = {value} if name == "smoking_status" else {value, notes[at - 1][0]}
        doc = spacy.blank("en")(text)
        doc.cats = {each: float(each in right) for each in ("PAST", "NON", "CURRENT")}
        docs.append(doc)
    write_docbin(docs * 4, tmp_path / "gold.spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe(component)
    nlp.add_pipe("clin_scorer", config={"challenge": name})
    config = nlp.config
    corpus = {"@readers": "spacy_clin.Corpus.v1", "path": str(tmp_path / "gold.spacy")}
    config["corpora"] = {"train": corpus, "dev": corpus}
    config["training"] |= {"max_steps": 20, "eval_frequency": 10}
    config.to_disk(tmp_path / "base.cfg")
    fill_config(tmp_path / "config.cfg", tmp_path / "base.cfg")
    train(tmp_path / "config.cfg", tmp_path)
    best = spacy.load(tmp_path / "model-best")
    found = [best(doc.text) for doc in docs]
    scores = score_docs(docs, found, name).as_dict()
    assert best.meta["performance"][key][main] == pytest.approx(scores[main])
    assert scores[main] > 0
