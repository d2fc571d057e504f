"""Sides, options and counts as Python takes them."""

import json
import warnings
from functools import cache

import pytest
from canary import GOOD
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Counts, InputWarning
from clineval.registry import NAMES, find_challenge
from fuzz.contract import FUZZ, judge_scores, keep
from fuzz.mutations import HOSTILE, mutated_objects, mutated_texts

pytestmark = pytest.mark.parametrize("name", NAMES)


def demo_sides(name):
    """Where gold and the first system are in the demo corpus of a challenge."""
    demo = find_challenge(name).demo
    return [demo.gold, next(iter(demo.systems.values()))]


@cache
def texts_of(name):
    """A file of each of the two."""
    return [_first_file(find_challenge(name).corpora / path) for path in demo_sides(name)]


def _first_file(path):
    if path.is_dir():
        path = min(file for file in path.rglob("*") if file.is_file())
    return path.read_text("utf-8")[:6000]


@cache
def counts_of(name):
    """The demo corpus of a challenge as counts on their way between machines."""
    sides, options = arguments_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return clineval.count(name, *sides, **options).to_json()


def score(name, predictions, references, **options):
    result = clineval.score(name, predictions, references, **options)
    judge_scores(result.as_dict())


@FUZZ
@given(data=st.data())
def test_objects(name, data):
    good = GOOD[name]
    predictions, references = data.draw(
        st.sampled_from([(True, False), (False, True), (True, True)])
    )
    sides = [data.draw(mutated_objects(good)) if bad else good for bad in (predictions, references)]
    protocol = data.draw(st.sampled_from(sorted(find_challenge(name).protocols)))
    keep(lambda: score(name, *sides, protocol=protocol))


@FUZZ
@given(data=st.data())
def test_options(name, data):
    challenge = find_challenge(name)
    known = ["config", "protocol", "confidence", "n_resamples", "seed", "interval"]
    option = data.draw(st.sampled_from([*known, *(o.name for o in challenge.options), "nope"]))
    value = data.draw(HOSTILE if option != "n_resamples" else HOSTILE.filter(_is_small))
    keep(lambda: score(name, GOOD[name], GOOD[name], **{option: value}))


def _is_small(value):
    """Resamples beyond memory are tried once, and not a thousand times."""
    return not isinstance(value, (int, float)) or value < 300


@FUZZ
@given(data=st.data())
def test_texts(name, data):
    gold, predicted = texts_of(name)
    bad = data.draw(mutated_texts(predicted)).decode("utf-8", "surrogateescape")
    keep(lambda: score(name, bad, gold))
    keep(lambda: score(name, [bad], [gold]))


@FUZZ
@given(data=st.data())
def test_files(name, data, tmp_path_factory):
    challenge = find_challenge(name)
    folder = tmp_path_factory.mktemp("files")
    suffix = next(iter(challenge.demo.systems.values())).rpartition(".")[2]
    gold, predicted = texts_of(name)
    names = data.draw(st.sampled_from(["a.pipe", "a.jsonl", "a.ann", f"a.{suffix}", "a", "a.json"]))
    path = folder / names
    path.write_bytes(data.draw(mutated_texts(predicted)))
    side = data.draw(st.sampled_from([path, folder]))
    protocol = data.draw(st.sampled_from(sorted(challenge.protocols)))
    keep(lambda: score(name, side, gold, protocol=protocol))
    if challenge.validate is not None:
        keep(lambda: list(challenge.validate([side])))


@FUZZ
@given(data=st.data())
def test_counts(name, data):
    good = counts_of(name)
    try:
        text = json.dumps(data.draw(mutated_objects(json.loads(good))))
    except TypeError:
        text = data.draw(mutated_texts(good)).decode("utf-8", "surrogateescape")
    keep(lambda: Counts.from_json(text).score().as_dict())
