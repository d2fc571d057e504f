"""The gold standard that is asked for by name, in every face, and what differs from another."""

import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import evaluate
import pytest
from demos import arguments_of, lacking_a_document
from thorough import each_module

import clineval
from clineval.base.errors import InputError
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.compare import compare
from clineval.evaluation.counting.count import make_part_counter
from clineval.evaluation.evaluate import make_setup
from clineval.evaluation.expected import check_dataset
from clineval.results.registry import find_challenge
from clineval.workbench.build import build_workbench

NAME = "meddocan19/demo"


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")  # of what the demos' systems lack
@each_module()
def test_the_demo_is_what_it_is_asked_to_be(name):
    sides, options = arguments_of(name)
    asked = clineval.score(name, *sides, dataset=f"{name}/demo", **options)
    assert asked.as_dict() == clineval.score(name, *sides, **options).as_dict()


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")  # of documents that one side has
@each_module()
def test_a_part_of_it_is_refused_with_what_is_missing(name, tmp_path):
    gold, found, _ = lacking_a_document(name, tmp_path)
    _, options = arguments_of(name)
    with pytest.raises(
        InputError, match=r"1 of the set's \d+ annotated documents is missing|it is a p"
    ):
        clineval.score(name, found, gold, dataset=f"{name}/demo", **options)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")  # of documents that one side has
@each_module()
def test_a_system_without_a_document_is_scored_against_all_of_it(name, tmp_path):
    """Where a released program leaves such a document out, the gold standard is still the one."""
    _, found, _ = lacking_a_document(name, tmp_path)
    (_, gold), options = arguments_of(name)
    for protocol in find_challenge(name).protocols:
        stops = protocol == "official" and name in ("archehr_qa26", "n2c2_2022_sdoh")
        message = r"released (package|program) stops"
        with pytest.raises(InputError, match=message) if stops else nullcontext():
            clineval.score(name, found, gold, protocol=protocol, dataset=f"{name}/demo", **options)


def test_another_configuration_than_the_sets_is_told():
    sides, options = arguments_of("medprocner23")
    with pytest.raises(
        InputError, match=r"does not belong to config 'default'\. Choose config norm"
    ):
        clineval.score("medprocner23", *sides, dataset="medprocner23/train-norm", **options)


def test_what_differs_is_told_in_numbers():
    (found, gold), _ = arguments_of("meddocan19")
    with pytest.raises(InputError) as refused:
        clineval.score("meddocan19", gold, found, dataset=NAME)
    assert re.fullmatch(
        r"dataset: the gold standard is not meddocan19/demo: 5 of the set's 5 annotated documents "
        r"are missing; 5 documents are not in the set; expected 53 annotations, got \d+",
        str(refused.value),
    )


def test_documents_that_come_once_are_compared_without_being_read_again():
    gold = clineval.read(arguments_of("meddocan19")[0][1], "meddocan19")
    score = clineval.score("meddocan19", iter(gold), iter(gold), dataset=NAME, batch_size=2)
    assert score.dataset == NAME
    with pytest.raises(InputError, match="1 of the set's 5 annotated documents is missing"):
        clineval.score("meddocan19", iter(gold[1:]), iter(gold[1:]), dataset=NAME, batch_size=2)


def test_in_parts_the_whole_is_compared():
    (found, gold), _ = arguments_of("meddocan19")
    assert clineval.score("meddocan19", found, gold, dataset=NAME, batch_size=2, jobs=2).dataset
    with pytest.raises(InputError, match="the gold standard is not meddocan19/demo"):
        clineval.score("meddocan19", gold, found, dataset=NAME, batch_size=2, jobs=2)


def test_where_documents_are_not_in_the_list_their_number_is_told(monkeypatch):
    monkeypatch.setattr("clineval.evaluation.expected.list_documents", lambda *_: ())
    (found, gold), _ = arguments_of("meddocan19")
    with pytest.raises(
        InputError, match=r"annotations of its 5 annotated documents differ; expected 53 ann"
    ):
        clineval.score("meddocan19", gold, found, dataset=NAME)


