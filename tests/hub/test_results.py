"""Scores as results on model cards."""

import json

import evaluate
import pytest
import yaml
from hub.spaces import find_demo
from huggingface_hub import EvalResultEntry, ModelCard, parse_eval_result_entries
from processes import run_clineval
from thorough import each_module

import clineval
from clineval.base.errors import InputError
from clineval.hub.results import read_result, to_eval_results, write_eval_results, write_to_card
from clineval.results.registry import NAMES

GOLD = [[{"spans": [[4, 15]], "cui": "C0344720"}, {"spans": [[20, 25]], "cui": None}]]
SCORE = clineval.score("semeval15_task14", [GOLD[0][:1]], GOLD, config="task1")
CARD = """\
---
license: mit
tags:
- clinical
model-index:
- name: tagger
  results:
  - task: {type: token-classification}
    dataset: {type: other/notes, name: Others}
    metrics:
    - {type: f1, value: 0.5}
---
# A tagger
"""


def test_a_score_the_dict_of_a_module_and_the_json_give_the_same_entries():
    from clineval.results.tables import as_json

    computed = evaluate.load("semeval15_task14", "task1").compute(
        predictions=[GOLD[0][:1]], references=GOLD
    )
    forms = [SCORE, computed, json.loads(as_json(SCORE.sheet()))]
    entries = [to_eval_results(form, dataset="me/notes", split="test") for form in forms]
    assert entries[0] == entries[1] == entries[2]
    names = {entry.metric_name: entry.metric_value for entry in entries[0]}
    assert names == {
        "strict_precision": 1.0, "strict_recall": 0.5, "strict_f1": pytest.approx(2 / 3),
        "relaxed_precision": 1.0, "relaxed_recall": 0.5, "relaxed_f1": pytest.approx(2 / 3),
    }  # fmt: skip
    assert {entry.metric_args["signature"] for entry in entries[0]} == {str(SCORE.signature)}


def test_chosen_scores_in_their_order():
    entries = to_eval_results(SCORE, dataset="me/notes", keys=["relaxed_f1", "strict_tp"])
    assert [(e.metric_name, e.metric_value) for e in entries] == [
        ("relaxed_f1", pytest.approx(2 / 3)), ("strict_tp", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "keys", "message"),
    [
        ({"strict_f1": 1.0}, None, "signature"),
        (SCORE, ["f2"], "'f2'"),
        ({"signature": "bleu|default|v:1"}, None, "'bleu'"),
        ({"signature": "nonsense"}, None, "expected a signature"),
    ],
)
def test_what_is_no_score_is_refused(scores, keys, message):
    with pytest.raises(InputError, match=message):
        to_eval_results(scores, dataset="me/notes", keys=keys)


@each_module()
def test_the_command_writes_every_metric_into_a_card(name, tmp_path):
    _, gold, system, options = find_demo(name)
    given = [word for key, path in options.items() for word in (f"--{key}", path)]
    output = tmp_path / "result.json"
    scored = run_clineval("score", name, gold, system, "--format", "json", "-o", output, *given)
    assert scored.stdout == ""
    card = tmp_path / "README.md"
    card.write_text(CARD, "utf-8")
    command = ["card-results", output, card, "--dataset", "me/notes", "--split", "test"]
    run_clineval(*command)
    data = ModelCard.load(card).data
    old, *new = data.eval_results
    assert (old.dataset_type, old.metric_value) == ("other/notes", 0.5)
    assert (data.license, data.tags, data.model_name) == ("mit", ["clinical"], "tagger")
    result = json.loads(output.read_text("utf-8"))
    assert new
    for entry in new:
        assert entry.metric_type == name
        assert entry.metric_value == result["scores"][entry.metric_name]
        assert entry.metric_args == {"signature": result["signature"]}
    assert card.read_text("utf-8").endswith("# A tagger\n")
    assert "nothing new" in run_clineval(*command).stderr


def test_a_new_value_replaces_the_old_one_and_protocols_stand_side_by_side(tmp_path):
    card = tmp_path / "README.md"
    better = clineval.score("semeval15_task14", GOLD, GOLD, config="task1")
    official = clineval.score("semeval15_task14", GOLD, GOLD, config="task1", protocol="official")
    for score in (SCORE, better, official):
        write_to_card(card, to_eval_results(score, dataset="me/notes", keys=["strict_f1"]))
    shown = [
        (entry.metric_value, entry.metric_args["signature"].split("|")[2])
        for entry in ModelCard.load(card).data.eval_results
    ]
    assert shown == [(1.0, "protocol:spec"), (1.0, "protocol:official")]


