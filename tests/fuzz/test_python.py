"""Sides, options and counts as Python takes them."""

import json
import warnings
from functools import cache

from canary import GOOD
from demos import arguments_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from thorough import each_module

import clineval
from clineval import Counts, InputWarning
from clineval.formats.checking import find_problems
from clineval.programs.table_joins import TableJoins
from clineval.results.registry import NAMES, find_challenge
from fuzz.contract import judge_message, judge_scores, keep, share
from fuzz.mutations import NOTED, mutated, mutated_json, mutated_objects

pytestmark = each_module()
TOPICS = ("clefehealth13_task3",)
"""Challenges of which most words are names of topics and documents, as messages show them."""
ONE_PLACE = [HealthCheck.function_scoped_fixture, *settings().suppress_health_check]
"""An example writes over what the one before wrote."""
MODULES = len(NAMES)


def demo_sides(name):
    """Where gold and the first system are in the demo corpus of a challenge."""
    demo = find_challenge(name).demo
    return [demo.gold, next(iter(demo.systems.values()))]


@cache
def files_of(name):
    """The name and the text of a file of each of the two."""
    return [_first_file(find_challenge(name).task.corpora / path) for path in demo_sides(name)]


def _first_file(path):
    if path.is_dir():
        path = min(file for file in path.rglob("*") if file.is_file())
    text = path.read_text("utf-8")
    if path.suffix == ".json" and "annotated_entries" in text:
        return path.name, _with_one_note(json.loads(text))
    if path.suffix == ".json" and '"mention_level_relations"' in text:
        documents = json.loads(text)
        text = json.dumps({name: documents[name] for name in [*documents][-1:]}, indent=1)
    return path.name, text[:6000]


def _with_one_note(corpus):
    """The first note alone, under a name of its own, with what stands at its beginning."""
    [*_, entry] = corpus["annotated_entries"].values()
    short = {
        kind: {side: items[:4] for side, items in sides.items()}
        for kind, sides in entry.items()
        if isinstance(sides, dict)
    }
    return json.dumps({"annotated_entries": {"n1": {**entry, **short}}})


def texts_of(name):
    """The text of a file of each of the two."""
    return [text for _, text in files_of(name)]


@cache
def counts_of(name):
    """The demo corpus of a challenge as counts on their way between machines."""
    sides, options = arguments_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return clineval.count(name, *sides, **options).to_json()


@cache
def _ways_of(name):
    challenge = find_challenge(name)
    return [
        {"config": config, "protocol": protocol}
        for config in challenge.task.configs
        for protocol in challenge.protocols
    ]


def ways(data, name):
    """Two of the ways in which a challenge scores, or its only one."""
    known = _ways_of(name)
    first = data.draw(st.integers(0, len(known) - 1))
    return (known[first:] + known[:first])[:2]


def score(name, predictions, references, **options):
    result = clineval.score(name, predictions, references, **options)
    how = options.get("config", "default"), options.get("protocol", "spec")
    steps = find_challenge(name).setup(*how, {}).steps
    judge_scores(result.as_dict(), joined=isinstance(steps, TableJoins) and steps.repeats)


def validate(name, side):
    for problem in find_problems(find_challenge(name), [side]):
        judge_message(str(problem))


def as_text(content):
    return content.decode("utf-8", "surrogateescape")


@share("objects", MODULES, each=2)
@given(data=st.data())
def test_objects(name, data):
    good = GOOD[name]
    predictions, references = data.draw(
        st.sampled_from([(True, False), (False, True), (True, True)])
    )
    changed = mutated_objects(good, noted=name not in TOPICS)
    sides = [data.draw(changed) if bad else good for bad in (predictions, references)]
    for way in ways(data, name):
        keep(lambda way=way: score(name, *sides, **way))


@share("options", MODULES)
@given(data=st.data())
def test_options(name, data):
    challenge = find_challenge(name)
    known = ["config", "protocol", "confidence", "interval", "n_resamples", "seed", "cluster"]
    known += [*(option.name for option in challenge.options), "nope"]
    options = data.draw(
        st.dictionaries(st.sampled_from(known), NOTED, min_size=1, max_size=3).filter(_is_small)
    )
    keep(lambda: score(name, GOOD[name], GOOD[name], **options))


def _is_small(options):
    """Resamples beyond memory are tried once, and not a thousand times."""
    value = options.get("n_resamples")
    return not isinstance(value, (int, float)) or value < 300


@share("texts", MODULES, each=4)
@given(data=st.data())
def test_texts(name, data):
    gold, (path, predicted) = texts_of(name)[0], files_of(name)[1]
    bad = as_text(data.draw(mutated(path, predicted, noted=name not in TOPICS)))
    for way in ways(data, name):
        keep(lambda way=way: score(name, bad, gold, **way))
        keep(lambda way=way: score(name, [bad], [gold], **way))


@share("files", MODULES, each=4, suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_files(name, data, place):
    gold, (own, predicted) = texts_of(name)[0], files_of(name)[1]
    called = data.draw(st.sampled_from([own] * 4 + ["a.pipe", "a.jsonl", "a.ann", "a", "a.json"]))
    path = place / called
    path.write_bytes(data.draw(mutated(own, predicted, noted=name not in TOPICS)))
    side = data.draw(st.sampled_from([path, place]))
    chosen = ways(data, name)
    try:
        for way in chosen:
            keep(lambda way=way: score(name, side, gold, **way))
        keep(lambda: validate(name, side))
        keep(lambda: clineval.read(side, name))
    finally:
        path.unlink()


@share("counts", MODULES)
@given(data=st.data())
def test_counts(name, data):
    text = as_text(data.draw(mutated_json(counts_of(name), noted=True)))
    keep(lambda: Counts.from_json(text).score().as_dict())
