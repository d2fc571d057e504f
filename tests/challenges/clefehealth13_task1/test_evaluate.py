"""The three evaluate modules of ShARe/CLEF 2013 with the real evaluate."""

import evaluate
import laws
import pytest

import clineval

GOLD = [[{"spans": [[4, 15], [31, 38]], "cui": "C1"}, {"spans": [[50, 58]], "cui": None}], []]
FOUND = [[{"spans": [[4, 15]], "cui": "C1"}, {"spans": [[50, 58]], "cui": None}], []]
RUN = {"q1": {"a": 2.0, "b": 1.5}, "q2": {"e": 2.0, "d": 1.0}}
QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"d": 1}}
SIDES = {
    "clefehealth13_task1": (FOUND, GOLD),
    "clefehealth13_task2": (["C1", None], [["C2", "C1"], ["CUI-less"]]),
    "clefehealth13_task3": ([{k: v} for k, v in RUN.items()], [{k: v} for k, v in QRELS.items()]),
}
by_name = pytest.mark.parametrize("name", SIDES)


@by_name
def test_it_gives_what_the_core_gives(name):
    predictions, references = SIDES[name]
    expected = clineval.score(name, predictions, references).as_dict(per_document=True)
    metric = evaluate.load(name)
    options = {"predictions": predictions, "references": references, "per_document": True}
    assert metric.compute(**options) == expected


@by_name
def test_items_can_be_added_one_by_one_and_in_batches(name):
    predictions, references = SIDES[name]
    expected = clineval.score(name, predictions, references).as_dict()
    metric = evaluate.load(name)
    metric.add(prediction=predictions[0], reference=references[0])
    metric.add_batch(predictions=predictions[1:], references=references[1:])
    assert metric.compute() == expected


@pytest.mark.parametrize("config", ["task1a", "task1b"])
def test_configs_reach_the_core(config):
    metric = evaluate.load("clefehealth13_task1", config)
    result = metric.compute(predictions=FOUND, references=GOLD, protocol="official")
    expected = clineval.score(
        "clefehealth13_task1", FOUND, GOLD, config=config, protocol="official"
    )
    assert result == expected.as_dict()


def test_a_run_is_given_as_a_whole():
    """As a dict of topics, which need not be as many as judged topics, or as paths."""
    metric = evaluate.load("clefehealth13_task3")
    run = {**RUN, "q3": {"a": 1.0}}
    with pytest.warns(clineval.InputWarning, match="not judged"):
        result = metric.compute(predictions=run, references=QRELS, measures="map")
    assert result["num_q"] == 2
    metric.add_batch(predictions=run, references=QRELS)
    with pytest.warns(clineval.InputWarning, match="not judged"):
        assert metric.compute(measures="map") == result


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_protocol_of_runs_reaches_the_core():
    metric = evaluate.load("clefehealth13_task3")
    run = "q1 Q0 a 1 2.0 t\nq2 Q0 d 1 1.0 t\n# EXCEPTION in query q3: too many words\n"
    sides = {"predictions": run, "references": QRELS}
    laws.refuses(lambda: metric.compute(**sides), "<string>:3", "begins with #")
    expected = clineval.score("clefehealth13_task3", run, QRELS, protocol="official").as_dict()
    assert metric.compute(**sides, protocol="official") == expected
    assert "|protocol:official|" in expected["signature"]
    laws.refuses(lambda: metric.compute(**sides, complete="no"), "complete: expected True or False")


def test_paths_are_given_as_a_whole(tmp_path):
    sides = {"predictions": "a||T||C1||1||2\n", "references": "a||T||C1||1||5\n"}
    paths = {side: str(tmp_path / f"{side}-of-{len(side)}.pipe") for side in sides}
    for side, text in sides.items():
        (tmp_path / paths[side]).write_text(text)
    assert evaluate.load("clefehealth13_task1").compute(**paths)["overlap_tp"] == 1


@by_name
def test_unknown_options_are_named(name):
    metric = evaluate.load(name)
    predictions, references = SIDES[name]
    laws.refuses(
        lambda: metric.compute(predictions=predictions, references=references, protocl="spec"),
        "'protocl'",
    )
