"""Reproduced results: pages follow from data, and data from the files, where they are."""

import os
import re
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
import typer
from conftest import ROOT, SHARED

import clineval
from clineval import InputError
from clineval.hub.reproduced import __main__ as command
from clineval.hub.reproduced.pages import describe, renew_card, renew_page
from clineval.hub.reproduced.scoring import is_here, score_collections, score_ranking
from clineval.results.known.names import find_dataset, list_datasets
from clineval.results.known.published import (
    Collection,
    Ranking,
    Run,
    agree,
    list_sets,
    read_collections,
    write_collections,
)
from clineval.results.registry import NAMES, find_challenge
from clineval.results.signature import Signature
from clineval.results.task import Task

PAGE = ROOT / "hub_cards" / "reproduced" / "README.md"
RESULTS = command.read_results()
COLLECTIONS = [one for collections in RESULTS.values() for one in collections]
RANKINGS = [(one.name, ranking) for one in COLLECTIONS for ranking in one.rankings]
COMPUTED = [(name, ranking) for name, ranking in RANKINGS if ranking.signatures]
FILES = Path(os.environ.get("CLINEVAL_FILES", SHARED / "reproduced"))
"""A folder of collections, as ``make reproduce`` takes it."""

CODALAB = "SPACCC_MEDDOCAN/scripts/CODALAB-Evaluation-script"
SAMPLE = "MEDDOCAN-Evaluation-Script"
ORACLES = {
    "clinais23_b2": "clinais23_b2",
    f"{CODALAB}/input/ref/brat": "meddocan_2019/real/codalab_example/gold/brat",
    f"{CODALAB}/input/res/brat/subtask1": "meddocan_2019/real/codalab_example/sys/brat",
    f"{CODALAB}/input/res/brat/subtask2": "meddocan_2019/real/codalab_example/sys/brat",
    f"{CODALAB}/annotated_corpora/sentence_splitted": (
        "meddocan_2019/real/codalab_example/sentence_splitted"
    ),
    f"{SAMPLE}/gold/brat/sample": "meddocan_2019/real/sample_baseline/gold/brat",
    f"{SAMPLE}/system/brat/subtrack1/sample/baseline": (
        "meddocan_2019/real/sample_baseline/sys/brat"
    ),
    f"{SAMPLE}/system/brat/subtrack2/sample/baseline": (
        "meddocan_2019/real/sample_baseline/sys/brat"
    ),
    f"{SAMPLE}/annotated_corpora/sentence_splitted": (
        "meddocan_2019/real/sample_baseline/sentence_splitted"
    ),
}
"""Paths in collections, and where the shared folder has the same files."""

each_ranking = pytest.mark.parametrize(
    "ranking", [ranking for _, ranking in RANKINGS], ids=[ranking.title for _, ranking in RANKINGS]
)


@pytest.fixture(scope="session")
def oracles(tmp_path_factory):
    """The files of collections that the shared folder has, under the collections' own paths."""
    folder = tmp_path_factory.mktemp("collections")
    for path, there in ORACLES.items():
        link = folder / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(SHARED / "oracle" / there)
    return folder


