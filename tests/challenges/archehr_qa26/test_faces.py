"""Evidence for answers in faces besides the command ``score``."""

import json

import evaluate
import pytest
import spacy
from commands import invoke
from conftest import ROOT
from processes import call_program

import clineval
from clineval import Challenge, Evidence, EvidenceEntries, EvidenceFiles, InputError, Task
from clineval.answers.rewards import reward
from clineval.harness.samples import SampleScoring
from spacy_clin import score_docs

NAME = "archehr_qa26"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
KEY = json.loads((DEMO / "key.json").read_text("utf-8"))
GOLD = [["1", "2", "3:supplementary", "4:not-relevant", "1>1", "2>2"]]
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")

ANSWERS = {
    '["1", "2"]': 1,
    "[1, 2]": 1,
    '```json\n["1", "3"]\n```': 0.5,
    '{"prediction": ["1"]}': 2 / 3,
    "Sentences 1 and 2.": 0,
    '["1", "2", null, {"why": "x"}]': 2 / 3,
    "[]": 0,
}  # fmt: skip


@pytest.mark.parametrize("config", ["default", "subtask2"])
def test_every_answer_has_a_reward(config):
    found = reward(NAME, [*ANSWERS], GOLD * len(ANSWERS), config=config)
    assert found == pytest.approx([*ANSWERS.values()])


def test_so_have_links():
    answers = [
        '[{"answer_id": "1", "evidence_id": ["1"]}, {"answer_id": "2", "evidence_id": ["2", "3"]}]',
        '[{"answer_id": 1, "evidence_id": [1]}]',
        '[{"answer_id": "1"}, {"answer_id": "2", "evidence_id": "2"}]',
        '["1>1", "2>2"]',
        "1 is supported by 1.",
    ]
    expected = [4 / 5, 2 / 3, 0, 1, 0]
    for config in ("default", "subtask4"):
        assert reward(NAME, answers, GOLD * 5, config=config) == pytest.approx(expected)


@pytest.mark.parametrize("case", KEY)
def test_a_case_of_the_key_can_be_the_gold_standard_of_a_reward(case):
    """As an object, and as a string of JSON, as in a column of a table."""
    gold = [at["sentence_id"] for at in case["answers"] if at["relevance"] == "essential"]
    answer = json.dumps(gold)
    for given in (case, json.dumps(case)):
        assert reward(NAME, [answer], [given], config="subtask2") == [1]


def test_samples_of_a_harness_are_scored_together():
    keys = ("strict_micro_f1", "lenient_micro_f1", "overall_score")
    scoring = SampleScoring(NAME, keys)
    answers, gold = ['["1"]', "no idea", '["5", "6"]'], [GOLD[0], ["7"], ["5"]]
    pairs = enumerate(zip(answers, gold, strict=True))
    parts = [scoring.count(answer, of, None, str(at)) for at, (answer, of) in pairs]
    expected = clineval.score(NAME, [["1"], [], ["5", "6"]], gold)
    assert scoring.tell(parts) == {key: expected[key] for key in keys}


def docs_of(documents):
    nlp = spacy.blank("en")
    docs = [nlp("A note.") for _ in documents]
    for doc, codes in zip(docs, documents, strict=True):
        doc.cats = dict.fromkeys(codes, 1.0)
    return docs


def test_categories_of_docs_are_sentences_and_links():
    found = [["1", "3", "1>1", "2>4"]]
    result = score_docs(docs_of(GOLD), docs_of(found), NAME)
    expected = clineval.score(NAME, found, GOLD)
    for key in ("strict_micro_f1", "lenient_micro_f1", "micro_f1", "overall_score"):
        assert result[key] == expected[key], key


def test_the_evaluate_module_scores_strings():
    metric = evaluate.load(NAME)
    result = metric.compute(predictions=['["1", "3"]'], references=[json.dumps(GOLD[0])])
    assert result["lenient_micro_precision"] == 1
    assert metric.compute(predictions=[["1"]], references=GOLD)["strict_micro_recall"] == 0.5


