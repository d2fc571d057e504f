"""Outputs of systems that are downloaded, from a server on this computer; all are invented."""

import io
import json
import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest
from commands import invoke
from corpus_home import serve
from demos import arguments_of

import clineval
from clineval.base.errors import InputError
from clineval.cli.datasets import complete_dataset
from clineval.cli.reproduce import complete_published
from clineval.evaluation.outputs import get_outputs
from clineval.results.known.entries import RemoteFile
from clineval.results.known.published import Collection, Ranking, Run, write_collections
from clineval.results.task import Task

(TAGGER, GOLD), _ = arguments_of("bc5cdr")
SET = "bc5cdr/open"
PUBLISHED = {
    key: f"{score:.4f}"
    for key, score in clineval.score("bc5cdr", TAGGER, GOLD, protocol="official").items()
    if key in ("mentions_f1", "mentions_precision")
}


@pytest.fixture
def home():
    yield from serve()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("CLINEVAL_CACHE", str(folder))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return folder


def remote(home, path, content, *, verified=True):
    home.files[path] = content
    known = {"size": len(content), "sha256": sha256(content).hexdigest()} if verified else {}
    return RemoteFile(home.url(path), path, **known)


@pytest.fixture
def kit(home):
    """Two runs of a team, each in its folder, for a gold standard with a name."""
    runs = tuple(
        Run(f"team, run {k}", PUBLISHED, f"run{k}/tagger.PubTator", dict.fromkeys(PUBLISHED, 0.5))
        for k in (1, 2)
    )
    ranking = Ranking("Open set", "bc5cdr", "https://example.org/paper", runs, dataset="open")
    files = [remote(home, run.file, TAGGER.read_bytes()) for run in runs]
    notes = remote(home, "run2/notes.txt", b"beside the output")
    return Collection(
        "kit", "https://example.org", (ranking,), "v1", "MIT", home.url("").rstrip("/"),
        (*files, notes),
    )  # fmt: skip


@pytest.fixture
def listed(home, monkeypatch, tmp_path):
    """Writes the published results of a challenge, whose list has the gold standard."""
    gold = remote(home, "gold.PubTator", GOLD.read_bytes())
    path = tmp_path / "datasets.toml"
    path.write_text(
        '[open]\nabout = "invented"\naccess = "open"\nlicence = "MIT"\nterms = "ask nicely"\n'
        f'gold = "{gold.path}"\n[[open.files]]\nurl = "{gold.url}"\npath = "{gold.path}"\n'
        f'size = {gold.size}\nsha256 = "{gold.sha256}"\n'
    )
    monkeypatch.setattr(Task, "datasets", path)

    def write(*collections):
        monkeypatch.setattr(Task, "published", tmp_path / "published.json")
        write_collections(Task.published, collections)

    return write


def get(*arguments):
    return invoke(["datasets", "get", SET, "--systems", *arguments])


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_outputs_are_downloaded_once_and_named(home, kit, listed, cache):
    listed(kit)
    got = get()
    assert got.exit_code == 0, got.output
    folder = cache / "systems" / "bc5cdr" / "kit"
    lines = [f"team, run {k}={folder}/run{k}/tagger.PubTator" for k in (1, 2)]
    assert got.stdout.splitlines() == lines
    for words in ("kit: outputs of systems, 3 files", "licence: MIT", "terms: ask nicely",
                  "home: https://example.org", f"from: {kit.address}"):  # fmt: skip
        assert words in got.stderr
    assert "unverified" not in got.stderr
    assert len(home.asked) == 3
    again = get("--offline")
    assert (again.stdout, again.stderr) == (got.stdout, "")
    assert len(home.asked) == 3


def test_compare_takes_the_printed_names(kit, listed):
    listed(kit)
    compared = invoke(["compare", "bc5cdr", GOLD, *get().stdout.splitlines(), "--format", "json"])
    assert compared.exit_code == 0, compared.output
    assert '"team, run 2"' in compared.stdout