class TestTheData:
    def test_page_and_cards_follow_from_it(self):
        pages = command.renew_pages(RESULTS)
        assert len(pages) == 1 + len(NAMES)
        assert {path: path.read_text("utf-8") for path in pages} == pages

    @pytest.mark.parametrize("name", RESULTS)
    def test_it_is_written_as_it_is_read(self, name, tmp_path):
        write_collections(tmp_path / "again.json", RESULTS[name])
        read = find_challenge(name).task.published.read_bytes()
        assert (tmp_path / "again.json").read_bytes() == read

    @pytest.mark.parametrize("name", RESULTS)
    def test_it_is_of_its_challenge_and_names_gold_standards_of_it(self, name):
        parts = {dataset.part for dataset in list_datasets(find_challenge(name))}
        rankings = [ranking for one in RESULTS[name] for ranking in one.rankings]
        assert {ranking.module for ranking in rankings} == {name}
        assert {ranking.dataset for ranking in rankings} <= {"", *parts}
        assert parts.isdisjoint(one.name for one in RESULTS[name])
        assert len(list_sets(RESULTS[name])) >= len(RESULTS[name])

    @each_ranking
    def test_a_gold_standard_with_a_name_is_the_one_that_was_scored(self, ranking):
        dataset = find_dataset(f"{ranking.module}/{ranking.dataset or 'demo'}")
        if ranking.dataset and dataset.digests and ranking.signatures:
            docs = {Signature.parse(text).settings["docs"] for text in ranking.signatures.values()}
            assert docs == {str(dataset.documents)}

    def test_only_outputs_with_a_licence_are_downloaded_and_each_is_there(self):
        for collection in COLLECTIONS:
            assert collection.licence or not collection.downloads
            paths = [file.path for file in collection.downloads]
            assert len(set(paths)) == len(paths)
            assert all(file.verified for file in collection.downloads if file.size)
            listed = {
                parent for path in map(PurePosixPath, paths) for parent in [path, *path.parents]
            }
            for path in (path for ranking in collection.rankings for path in ranking.paths):
                assert (
                    not paths
                    or paths == [""]
                    or PurePosixPath(path) in listed
                    or (path == "mediqa_synur_test.jsonl")
                )

    def test_the_files_of_ehealthkd_are_all_verified(self):
        for name, number in (("ehealthkd-2019", 102), ("ehealthkd-2020", 152)):
            [collection] = [one for one in COLLECTIONS if one.name == name]
            assert len(collection.downloads) == number
            assert all(file.verified for file in collection.downloads)
            needed = [collection.downloads_for([ranking]) for ranking in collection.rankings]
            assert sum(map(len, needed)) == number

    @each_ranking
    def test_what_differs_says_why_and_only_that(self, ranking):
        for run in ranking.runs:
            assert bool(run.official) <= bool(run.file)
            if run.official:
                assert bool(run.why) != run.agrees, run.run
            assert not (run.spec and run.refused)

    @each_ranking
    def test_its_numbers_are_scores_of_the_module(self, ranking):
        assert ranking.module in NAMES
        for protocol, text in ranking.signatures.items():
            signature = Signature.parse(text)
            assert (signature.metric, signature.config) == (ranking.module, ranking.config)
            assert signature.settings["protocol"] == protocol
        assert bool(ranking.signatures) == any(run.official for run in ranking.runs)
        assert bool(re.fullmatch(r"\d{4}-\d\d-\d\d", ranking.date)) == bool(ranking.signatures)

    @each_ranking
    def test_its_paths_stay_in_the_collection(self, ranking):
        paths = [ranking.gold, *ranking.files.values(), *(run.file for run in ranking.runs)]
        for path in map(PurePosixPath, paths):
            assert not path.is_absolute()
            assert ".." not in path.parts

    def test_a_collection_is_one_folder(self):
        names = [collection.name for collection in COLLECTIONS]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"\w[\w.-]*", name) for name in names)

    def test_every_published_run_of_ehealthkd_is_the_same(self):
        [collection] = [one for one in COLLECTIONS if one.name == "ehealthkd-2020"]
        runs = [run for ranking in collection.rankings for run in ranking.runs]
        assert [len(ranking.runs) for ranking in collection.rankings] == [19] * 4
        assert all(run.agrees for run in runs)


@pytest.mark.parametrize(
    ("name", "ranking"), COMPUTED, ids=[ranking.title for _, ranking in COMPUTED]
)
def test_the_files_give_these_numbers_again(name, ranking, oracles):
    folders = [folder / name for folder in (FILES, oracles) if is_here(ranking, folder / name)]
    if not folders:
        reason = (
            f"CLINEVAL_FILES names no folder with {name}: hub_cards/reproduced says how to get it"
        )
        pytest.skip(reason)
    assert score_ranking(ranking, folders[0]) == ranking


DEMO = ROOT / "metrics" / "clineval" / "challenges" / "bc5cdr" / "demo"


@pytest.fixture
def demo(tmp_path):
    """A collection with a demo's files, and what was published of it."""
    folder = tmp_path / "files" / "demo"
    folder.mkdir(parents=True)
    for side in ("gold", "tagger"):
        source = DEMO / f"{side}.PubTator"
        (folder / source.name).write_bytes(source.read_bytes())
    score = clineval.score(
        "bc5cdr", folder / "tagger.PubTator", folder / "gold.PubTator", protocol="official"
    )
    published = {"mentions_f1": f"{score['mentions_f1']:.4f}"}
    run = Run("tagger", published, "tagger.PubTator")
    ranking = Ranking("Demo", "bc5cdr", "its paper", (run,), gold="gold.PubTator")
    return Collection("demo", "https://example.org", (ranking,))


