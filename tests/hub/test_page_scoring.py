"""What the page of a Space does with what it is given, without a browser."""

from dataclasses import replace
from pathlib import Path

import pytest
from hub.spaces import find_demo, read_excerpt

import clineval
from clineval.base.errors import InputError
from clineval.hub.page import Given, Sample, score_given, write_result
from clineval.results.registry import NAMES, find_challenge
from clineval.results.tables import format_value

pytestmark = pytest.mark.filterwarnings("default::clineval.InputWarning")
NOTHING = Given((), "")
IN_TABLES = ("drugprot21", "chemprot17")
"""Challenges whose mentions and relations are in files of their own."""


def sample_of(name):
    demo, *_ = find_demo(name)
    paths = {k: str(v) for k, v in demo.options.items() if isinstance(v, Path)}
    return Sample(find_challenge(name).task.corpora, demo.gold, dict(demo.systems), paths)


def give(name):
    sample = sample_of(name)
    sides = [Given(sample.files(path), "") for path in (sample.gold, *sample.systems.values())]
    options = {option: Given(sample.files(path), "") for option, path in sample.options.items()}
    return find_challenge(name), sample, *sides[:2], options


def score_of(*given):
    workbench = score_given(*given)
    [score] = workbench.scores.values()
    return score, workbench.warnings


@pytest.mark.parametrize("name", NAMES)
def test_uploaded_files_score_as_files_do(name):
    workbench = score_given(*give(name), "default", "spec")
    [shown] = workbench.scores.values()
    _, gold, system, options = find_demo(name)
    expected = clineval.score(name, system, gold, **options)
    assert shown.as_dict() == expected.as_dict()
    html = write_result(replace(workbench, warnings=["<a note>"]))
    assert "&lt;a note&gt;" in html
    assert expected.signature_line in html
    for row in find_challenge(name).measures.grids[0].rows.values():
        for key in row:
            assert format_value(expected[key]) in html


def test_pasted_text_scores_as_files_do():
    line = "a.txt||Disease_Disorder||C1||0||9\n"
    challenge, sample, *_ = give("clefehealth13_task1")
    sides = Given((), line), Given((), line + "b.txt||Disease_Disorder||C1||0||9\n")
    shown, problems = score_of(challenge, sample, *sides, {}, "task1a", "official")
    assert (shown["exact_tp"], shown["exact_fp"]) == (1, 1)
    assert (shown.config, shown.protocol) == ("task1a", "official")
    told, *of_intervals = problems
    assert "b.txt" in told
    assert [problem[:5] for problem in of_intervals] == ["only "]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in IN_TABLES])
def test_what_is_pasted_scores_as_its_file_under_every_protocol(name, tmp_path):
    challenge, sample, *sides, _ = give(name)
    texts = [read_excerpt(name, side.files[0]) for side in sides]
    pasted = [Given((), text) for text in texts]
    named = [Path(side.files[0]) for side in sides]
    stem = named[0].name.removesuffix("".join(named[0].suffixes[-2:]))  # pairs both sides
    files = [tmp_path / f"{at}" / f"{stem}{''.join(named[at].suffixes[-2:])}" for at in (0, 1)]
    for file, text in zip(files, texts, strict=True):
        file.parent.mkdir()
        file.write_text(text, "utf-8")
    for protocol in challenge.protocols:
        shown, _ = score_of(challenge, sample, *pasted, {}, "default", protocol)
        assert next(value for value in shown.values.values() if isinstance(value, float)) > 0
        expected = clineval.score(name, files[1], files[0], protocol=protocol)
        assert shown.values == expected.values


def test_files_of_one_name_are_refused(tmp_path):
    challenge, sample, gold, *_ = give("clefehealth13_task1")
    copy = tmp_path / Path(gold.files[0]).name
    copy.write_text(Path(gold.files[0]).read_text("utf-8"))
    both = Given((*gold.files, str(copy)), "")
    with pytest.raises(InputError, match="the same name"):
        score_given(challenge, sample, both, gold, {}, "default", "spec")


@pytest.mark.parametrize("name", NAMES)
def test_a_side_that_is_missing_is_named(name):
    challenge, sample, gold, predicted, options = give(name)
    with pytest.raises(InputError, match="gold"):
        score_given(challenge, sample, NOTHING, predicted, options, "default", "spec")
    if not challenge.faces.one_file:
        with pytest.raises(InputError, match="predictions are missing"):
            score_given(challenge, sample, gold, NOTHING, options, "default", "spec")


def test_errors_are_shown_with_the_texts_that_scoring_reads():
    """A Space is no place for notes; but some challenges are not scored without their texts."""
    texts = {name: score_given(*give(name), "default", "spec").texts for name in NAMES}
    given = {name for name, shown in texts.items() if shown is not None}
    beside = {
        "bc5cdr",
        "cantemist20",
        "chemprot17",
        "clinical_spans",
        "drugprot21",
        "gutbrainie26",
        "i2b2_2006_smoking",
        "i2b2_2012_temporal",
        "i2b2_2014_deid",
        "i2b2_2014_risk",
        "meddocan19",
        "medmentions",
        "n2c2_2018_track1",
        "ncbi_disease",
        "pharmaconer19",
        "tac2017_adr",
    }  # or inside
    assert given == {"clinais23_b2", "i2b2_2009_medication", "ehealthkd20"} | beside


def test_one_file_may_hold_both_sides():
    challenge, sample, _, predicted, _ = give("clinais23_b2")
    shown, _ = score_of(challenge, sample, predicted, NOTHING, {}, "default", "spec")
    assert 0 < shown["b2"] < 1


def test_a_problem_is_named_by_the_file_as_it_was_uploaded(tmp_path):
    challenge, sample, gold, *_ = give("clefehealth13_task1")
    (tmp_path / "mine.pipe").write_text("a.txt||Disease_Disorder||C1||9\n")
    mine = Given((str(tmp_path / "mine.pipe"),), "")
    with pytest.raises(InputError, match=r"^predictions/mine\.pipe:1"):
        score_given(challenge, sample, gold, mine, {}, "default", "spec")


def test_nothing_stays_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    score_given(*give("semeval15_task14"), "default", "spec")
    assert list(tmp_path.iterdir()) == []
