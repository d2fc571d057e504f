"""``python -m spacy clin`` and ``clineval convert`` as programs."""

import json
from functools import partial

import pytest
import spacy
from docs import CHALLENGES, CORPORA, NOTES
from processes import run_clineval, run_program

from spacy_clin import score_docs, write_docbin

RECORDS = CHALLENGES / "clinical_records" / "demo" / "gold.jsonl"
GOLD, TAGGER = (CHALLENGES / "semeval15_task14" / "demo" / side for side in ("gold", "tagger"))


clin = partial(run_program, "spacy", "clin")


def score(gold, pred):
    done = run_clineval("score", "semeval15_task14", gold, pred, "--format", "json")
    return json.loads(done.stdout)["scores"]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    """A dictionary of two disorders."""
    folder = tmp_path_factory.mktemp("pipelines") / "dictionary"
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(
        [
            {"label": "D", "pattern": "HTN", "id": "C0020538"},
            {"label": "D", "pattern": [{"LOWER": "chest"}, {"LOWER": "pain"}], "id": "C0008031"},
        ]
    )
    nlp.to_disk(folder)
    return folder


def test_evaluate_scores_a_pipeline(pipeline, tmp_path):
    settings = '{"mentions": "ents", "code": "ent_id_"}'
    done = clin(
        "evaluate", pipeline, GOLD, "--text", NOTES, "--pred", settings, "--config", "task1",
        "--format", "json", "--output", "scores.json", "--predictions", "found", "--n-process", 2,
        cwd=tmp_path,
    )  # fmt: skip
    shown = json.loads(done.stdout)
    assert shown == json.loads((tmp_path / "scores.json").read_text())
    assert shown["scores"]["strict_tp"] > 3
    # the predictions that were written score the same on the command line
    written = score(GOLD, tmp_path / "found")
    assert {key: written[key] for key in shown["scores"]} == shown["scores"]


def test_evaluate_prints_the_tables(pipeline):
    done = clin("evaluate", pipeline, GOLD, "--text", NOTES)
    assert "Task 1: disorder mentions" in done.stdout
    assert "warning" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["no_such_pipeline", GOLD, "--text", NOTES], "no such pipeline"),
        (["PIPELINE", GOLD], "text is missing"),
        (
            ["PIPELINE", GOLD, "--text", NOTES, "--pred", "{"],
            "expected settings of a getter as JSON",
        ),
        (["PIPELINE", GOLD, "--text", NOTES, "--challenge", "x"], "expected one of"),
        (["PIPELINE", GOLD, "--text", NOTES, "--n-process", "0"], "n_process: expected 1 or more"),
    ],
)
def test_bad_input_is_status_2_without_a_traceback(pipeline, arguments, part):
    given = [pipeline if argument == "PIPELINE" else argument for argument in arguments]
    done = clin("evaluate", *given, status=2)
    assert part in done.stderr
    assert "Traceback" not in done.stderr


def test_presets_are_listed():
    shown = clin("presets").stdout
    for name in ("clin", "spacy", "medspacy", "scispacy", "negspacy", "edsnlp", "clinlp", "medcat"):
        assert name in shown
    assert "always the default" in clin("presets", "scispacy").stdout
    assert "unknown preset" in clin("presets", "nobody", status=2).stderr


@pytest.mark.parametrize("challenge", [c for c in CORPORA if c != "clefehealth13_task2"])
def test_a_challenges_files_become_a_docbin_and_files_again(challenge, tmp_path):
    gold, system, text = CORPORA[challenge]
    extension = ".json" if challenge == "clinais23_b2" else ""
    texts = ["--text", text] if text else []
    folder = CHALLENGES / challenge / "demo"
    convert = partial(run_clineval, "convert", "--module", challenge)
    convert(folder / gold, tmp_path / "g.spacy", *texts)
    convert(tmp_path / "g.spacy", tmp_path / f"g{extension}")
    options = ["--records", text] if "i2b2" in challenge else []
    pair = (folder / gold, folder / system), (tmp_path / f"g{extension}", folder / system)
    first, second = (
        run_clineval("score", challenge, *files, *options, "--format", "json").stdout
        for files in pair
    )
    assert json.loads(first)["scores"] == json.loads(second)["scores"]


def test_mentions_go_through_all_formats(tmp_path):
    """pipe, DocBin, brat, JSON Lines, pipe: the scores against a system stay the same."""
    step = lambda *arguments: run_clineval("convert", *arguments, cwd=tmp_path)  # noqa: E731
    step(GOLD, "a.spacy", "--text", NOTES)
    step("a.spacy", "brat", "--to", "brat")
    step("brat", "b.jsonl")
    done = step("b.jsonl", "pipe", "--to", "pipe")
    assert done.stdout.split() == ["pipe:", "24", "documents,", "329", "mentions"]
    expected = score(GOLD, TAGGER)
    assert score(tmp_path / "pipe", TAGGER) == expected
    assert score(tmp_path / "b.jsonl", TAGGER) == expected


def test_the_lab_s_format_keeps_spans_and_codes(tmp_path):
    done = run_clineval("convert", GOLD, tmp_path / "clef", "--to", "clef")
    assert "cannot represent the slots" in done.stderr
    back = run_clineval("convert", tmp_path / "clef", tmp_path / "pipe3", "--to", "pipe3")
    assert back.stdout.endswith("329 mentions\n")
    result = run_clineval(
        "score", "semeval15_task14", GOLD, tmp_path / "pipe3", "--config", "task1",
        "--format", "json",
    )  # fmt: skip
    assert json.loads(result.stdout)["scores"]["strict_f1"] == 1.0


def test_docbins_of_convert_hold_entities_to_train_with(tmp_path):
    run_clineval("convert", GOLD, tmp_path / "a.spacy", "--text", NOTES)
    from spacy_clin.docbins import read_docbin

    docs = list(read_docbin(tmp_path / "a.spacy", spacy.blank("en").vocab))
    assert sum(len(doc.ents) for doc in docs) > 250
    assert dict(score_docs(docs, docs).values)["strict_f1"] == 1.0


def test_patterns_are_expanded(tmp_path):
    done = run_clineval("convert", GOLD / "*-ECG_REPORT.pipe", tmp_path / "ecg.jsonl")
    assert "3 documents" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["nothing", "a.jsonl"], "no such file"),
        ([GOLD, "target"], "pass the format of the target, such as brat"),
        ([GOLD, "target", "--to", "answers"], "answers can only be read"),
        ([RECORDS, "a.spacy", "--module", "clinical_records"], "no .spacy files: Docs hold"),
        ([GOLD, "a.spacy"], "text is missing"),
        ([GOLD, GOLD, "a.jsonl"], "in several sources"),
        ([NOTES, "a.jsonl"], "do not identify the format"),
        ([GOLD, "brat", "--to", "brat"], "--text DIR"),
        (["ents.spacy", "a.jsonl"], "no span group 'clin'"),
    ],
)
def test_what_cannot_be_converted_is_refused(arguments, part, tmp_path):
    doc = spacy.blank("en")("No fever.")
    write_docbin([doc], tmp_path / "ents.spacy")
    done = run_clineval("convert", *arguments, cwd=tmp_path, status=2)
    assert part in " ".join(done.stderr.replace("│", "").split())
    assert "Traceback" not in done.stderr