class TestScoring:
    def test_runs_get_scores_signatures_and_a_date(self, demo, tmp_path):
        [scored] = score_collections([demo], tmp_path / "files")
        [ranking] = scored.rankings
        [run] = ranking.runs
        assert run.agrees
        assert run.spec
        assert ranking.signatures["spec"].startswith("bc5cdr|default|protocol:spec|")
        assert describe([ranking]).endswith("reproduces 1 under `official`.")

    def test_a_second_time_changes_nothing_nor_does_another_version(self, demo, tmp_path):
        [scored] = score_collections([demo], tmp_path / "files")
        [ranking] = scored.rankings
        signatures = {p: text.replace("v:", "v:0.0.") for p, text in ranking.signatures.items()}
        older = replace(ranking, signatures=signatures, date="2000-01-01")
        assert score_ranking(older, tmp_path / "files" / "demo") == older

    def test_other_files_give_another_score_and_date(self, demo, tmp_path):
        folder = tmp_path / "files" / "demo"
        ranking = replace(score_ranking(demo.rankings[0], folder), date="2000-01-01")
        (folder / "tagger.PubTator").write_bytes((folder / "gold.PubTator").read_bytes())
        again = score_ranking(ranking, folder)
        assert again.runs[0].official == {"mentions_f1": 1.0}
        assert not again.runs[0].agrees
        assert again.date > ranking.date

    def test_what_is_not_there_stays_as_it_is(self, demo, tmp_path):
        (tmp_path / "files" / "demo" / "tagger.PubTator").unlink()
        assert list(score_collections([demo], tmp_path / "files")) == [demo]

    def test_a_run_without_a_file_stays_beside_others(self, demo, tmp_path):
        [ranking] = demo.rankings
        both = replace(ranking, runs=(*ranking.runs, Run("a secret one", {"mentions_f1": "0.9"})))
        scored = score_ranking(both, tmp_path / "files" / "demo")
        assert [bool(run.official) for run in scored.runs] == [True, False]

    def test_what_only_the_released_program_reads_says_so(self, demo, tmp_path):
        tagger = tmp_path / "files" / "demo" / "tagger.PubTator"
        tagger.write_text(tagger.read_text() + "\nx\t-\t7\tfever\tDisease\tD1\n")
        [run] = score_ranking(demo.rankings[0], tagger.parent).runs
        assert run.official
        assert not run.spec
        assert "tagger.PubTator" in run.refused
        assert "fever" not in run.refused

    def test_a_score_that_the_module_does_not_have_is_refused(self, demo, tmp_path):
        [ranking] = demo.rankings
        wrong = replace(ranking, runs=(replace(ranking.runs[0], published={"f2": "0.5"}),))
        with pytest.raises(InputError, match=r"Demo, tagger: .*f2"):
            score_ranking(wrong, tmp_path / "files" / "demo")

    def test_what_the_module_refuses_is_named(self, demo, tmp_path):
        folder = tmp_path / "files" / "demo"
        (folder / "gold.PubTator").write_text("words without a tab\n")
        with pytest.raises(InputError, match="Demo, tagger: "):
            score_ranking(demo.rankings[0], folder)


@pytest.mark.parametrize(
    ("score", "said", "same"),
    [
        (0.66556, "0.6656", True), (0.66554, "0.6656", False), (0.5, "0.5", True),
        (0.54, "0.5", True), (0.56, "0.5", False), (149, "150", False), (150, "150", True),
        (149.6, "150", False), (0.15172413793103448, "0.15172413793103445", True),
        (0.151724137, "0.15172413793103445", False),
    ],
)  # fmt: skip
def test_a_score_agrees_as_far_as_it_was_printed(score, said, same):
    assert agree(score, said) is same