def test_the_table_is_computed_from_them(kit, listed):
    listed(kit)
    reproduce = ["reproduce", "bc5cdr", "open", "--format", "json"]
    assert [row["why"] for row in rows_of(invoke(reproduce))] == [
        "The gold standard is not here. Get it: clineval datasets get bc5cdr/open"
    ] * 2
    assert invoke(["datasets", "get", SET]).exit_code == 0
    [why] = {row["why"] for row in rows_of(invoke(reproduce)) if row["run"].endswith("2")}
    assert why == (
        "run2/tagger.PubTator is not here. Get them: clineval datasets get bc5cdr/kit --systems"
    )
    get()
    done = invoke(reproduce)
    assert done.exit_code == 0
    assert [row["verdict"] for row in rows_of(done)] == ["agrees", "agrees"]


def rows_of(done):
    return [row for ranking in json.loads(done.stdout)["rankings"] for row in ranking["runs"]]


def test_a_copy_has_a_folder_for_each_collection(kit, listed, tmp_path):
    listed(kit)
    got = get("-o", tmp_path / "copy")
    assert got.stdout.splitlines()[1] == f"team, run 2={tmp_path}/copy/kit/run2/tagger.PubTator"
    invoke(["datasets", "get", SET])
    done = invoke(["reproduce", "bc5cdr", "--files", tmp_path / "copy", "--format", "json"])
    assert [row["verdict"] for row in rows_of(done)] == ["agrees", "agrees"]
    assert "already exists" in str(get("-o", tmp_path / "copy").exception)


def test_what_is_complete_stays_and_the_rest_is_fetched_again(home, kit, listed, cache):
    listed(kit)
    whole = home.files.pop("run2/tagger.PubTator")
    assert "the host answers 404" in str(get().exception)
    folder = cache / "systems" / "bc5cdr" / "kit"
    assert [path.name for path in folder.iterdir()] == ["run1"]
    home.files["run2/tagger.PubTator"] = whole
    home.asked.clear()
    assert get().exit_code == 0
    assert [name for name, _ in home.asked] == ["run2/tagger.PubTator", "run2/notes.txt"]


def test_another_file_than_is_known_leaves_nothing(home, kit, listed, cache):
    listed(kit)
    home.files["run1/tagger.PubTator"] = TAGGER.read_bytes()[::-1]
    assert "not the expected file: its SHA-256" in str(get().exception)
    assert not cache.exists()


def test_an_unverified_file_is_told_with_what_verifies_it(kit, listed):
    file = replace(kit.downloads[0], size=None, sha256="")
    listed(replace(kit, downloads=(file, *kit.downloads[1:])))
    said = get().stderr
    assert "unverified: we could not check 1 file" in said
    size, digest = len(TAGGER.read_bytes()), sha256(TAGGER.read_bytes()).hexdigest()
    assert f"downloaded without a check: {file.url}, size {size}, SHA-256 {digest}" in said


def test_an_unverified_gold_standard_is_told_likewise(kit, listed):
    listed(kit)
    lines = Task.datasets.read_text().splitlines()
    Task.datasets.write_text("\n".join(lines[:-2]))
    said = invoke(["datasets", "get", SET]).stderr
    assert f"gold.PubTator, size {len(GOLD.read_bytes())}, SHA-256" in said


def test_an_archive_is_unpacked_and_its_folder_is_the_collection(home, kit, listed, cache):
    files = {f"kit-v1/{file.path}": home.files[file.path] for file in kit.downloads}
    archive = remote(home, "v1.zip", zipped(files), verified=False)
    listed(replace(kit, downloads=(replace(archive, path="", only="kit-v1"),)))
    got = get()
    assert got.exit_code == 0, got.output
    place = cache / "systems" / "bc5cdr" / "kit" / "kit-v1"
    assert got.stdout.splitlines()[0] == f"team, run 1={place}/run1/tagger.PubTator"
    assert f"from: {archive.url}" in got.stderr
    invoke(["datasets", "get", SET])
    done = invoke(["reproduce", "bc5cdr", "kit", "--format", "json"])
    assert [row["verdict"] for row in rows_of(done)] == ["agrees", "agrees"]
    home.files["v1.zip"] = b"no archive"
    listed(replace(kit, name="other", downloads=(replace(archive, path="", only="kit-v1"),)))
    assert get().exit_code == 1
    assert not (cache / "systems" / "bc5cdr" / "other").exists()


