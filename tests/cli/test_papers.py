"""What goes into papers: comments of LaTeX, signatures, daggers, single scores."""

import json

import pytest
from demos import arguments_of
from processes import run_clineval
from thorough import each

import clineval
from clineval.results.registry import find_challenge

COMMANDS = {
    "score": ("system", "--confidence", "0.95"),
    "compare": ("system", "other", "--trials", "9"),
    "agreement": ("system",),
    "errors": ("system",),
}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Brat files with relations, of which each command warns."""
    folder = tmp_path_factory.mktemp("corpora")
    for name in ("gold", "system", "other"):
        (folder / name).mkdir()
        for number in range(12):
            end = 4 - (number % 3 == 0 and name != "gold")
            lines = [f"T1\tA 0 {end}\tpain", "T2\tA 5 9\tleft", "R1\tof Arg1:T1 Arg2:T2"]
            (folder / name / f"{number}.ann").write_text("\n".join(lines) + "\n")
    return folder


@pytest.mark.parametrize("command", each(COMMANDS, ["agreement"]))
def test_warnings_are_comments_of_latex(corpora, command):
    words = (command, "clinical_spans", "gold", *COMMANDS[command], "--format", "latex")
    done = run_clineval(*words, cwd=corpora)
    warned = [line for line in done.stdout.splitlines() if "Warning: " in line]
    assert len(warned) >= 2
    assert all(line.startswith("% Warning: ") for line in warned)
    for line in done.stderr.splitlines():
        assert line.replace("clineval: warning", "% Warning") in warned


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_agreement_says_what_it_is_of(corpora):
    expected = clineval.score("clinical_spans", corpora / "system", corpora / "gold",
                              confidence=0.95)  # fmt: skip
    for notation, comment in (("table", ""), ("latex", "% "), ("markdown", "`")):
        words = ("agreement", "clinical_spans", "gold", "system", "--format", notation)
        out = run_clineval(*words, cwd=corpora).stdout
        assert f"{comment}{expected.signature}" in out
        assert "gold and system: mentions, 12 documents" in out
    words = ("agreement", "clinical_spans", "gold", "system", "other", "--format", "latex")
    lines = run_clineval(*words, cwd=corpora).stdout.splitlines()
    for pair in ("gold and system", "gold and other", "system and other"):
        assert len([line for line in lines if line.startswith(f"% {pair}: clinical_spans|")]) == 1


@pytest.mark.parametrize("name", ["clinical_codes", "clinical_records"])
def test_agreement_calls_annotations_by_their_name(name):
    (system, gold), options = arguments_of(name)
    words = [word for option, path in options.items() for word in (f"--{option}", path)]
    out = run_clineval("agreement", name, gold, system, *words).stdout
    items = find_challenge(name).kind.items
    assert f"gold and {system.stem}: {items}, 6 documents" in out
    assert "mentions" not in out


@pytest.mark.parametrize("notation", ["table", "latex", "markdown"])
def test_a_dagger_is_explained_where_there_is_one(corpora, notation):
    """Other scores than those of the table may rest on few documents."""
    words = ("score", "clinical_spans", "gold", "system", "--confidence", "0.95")
    marks = {"latex": "^\\dagger$ fewer than", "markdown": "† fewer than", "table": "† fewer than"}
    for key, expected in (("strict_f1", True), ("strict_tp", False)):
        more = ("--score", key, "--format", notation)
        assert (marks[notation] in run_clineval(*words, *more, cwd=corpora).stdout) == expected


def test_agreement_has_no_note_on_daggers_without_one(tmp_path):
    gold = [{"id": str(k), "mentions": [{"spans": [[0, 4]], "label": "A"},
            *([{"spans": [[9, 12]], "label": "Rare"}] if k < 2 else [])]}
            for k in range(40)]  # fmt: skip
    found = [
        {**each, "mentions": each["mentions"] if int(each["id"]) > 20 else []} for each in gold
    ]
    for name, documents in (("one", gold), ("two", found)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, documents)))
    words = ("agreement", "clinical_spans", "one.jsonl", "two.jsonl")
    out = run_clineval(*words, cwd=tmp_path).stdout
    assert "†" not in out
    shown = json.loads(run_clineval(*words, "--format", "json", cwd=tmp_path).stdout)
    assert shown["pairs"][0]["few_units"]


def test_single_scores_are_those_of_all(corpora):
    words = ("score", "clinical_spans", "gold", "system", "--confidence", "0.95", "--format")
    whole = json.loads(run_clineval(*words, "json", cwd=corpora).stdout)
    for keys in (("strict_f1",), ("lenient_recall", "strict_tp")):
        more = ("--score", ",".join(keys))
        shown = json.loads(run_clineval(*words, "json", *more, cwd=corpora).stdout)
        assert shown["signature"] == whole["signature"]
        assert set(keys) <= set(shown["scores"])
        assert shown["scores"].items() <= whole["scores"].items()
        assert all(key.startswith(keys) for key in shown["scores"])
        lines = run_clineval(*words, "latex", *more, cwd=corpora).stdout.splitlines()
        assert sum(line.endswith(r"\\") for line in lines) == 1 + len(keys)
    for more in (("--score", "strict_f2"), ("--score", "strict_f1", "--per-document")):
        assert run_clineval(*words, "json", *more, cwd=corpora, status=2).stdout == ""