def parse(*words):
    done = invoke(words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_and_processes_count_the_same(jobs):
    sides = DEMO / "key.json", DEMO / "model.json"
    found = parse("score", NAME, *sides, "--jobs", jobs, "--format", "json")
    expected = clineval.score(NAME, *sides[::-1]).as_dict()
    assert found["scores"]["overall_score"] == expected["overall_score"]
    gold = [[*case["answers"], *case["clinician_answer_sentences"]] for case in KEY]
    cases = json.loads(sides[1].read_text("utf-8"))
    lists = [case["prediction"] for case in cases]
    whole = clineval.count(NAME, lists, gold)
    for size in (1, 2, 7):
        parts = (
            [
                clineval.count(NAME, lists[at : at + size], gold[at : at + size]).named(str(at))
                for at in range(0, len(lists), size)
            ]
            if size == 1
            else [clineval.count(NAME, iter(lists), iter(gold), batch_size=size)]
        )
        summed = clineval.Counts.sum(parts)
        assert summed.score().values == whole.score().values
        assert summed.settings == whole.settings == {"protocol": "spec", "predicted": "sentences"}


def test_conversion_keeps_everything(tmp_path):
    lines, back = tmp_path / "key.jsonl", tmp_path / "key.json"
    for source, target in ((DEMO / "key.json", lines), (lines, back)):
        assert invoke(["convert", source, target, "--module", NAME]).exit_code == 0
    assert json.loads(back.read_text("utf-8")) == KEY
    assert clineval.score(NAME, DEMO / "model.json", lines).dataset == f"{NAME}/demo"


def test_an_option_takes_all_words_up_to_the_next_option(tmp_path):
    """As argparse does; and the same option can be repeated."""
    written = []
    paths = ("--submission_path", DEMO / "model.json", "--key_path", DEMO / "key.json")
    for words in (("1", "3-5"), ("1", "--case_ids_to_score", "3", "4", "5"), ("3-5", "1")):
        target = tmp_path / f"{len(written)}.json"
        chosen = ("--case_ids_to_score", *words, *paths, "--out_file_path", target)
        done = call_program("clineval", "official", "archehr-2026-task2", *chosen)
        assert done.returncode == 0, done.stderr
        assert "Number of cases in submission after filtering: 4\n" in done.stdout
        written.append(target.read_text("utf-8"))
    assert len({*written}) == 1
    assert json.loads(written[0])["strict_micro_recall"] == pytest.approx(100)


def test_errors_groups_and_agreement():
    sides = DEMO / "key.json", DEMO / "keywords.json"
    errors = invoke(["errors", NAME, *sides], catch_exceptions=False)
    assert errors.exit_code == 0
    groups = parse("score", NAME, *sides, "--by", "slot:grade", "--format", "json")
    rows = groups["groups"]
    assert rows.keys() == {"essential", "supplementary", "not-relevant"}
    assert rows["supplementary"]["strict_micro_fp"] == 5
    assert rows["supplementary"]["lenient_micro_fp"] == 0
    assert invoke(["agreement", NAME, *sides], catch_exceptions=False).exit_code == 0
    assert invoke(["validate", NAME, *sides], catch_exceptions=False).exit_code == 0


OWN = EvidenceFiles(name="note", sentences="lines", answers="claims")
LINES = [{"sentence_id": "1", "relevance": "essential"},
         {"sentence_id": "2", "relevance": "supplementary"}]  # fmt: skip


@pytest.mark.parametrize("evidence", [Evidence, EvidenceEntries])
def test_a_challenge_of_ones_own_names_the_keys_of_its_files(evidence, tmp_path):
    task = Task("ward", "Ward", "https://example.org/", definition="", file="")
    cited = {"note": "a", "lines": LINES, "claims": [{"id": "x", "citations": ["1"]}]}
    found = {"note": "a", "prediction": ["1", "2"]}
    sides = []
    for name, held in (("found", found), ("gold", cited)):
        sides.append(tmp_path / f"{name}.json")
        sides[-1].write_text(json.dumps([held]))
    own = Challenge(task, {"spec": evidence(form=OWN, scored={"default": ("essential",)})})
    result = clineval.score(own, *sides)
    assert result["strict_micro_f1"] == pytest.approx(2 / 3)
    assert result["lenient_micro_f1"] == result["strict_micro_recall"] == 1
    assert "micro_f1" not in result
    usual = Challenge(task, {"spec": evidence()})
    assert clineval.score(usual, [["1"]], [["1", "2:supplementary"]])["overall_score"] == 1


@pytest.mark.parametrize("evidence", [Evidence, EvidenceEntries])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"form": "case_id"}, "form: expected objects of the class EvidenceFiles, got str"),
        ({"scored": {"a": ("esential",)}}, "unknown grade of a 'esential'.*Did you mean essential"),
        ({"scored": {"a": ()}}, "scored, a: expected at least one word"),
        ({"scored": {"a": "link"}}, "scored, a: expected a tuple of words, got 'link'"),
    ],
)
def test_its_declaration_is_checked(evidence, given, said):
    with pytest.raises(InputError, match=said):
        evidence(**given)
