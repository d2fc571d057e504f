"""Stand-ins of released programs: each with its default options, and with outputs elsewhere."""

import re
from pathlib import Path

import pytest
from commands import invoke
from conftest import DATA
from processes import run_clineval
from thorough import thorough

from clineval.results.registry import all_challenges

CALLS = {
    "semeval15-task1": "-n team -r 1 -input tagger -gold gold",
    "semeval15-task2": "-n team -r 1 -t B -input tagger -gold gold",
    "clefehealth13-task1": "-n team -r 1 -t 1a -input tagger -gold gold",
    "i2b2-2009": "-g gold -s tagger -r records",
    "codiesp-2020": "map -g gold_D.tsv -p classifier_D.tsv -c codes_D.tsv",
    "i2b2-2014": "phi tagger gold",
    "meddocan-2019": "brat ner gold tagger",
    "pharmaconer-2019": "ner gold tagger",
    "i2b2-2010": "-rcp gold -scp tagger",
    "gutbrainie-2026": "NER gold.json model.json",
    "bc5cdr": "id Disease pubtator gold.PubTator tagger.PubTator",
    "n2c2-2018-track2": "gold tagger",
    "anafora-evaluate": "-r gold -p model -i TLINK:Type --temporal-closure",
    "brateval": "CompareEntities -e tagger -g gold -s approx 0.8",
    "drugprot-2021": "-g gold/relations.tsv -e gold/entities.tsv -p model/relations.tsv "
    "--pmids gold/pmids.txt",
    "n2c2-2022-track1": "gold tagger",
    "n2c2-2022-track2": "gold tagger",
    "ehealthkd-2019": "gold19/input_x.txt pred19/input_x.txt",
    "ehealthkd-2020": "gold/scenario.txt tagger/scenario.txt",
    "ehealthkd-2021": "gold/scenario.txt tagger/scenario.txt",
    "medprocner-2023": "-r gold.tsv -p tagger.tsv -t norm -o OUT",
    "mediqa-synur-2026": "-r gold.jsonl -p model.jsonl",
    "distemist-2022": "-g gold.tsv -p tagger.tsv -s norm",
    "symptemist-2023": "-r gold.tsv -p tagger.tsv -t ner -o OUT",
    "multicardioner-2024": "-r gold.tsv -p masked.tsv -m mapping.tsv -t track1 -o OUT",
    "toxhabits-2025": "-g gold.tsv -p tagger.tsv -s ner",
    "cantemist-2020": "-g gold -p tagger -s norm",
    "cantemist-2020-f1": "-g gold_coding.tsv -p tagger_coding.tsv -c codes.tsv -f names.txt",
    "multiclinai-2026": "--reference gold.tsv --pred tagger.tsv --entity DISEASE",
    "mediqa-oe-2025": "-t gold.json -p model.json",
    "livingner-2022": "-g gold.tsv -p tagger.tsv -s norm",
    "n2c2-2018-track1": "gold model",
    "tac2017-adr": "gold tagger",
    "i2b2-2014-risk": "cr model gold",
    "i2b2-2012": "gold model",
    "archehr-2026-task2": "--submission_path model.json --key_path key.json "
    "--out_file_path scores.json",
    "archehr-2026-task4": "--submission_path model_links.json --key_path key.json "
    "--out_file_path scores.json",
}
"""What each stand-in needs, of the files of its demo; OUT is an output that must be given."""
SAID = re.compile(r"^(Writing|Written) .*\n", re.MULTILINE)
"""What names the output."""
CASE = DATA / "oracle" / "ehealthkd20" / "cases" / "a01_identical"
"""The demo has no files of 2019's form."""
OUTPUTS = {
    "medprocner-2023": ("", "medprocner_results"),
    "symptemist-2023": ("", "symptemist_results"),
    "multicardioner-2024": ("", "multicardioner_results"),
    "mediqa-synur-2026": ("", "scores.json"),
    "mediqa-oe-2025": ("", "scores.json"),
    "n2c2-2022-track2": ("scores.csv", "scores.csv"),
}
"""Those with an output: what follows the folder in the option, and how the file's name begins."""
WRITTEN = {
    "semeval15-task1": "team_task1_run1.out",
    "semeval15-task2": "team_task2B_run1.out",
    "clefehealth13-task1": "team.1.1a.noadd",
    "mediqa-oe-2025": "test/scores.json",
    "n2c2-2022-track2": "scores.csv",
    "archehr-2026-task2": "scores.json",
    "archehr-2026-task4": "scores.json",
}
"""What stand-ins write with their default options."""


def module_of(command):
    """The challenge of a stand-in."""
    return next(of for of in all_challenges() if command in of.faces.commands)