def test_only_the_files_of_the_set_are_fetched(home, kit, listed):
    [ranking] = kit.rankings
    first, second = (replace(ranking, runs=(run,)) for run in ranking.runs)
    second = replace(second, title="Another", dataset="")
    listed(replace(kit, rankings=(first, second)))
    assert [*get_outputs(SET)] == ["team, run 1"]
    assert [name for name, _ in home.asked] == ["run1/tagger.PubTator"]
    assert [*get_outputs("bc5cdr/kit")] == ["Open set, team, run 1", "Another, team, run 2"]


def test_outputs_without_a_licence_are_listed_and_never_fetched(home, kit, listed):
    closed = replace(kit, name="closed", licence="", downloads=(), address="")
    listed(closed)
    refused = str(get().exception)
    assert refused == (
        "bc5cdr/open has no outputs to download. They are at https://example.org, version v1. "
        "clineval does not download them (no licence is stated)"
    )
    listed(closed, kit)
    with pytest.warns(clineval.InputWarning, match="closed is left out. They are at"):
        assert len(get_outputs(SET)) == 2
    assert not any(name.startswith("closed") for name, _ in home.asked)
    table = invoke(["datasets", "--systems", "--module", "bc5cdr"]).stdout
    assert "They are at https://example.org" in table
    [first, second] = json.loads(
        invoke(["datasets", "--systems", "--module", "bc5cdr", "--format", "json"]).stdout
    )
    assert (first["name"], first["outputs"], first["downloads"]) == ("bc5cdr/closed", 2, [])
    assert [file["path"] for file in second["downloads"]] == [file.path for file in kit.downloads]
    assert second["datasets"] == ["open"]


def test_results_without_outputs_say_where_they_are_from(kit, listed):
    [ranking] = kit.rankings
    runs = tuple(replace(run, file="", official={}) for run in ranking.runs)
    listed(replace(kit, rankings=(replace(ranking, runs=runs),), downloads=()))
    assert "No output is public. The results are from https://example.org" in str(get().exception)
    done = invoke(["reproduce", "bc5cdr"])
    assert done.exit_code == 0
    assert "not computed: No public file with the output is known." in done.stdout
    assert "0 differ, and 2 could not be computed here." in done.stdout


def test_offline_asks_nobody(home, kit, listed):
    listed(kit)
    assert "--offline does not use the network" in str(get("--offline").exception)
    assert home.asked == []


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("bc5cdr/opn", "bc5cdr: unknown set 'opn', expected one of open, kit. Did you mean open?"),
        ("bc5cdr", "unknown dataset 'bc5cdr'"),
        ("nothing/open", "unknown dataset 'nothing/open'"),
    ],
)
def test_an_unknown_name_is_refused(name, problem, kit, listed):
    listed(kit)
    with pytest.raises(InputError) as refused:
        get_outputs(name)
    assert problem in str(refused.value)


class Words:
    """What the shell has of a command line when it completes a word."""

    def __init__(self, **params):
        self.params = params


def test_completion_knows_the_sets(kit, listed):
    listed(kit)
    assert complete_published(Words(module="bc5cdr"), "") == ["open", "kit"]
    assert complete_published(Words(module="bc5cdr"), "k") == ["kit"]
    assert complete_published(Words(module="bc6"), "") == []
    assert complete_published(Words(), "") == []
    assert complete_dataset(Words(), "bc5") == ["bc5cdr/"]
    assert complete_dataset(Words(systems=True), "bc5cdr/") == ["bc5cdr/open", "bc5cdr/kit"]
    assert complete_dataset(Words(systems=False), "bc5cdr/") == ["bc5cdr/open"]
    listed()
    assert complete_published(Words(module="bc5cdr"), "") == []