def test_a_card_is_made_where_there_is_none(tmp_path):
    entries = to_eval_results(SCORE, dataset="me/notes", dataset_name="Notes", keys=["strict_f1"])
    for model, name in ((None, tmp_path.name), ("tagger", "tagger")):
        card = tmp_path / f"{name}.md"
        assert write_to_card(card, entries, model=model) == ["strict_f1"]
        loaded = ModelCard.load(card)
        assert loaded.data.model_name == name
        assert loaded.data.eval_results == entries
        assert loaded.text.strip() == f"# {name}"


@pytest.mark.parametrize("metadata", [
    "a: [b",
    "- a\n- b",
    "model-index: 5",
    "model-index: [{name: m}]",
    "model-index:\n- name: m\n  results: [5]",
    "model-index:\n- name: m\n  results:\n  - task: {type: t}\n    dataset: {}\n    metrics: x",
    "model-index: [1, {name: [], results: {}}]",
])  # fmt: skip
def test_a_card_with_broken_metadata_is_refused_and_stays(metadata, tmp_path):
    card = tmp_path / "README.md"
    card.write_text(f"---\n{metadata}\n---\nQuillfeather Ann\n")
    before = card.read_text()
    with pytest.raises(InputError, match="are not YAML, or have an invalid model-index") as refused:
        write_to_card(card, to_eval_results(SCORE, dataset="me/notes"))
    assert "Quillfeather" not in str(refused.value)
    assert refused.value.__suppress_context__
    assert card.read_text() == before


@pytest.mark.parametrize("text", [None, "no JSON", "[1]"])
def test_a_file_without_a_result_is_refused(text, tmp_path):
    path = tmp_path / "result.json"
    if text:
        path.write_text(text)
    with pytest.raises(InputError, match=r"result\.json"):
        read_result(path)
    run_clineval("card-results", path, tmp_path / "README.md", "--dataset", "me/notes", status=2)
    assert not (tmp_path / "README.md").exists()


def entries_in(folder):
    """What the Hub reads of the files, each with the name of its file."""
    files = sorted((folder / ".eval_results").iterdir())
    return {
        path.name: entry
        for path in files
        for entry in parse_eval_result_entries(yaml.safe_load(path.read_text("utf-8")))
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_beside_the_card_lies_the_main_score_for_the_leaderboard(name, tmp_path):
    _, gold, system, options = find_demo(name)
    score = clineval.score(name, system, gold, **options)
    results = to_eval_results(score, dataset="me/notes", source_url="https://a.b/c")
    [path] = write_eval_results(tmp_path / "README.md", results, task="test")
    [(file, entry)] = entries_in(tmp_path).items()
    assert path.name == file
    key = next(
        (k for k in score.challenge.measures.headline if k in score.values), results[0].metric_name
    )
    assert entry == EvalResultEntry(
        "me/notes", "test", score[key], source_url="https://a.b/c", source_name="clineval",
        notes=f"{key}; {score.signature}",
    )  # fmt: skip


def test_scores_protocols_and_runs_each_have_a_file(tmp_path):
    better = clineval.score("semeval15_task14", GOLD, GOLD, config="task1")
    official = clineval.score("semeval15_task14", GOLD, GOLD, config="task1", protocol="official")
    for score in (SCORE, better, official):
        results = to_eval_results(score, dataset="me/notes", keys=["strict_f1", "relaxed_f1"])
        write_eval_results(tmp_path / "README.md", results, main=False)
    found = entries_in(tmp_path)
    assert set(found) == {
        f"semeval15_task14-task1-{protocol}-{key}.yaml"
        for protocol in ("spec", "official")
        for key in ("strict_f1", "relaxed_f1")
    }
    assert {entry.value for entry in found.values()} == {1.0}


def test_the_command_writes_the_chosen_scores(tmp_path):
    from clineval.results.tables import as_json

    result = tmp_path / "result.json"
    result.write_text(as_json(SCORE.sheet()))
    command = ["card-results", result, tmp_path / "README.md", "--dataset", "me/notes"]
    run_clineval(*command, "--key", "strict_f1", "--key", "strict_recall", "--task", "disorders")
    assert {(e.task_id, e.value) for e in entries_in(tmp_path).values()} == {
        ("disorders", SCORE["strict_f1"]), ("disorders", SCORE["strict_recall"]),
    }  # fmt: skip