def words_of(command, folder):
    """The words of a call, with the demo's files by their absolute paths, and OUT as it is."""
    challenge = module_of(command)
    corpora = CASE if "gold19" in CALLS[command] else challenge.task.corpora
    words = []
    for word in CALLS[command].split():
        path = corpora / word
        if command == "clefehealth13-task1" and word in ("tagger", "gold"):
            path = folder.parent / word  # of whose files the script reads all
            path.mkdir(exist_ok=True)
            (path / "all.pipe").write_bytes((corpora / f"{word}.pipe").read_bytes())
        if word == "names.txt":
            path = folder.parent / word
            path.write_text("caso-01\ncaso-02\n")
        words.append(str(path) if path.exists() else word)
    return ["official", command, *words]


def run_here(words, folder, monkeypatch):
    """The output of a call in this process, and the files that it wrote."""
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    result = invoke(words)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def run_apart(words, folder, _monkeypatch):
    """The same in a process."""
    folder.mkdir(exist_ok=True)
    return run_clineval(*words, cwd=folder).stdout


def files_in(folder):
    """The texts of the files below a folder by their names, without the time in them."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {
        re.sub(r"\d{8}_\d{6}", "TIME", str(path.relative_to(folder))): path.read_text("utf-8")
        for path in found
    }


def try_outputs(command, tmp_path, monkeypatch, run):
    """Compare what a stand-in prints and writes with its default options, and elsewhere."""
    first = tmp_path / "default"
    words = words_of(command, first)
    defaults = [word if word != "OUT" else "." for word in words]
    printed, written = [run(defaults, first, monkeypatch)], [files_in(first)]
    if command in WRITTEN or "OUT" not in words:
        assert list(written[0]) == list(filter(None, [WRITTEN.get(command)]))
    assert printed[0] or written[0]
    if command not in OUTPUTS:
        return
    behind, name = OUTPUTS[command]
    for at, out in enumerate([Path(), Path("new", "deep"), tmp_path / "absolute" / "deep"]):
        folder = tmp_path / f"work{at}"
        given = [word for word in words if word not in ("-o", "OUT")]
        printed.append(run([*given, "-o", str(out / behind)], folder, monkeypatch))
        written.append(files_in(folder / out))
        assert out.is_absolute() or files_in(folder).keys() == {
            str(out / file) for file in written[-1]
        }
    texts = [list(files.values()) for files in written if files]
    assert all(text == texts[0] for text in texts)
    assert all(len(files) == 1 and next(iter(files)).rpartition("/")[2].startswith(name)
               for files in written[1:])  # fmt: skip
    said = [
        re.sub(r"\d{8}_\d{6}|^(Writing|Written) .*\n", "", text, flags=re.MULTILINE)
        for text in printed
    ]
    assert len(set(said)) == 1


def test_every_stand_in_has_a_call():
    assert set(CALLS) == {command for of in all_challenges() for command in of.faces.commands}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("command", CALLS)
def test_outputs(command, tmp_path, monkeypatch):
    try_outputs(command, tmp_path, monkeypatch, run_here)


@thorough
@pytest.mark.parametrize("command", CALLS)
def test_outputs_of_processes(command, tmp_path, monkeypatch):
    try_outputs(command, tmp_path, monkeypatch, run_apart)


def test_the_list_of_codes_is_taken_where_it_does_not_count(tmp_path, monkeypatch):
    words = words_of("toxhabits-2025", tmp_path)
    codes = tmp_path / "codes.tsv"
    codes.write_text("code\n1\n")
    with_codes = run_here([*words, "-c", str(codes)], tmp_path / "a", monkeypatch)
    assert with_codes == run_here(words, tmp_path / "b", monkeypatch)
    missing = invoke([*words, "-c", str(tmp_path / "none.tsv")])
    assert "none.tsv" in str(missing.exception)


@pytest.mark.parametrize(
    ("command", "output", "named"),
    [("n2c2-2022-track2", "a\nb.csv", "-o: "), ("semeval15-task1", None, "-n: ")],
)
def test_a_bad_name_is_that_of_an_option_that_is_there(
    command, output, named, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    words = words_of(command, tmp_path / "x")
    words = [*words, "-o", output] if output else [w if w != "team" else "a/b" for w in words]
    error = str(invoke(words).exception)
    assert error.startswith(f"{named}the name of a file cannot"), error


def test_a_third_run_of_the_lab_is_refused(tmp_path):
    words = words_of("clefehealth13-task1", tmp_path / "x")
    result = invoke(["3" if word == "1" else word for word in words])
    assert result.exit_code == 2