class TestBadData:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("{}", "list of collections"),
            ("[1]", "expected an object"),
            ('[{"name": "a", "home": "b"}]', "a collection: rankings is missing"),
            ('[{"name": "a", "home": "b", "rankings": [], "hom": "c"}]', "hom"),
            ('[{"name": 1, "home": "b", "rankings": []}]', "name is"),
            ('[{"name": "a", "home": "b", "rankings": [{"title": "t"}]}]', "a ranking: "),
            (
                '[{"name": "a", "home": "b", "rankings": [], "downloads": [{"path": "c"}]}]',
                "a, files: expected an address",
            ),
            (
                '[{"name": "a", "home": "b", "rankings": [], "downloads": [{"url": "https://c"}]}]',
                "a: downloads need a licence",
            ),
            (
                '[{"name": "a", "home": "b", "rankings": [], "downloads": [1]}]',
                "a, files: expected a table, got 1",
            ),
        ],
    )
    def test_it_is_refused(self, text, problem, tmp_path):
        path = tmp_path / "results.json"
        path.write_text(text)
        with pytest.raises(InputError, match=problem):
            read_collections(path)

    def test_ours_has_the_keys_of_what_was_published(self, demo, tmp_path):
        path = tmp_path / "results.json"
        [ranking] = demo.rankings
        wrong = replace(ranking, runs=(replace(ranking.runs[0], official={"other": 0.5}),))
        write_collections(path, [replace(demo, rankings=(wrong,))])
        with pytest.raises(InputError, match="tagger: official"):
            read_collections(path)

    def test_a_page_without_a_place_is_refused_if_there_are_results(self, demo):
        with pytest.raises(InputError, match="card of bc5cdr: the marks"):
            renew_card("# Card", [demo], "bc5cdr")
        with pytest.raises(InputError, match="the page of results: the marks"):
            renew_page("# Page", {"bc5cdr": [demo]})
        assert renew_card("# Card", [demo], "codiesp20") == "# Card"


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def here(self, demo, tmp_path, monkeypatch):
        """A source tree with the results of the demo alone."""
        home = tmp_path / "tree"
        home.mkdir()
        marks = "<!-- reproduced: begin -->\n<!-- reproduced: end -->\n"
        for name in ("README.md", "card.md"):
            (home / name).write_text(marks)
        write_collections(home / "published.json", [demo])
        monkeypatch.setattr(Task, "published", home / "published.json")
        monkeypatch.setattr(command, "find_page", lambda: home / "README.md")
        monkeypatch.setattr(command, "NAMES", ("bc5cdr",))
        monkeypatch.setattr(command, "find_card", lambda _: home / "card.md")
        return home

    @staticmethod
    def run(*arguments, **options):
        with pytest.raises(typer.Exit) as left:
            command.main(*arguments, **options)
        return left.value.exit_code

    def test_it_writes_results_page_and_cards(self, here, tmp_path, capsys):
        assert self.run(tmp_path / "files", check=True) == 1
        assert "tagger" not in (here / "card.md").read_text()
        assert self.run(tmp_path / "files") == 0
        assert "Demo: Of 1 published result, clineval recomputes 1 and reproduces 1" in (
            capsys.readouterr().out
        )
        for name in ("README.md", "card.md"):
            assert "| tagger | `mentions_f1` | " in (here / name).read_text()
        [ranking] = read_collections(here / "published.json")[0].rankings
        signature = ranking.signatures["official"].replace("|", r"\|")
        assert f" | {ranking.date} | {signature} |\n" in (here / "README.md").read_text()
        assert self.run(tmp_path / "files", check=True) == 0
        assert self.run(check=True) == 0

    @pytest.mark.parametrize(
        ("gone", "said"),
        [
            ("tagger.PubTator", "Demo: Not computed: 1 file is missing: tagger.PubTator\n"),
            ("", "Demo: Not computed: the folder does not exist.\n"),
        ],
    )
    def test_it_says_what_is_missing(self, gone, said, tmp_path, capsys):
        (tmp_path / "files" / "demo" / gone).rename(tmp_path / "elsewhere")
        assert self.run(tmp_path / "files", check=True) == 1  # the pages have no tables yet
        assert capsys.readouterr().out.endswith(said)

    def test_it_says_what_is_not_public(self, here, demo, tmp_path, capsys):
        [ranking] = demo.rankings
        told = replace(ranking, gold="", runs=(Run("a team", {"mentions_f1": "0.9"}),))
        write_collections(here / "published.json", [replace(demo, rankings=(told,))])
        assert self.run(tmp_path / "files") == 0
        assert "Demo: Not computed: no output is public.\n" in capsys.readouterr().out

    def test_a_page_that_was_changed_by_hand_is_noticed(self, here):
        assert self.run() == 0
        page = here / "README.md"
        page.write_text(page.read_text().replace("tagger", "winner"))
        assert self.run(check=True) == 1

    def test_a_folder_that_is_not_there_is_one_line(self, tmp_path, capsys):
        assert self.run(tmp_path / "nowhere") == 2
        assert capsys.readouterr().err == (
            "error: nowhere: no such directory. Give a path that exists\n"
        )


def test_the_source_tree_has_the_page():
    assert command.find_page() == PAGE


@pytest.mark.parametrize("name", RESULTS)
def test_the_page_has_one_table_for_each_challenge(name):
    """With a row, a date and a signature for each result."""
    section = PAGE.read_text("utf-8").split(f"\nModule: [`{name}`]")[1].split("\n## ")[0]
    [head] = re.findall(r"(?m)^\| results .*$", section)
    assert head.endswith(" | date | signature |")
    rankings = [ranking for one in RESULTS[name] for ranking in one.rankings]
    rows = re.findall(r"(?m)^\| (?!results |---).*$", section)
    assert len(rows) == sum(len(ranking.runs) for ranking in rankings)
    runs = [(ranking, run) for ranking in rankings for run in ranking.runs]
    for row, (ranking, run) in zip(rows, runs, strict=True):
        if run.official:
            assert row.endswith(ranking.signatures["official"].replace("|", r"\|") + " |")
            assert f" | {ranking.date} | " in row


def test_what_is_not_computed_says_why():
    page = PAGE.read_text("utf-8")
    rows = re.findall(r"(?m)^\|.* not computed here(.*?) \|", page)
    assert len(rows) == sum(not run.official for _, each in RANKINGS for run in each.runs)
    assert all(re.fullmatch(r"\. \S.*\.", row) for row in rows)