def test_another_view_has_another_number_of_annotations():
    (found, gold), _ = arguments_of("meddocan19")
    with pytest.raises(InputError) as refused:
        clineval.score("meddocan19", gold, found, config="spans", dataset=NAME)
    assert "annotations, got" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("pharmaconer19/demo", "is a gold standard of pharmaconer19, not of meddocan19"),
        ("meddocan19/tset", "unknown dataset 'meddocan19/tset'.*Did you mean"),
        (7, "expected a name such as"),
    ],
)
def test_a_name_is_judged_before_anything_is_read(name, problem):
    with pytest.raises(InputError, match=problem):
        make_setup("meddocan19", dataset=name)


def test_a_set_whose_digest_is_not_known_says_how_to_tell_it():
    with pytest.raises(InputError, match="the digest of n2c2_2018_track2/test is unknown"):
        make_setup("n2c2_2018_track2", dataset="n2c2_2018_track2/test")


def test_nothing_is_compared_where_nothing_is_asked():
    check_dataset(make_setup("meddocan19"), clineval.Counts, None)


def test_systems_are_compared_on_it_only():
    (first, gold), _ = arguments_of("meddocan19")
    (second, _), _ = arguments_of("meddocan19", 1)
    systems = {"rules": first, "tagger": second}
    found = compare("meddocan19", systems, gold, dataset=NAME, n_resamples=10, trials=10)
    assert found.dataset == NAME
    assert f"({NAME})" in found.sheet().signature
    assert found.sheet().data()["dataset"] == NAME
    with pytest.raises(InputError, match="the gold standard is not"):
        compare("meddocan19", systems, first, dataset=NAME, n_resamples=10, trials=10)


def test_annotators_have_no_gold_standard():
    (first, gold), _ = arguments_of("meddocan19")
    with pytest.raises(
        InputError, match="the annotators are compared with each other and not with a gold standard"
    ):
        agree("meddocan19", {"a": first, "b": gold}, dataset=NAME)


def test_the_evaluate_module_says_and_asks_it():
    (found, gold), _ = arguments_of("meddocan19")
    metric = evaluate.load("meddocan19")
    given = {"predictions": str(found), "references": str(gold)}
    assert metric.compute(**given, dataset=NAME)["dataset"] == NAME
    assert metric.compute(**given)["dataset"] == NAME
    assert "dataset" not in metric.compute(**given, numbers_only=True)
    with pytest.raises(InputError, match="the gold standard is not"):
        metric.compute(predictions=str(gold), references=str(found), dataset=NAME)


def test_the_page_of_a_report_says_it():
    (found, gold), _ = arguments_of("meddocan19")
    bench = build_workbench("meddocan19", gold, {"rules": found}, with_text=False, dataset=NAME)
    assert bench.head_all["dataset"] == NAME
    with pytest.raises(InputError, match="the gold standard is not"):
        build_workbench("meddocan19", found, {"rules": gold}, with_text=False, dataset=NAME)


def test_counts_of_parts_are_no_whole():
    with pytest.raises(
        InputError, match="rows are counted in parts, but dataset needs all documents"
    ):
        make_part_counter(make_setup("meddocan19", dataset=NAME), "rows")


def test_a_list_beside_the_challenge_of_another_package_is_read(tmp_path):
    """Whoever writes a challenge lists gold standards beside it."""
    challenge = find_challenge("meddocan19")
    file = Path(challenge.task.file)
    (tmp_path / "datasets.toml").write_text((file.parent / "datasets.toml").read_text("utf-8"))
    moved = replace(challenge, task=replace(challenge.task, file=str(tmp_path / file.name)))
    alone = replace(challenge, task=replace(challenge.task, file=""))
    (found, gold), _ = arguments_of("meddocan19")
    assert clineval.score(moved, found, gold).dataset == NAME
    assert clineval.score(alone, found, gold).dataset == ""
