"""Numbers beyond all bounds, arrays for words, words for booleans: errors, by every way in."""

import math
import warnings

import evaluate
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from canary import GOOD
from commands import invoke

import clineval
from clineval import InputError, InputWarning
from clineval.base.arrays import is_iterable
from clineval.challenges.bc5cdr.measures import SCHEME
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.given.item_sets import read_strictly
from clineval.results.registry import NAMES, find_challenge

HUGE = 10**5000
"""More digits than Python writes."""
NUMBERS = [math.nan, math.inf, -math.inf, 10**400, HUGE, "9" * 5000, np.float64("nan")]
THINGS = [np.array(1), np.arange(3), [[1]], {"a": 1}, b"bytes", object()]
SIDES = [5, HUGE, math.nan, True, object(), b"bytes", np.array(1)]
COMMON = ("config", "protocol", "confidence", "n_resamples", "seed", "interval")


def refused(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        with pytest.raises(InputError) as raised:
            call()
    assert str(raised.value).isprintable()
    assert raised.value.__cause__ is None


def score(name, **options):
    asked = {"confidence": 0.9, "n_resamples": 9, **options}
    return clineval.score(name, GOOD[name], GOOD[name], **asked)


@pytest.mark.parametrize("option", COMMON)
@pytest.mark.parametrize("name", NAMES)
def test_what_all_challenges_take(name, option):
    for value in (*NUMBERS, *THINGS, True, -1):
        refused(lambda value=value: score(name, **{option: value}))


@pytest.mark.parametrize("name", NAMES)
def test_options_of_challenges_have_a_score_or_an_error(name):
    for option in find_challenge(name).options:
        for value in (*NUMBERS, *THINGS):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)
                try:
                    scores = score(name, **{option.name: value}).as_dict()
                except InputError:
                    continue
            numbers = [each for each in scores.values() if isinstance(each, float)]
            assert all(map(math.isfinite, numbers)), (option.name, value)


@pytest.mark.parametrize("name", NAMES)
def test_sides_that_are_none(name):
    metric = evaluate.load(name)
    for value in SIDES:
        refused(lambda value=value: clineval.score(name, value, GOOD[name]))
        refused(lambda value=value: clineval.score(name, GOOD[name], value))
        refused(lambda value=value: metric.compute(predictions=value, references=GOOD[name]))
        refused(lambda value=value: metric.compute(predictions=GOOD[name], references=value))


@pytest.mark.parametrize("option", ["complete", "strip"])
@pytest.mark.parametrize("value", ["no", "yes", "", 1, 0, None, np.array([True, False])])
def test_words_are_no_booleans(option, value):
    declared = {each.name for each in find_challenge("clefehealth13_task3").options}
    if option in declared:
        refused(lambda: score("clefehealth13_task3", **{option: value}))


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--confidence", "nan"),
        ("--confidence", "1"),
        ("--confidence", "0"),
        ("--confidence", "1e400"),
        ("--resamples", "0"),
        ("--resamples", "1000001"),
        ("--resamples", "9" * 4000),
        ("--seed", "-1"),
        ("--seed", "9" * 4000),
        ("--interval", "nan"),
    ],
)
def test_limits_on_the_command_line(flag, value):
    name = "clefehealth13_task1"
    gold = find_challenge(name).task.corpora / "gold.pipe"
    given = {"--confidence": "0.9", "--resamples": "9", flag: value}
    words = [word for pair in given.items() for word in pair]
    done = invoke(["score", name, gold, gold, *words])
    assert isinstance(done.exception, InputError) or done.exit_code == 2
    assert "Traceback" not in done.output


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_confidence_next_to_its_limits():
    name = "clefehealth13_task1"
    for level in (5e-324, 0.9999999999999999):
        for interval in ("percentile", "bca"):
            bounds = score(name, confidence=level, interval=interval).as_dict()
            assert all(math.isfinite(v) for v in bounds.values() if isinstance(v, float))


def test_more_trials_than_memory_holds():
    name = "clefehealth13_task1"
    counts = {system: clineval.count(name, GOOD[name], GOOD[name]) for system in "ab"}
    refused(lambda: clineval.compare_counts(counts, trials=10**18))


def test_an_array_without_dimensions_has_no_items():
    assert not is_iterable(np.array(1))


@pytest.mark.parametrize("number", [math.nan, math.inf, 10**400, -1])
@pytest.mark.parametrize(
    ("name", "table", "weight"),
    [
        ("semeval15_task14", {slot.name: {} for slot in SLOTS if slot.kind != "code"}, "cui"),
        ("clinais23_b2", {}, "substitution"),
    ],
)
def test_weights_are_numbers_that_can_be_added(name, table, weight, number):
    score(name, weights={**table, weight: 1})
    refused(lambda: score(name, weights={**table, weight: number}))


@pytest.mark.parametrize("item", [np.arange(3), 5, None, "TeRP"])
def test_relations_are_dicts(item):
    bad = [{**document, "relations": [item]} for document in GOOD["i2b2_2010"]]
    refused(lambda: clineval.score("i2b2_2010", bad, GOOD["i2b2_2010"]))


def test_an_argument_that_ends_within_a_character_is_refused():
    drug = "T1\tDrug 0 4\tdrug\nT2\tForm 5 9\tform\n"
    refused(
        lambda: clineval.score(
            "n2c2_2018_track2", f"{drug}R1\tForm-Drug Arg1:T2 Arg2\u202eT1\n", drug
        )
    )


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_names_that_may_be_notes_are_told_by_their_length(protocol):
    """The line ends of another system, and columns that have changed places."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        clineval.score("codiesp20", "No fever today\ti10\n", "caso-1\ti10\n", protocol=protocol)
    said = [str(warning.message) for warning in caught]
    assert any("(name withheld, 14 characters)" in message for message in said)
    assert not any("fever" in message for message in said)


@pytest.mark.parametrize("offset", [2**31, 2**63, 10**400])
def test_offsets_beyond_columns_are_refused(offset):
    mentions = [{"spans": [[4, offset]], "label": "Disease", "concepts": ["D1"]}]
    refused(
        lambda: clineval.score(
            "bc5cdr", [{"mentions": mentions}], GOOD["bc5cdr"][:1], protocol="official"
        )
    )


@pytest.mark.parametrize("encoding", ["collection", "utf-7", "big5", "rot13"])
def test_encodings_that_xml_cannot_have_are_refused(encoding, tmp_path):
    (tmp_path / "a.xml").write_text(f"<?xml version='1.0' encoding='{encoding}'?><collection/>")
    refused(lambda: read_strictly(tmp_path / "a.xml", SCHEME, gold=True))


@pytest.mark.parametrize("config", [[], {}, None, 3, "nope"])
def test_configurations_to_read_by_are_names(config, tmp_path):
    (tmp_path / "a.pipe").touch()
    refused(lambda: clineval.read(tmp_path, "semeval15_task14", config=config))


def test_tables_of_lists_of_lists_are_refused(tmp_path):
    mention = {"spans": [[0, 4]], "cui": "C1"}
    pq.write_table(pa.table({"id": ["a"], "mentions": [[[mention]]]}), tmp_path / "a.parquet")
    refused(lambda: clineval.read(tmp_path / "a.parquet", "semeval15_task14"))
