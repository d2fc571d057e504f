"""The released program of i2b2 2012: what it prints, and the counts of its functions."""

import json
import random
from pathlib import Path

import pytest
from oracles import Oracle

from clineval import InputError
from clineval.challenges.i2b2_2012_temporal.official.counts import Mode, count_document
from clineval.challenges.i2b2_2012_temporal.official.tags import Tags
from clineval.challenges.i2b2_2012_temporal.official.timegraph import TimeGraph
from clineval.challenges.i2b2_2012_temporal.printed import COMMANDS

ORACLE = Oracle("i2b2_2012_temporal")
OUTPUTS = ORACLE.outputs("official.out")
SUMS = " Aggregated Scores: "
TIMES = '<TIMEX3 id="T0" start="1" end="10" text="a" type="{}" val="{}" mod="{}" />'
LINK = '<TLINK id="TL0" fromID="E0" fromText="a" toID="E1" toText="b" type="{}" />'


def sections_of(output):
    """The options of each recorded call, and what it printed."""
    sections = output.read_text("latin-1").split("=== ")[1:]
    return [(options, text) for options, _, text in (s.partition("\n") for s in sections)]


CALLS = [
    pytest.param(output.parent, options, text, id=f"{output.parent.name}{options.replace(' ', '')}")
    for output in OUTPUTS
    for options, text in sections_of(output)
]


def arguments_of(options):
    """The words of a call as arguments of the command."""
    names = {"partialCredit": "partial"}
    return {names.get(word, word): True for word in options.replace("-", "").split()}


def mode_of(options):
    """The words of a call as a mode."""
    mode = {}
    for word in options.replace("-", "").split():
        part = "part" if word in ("event", "timex", "tlink") else "spans"
        mode["links" if word in ("oo", "oc", "cc") else part] = word
    return Mode(**mode)


def print_here(gold, system, options=""):
    """What the stand-in prints."""
    run = COMMANDS["i2b2-2012"](Path(gold), Path(system), **arguments_of(options))
    [output] = run.write(None)
    assert not output.error
    return output.text


def cut(text, options):
    """Leave out what was not recorded: documents, except in the default call, and warnings."""
    if not options or SUMS not in text:
        return text
    return text[text.rindex("\n", 0, text.index(SUMS)) + 1 :].split("WARNING: Running")[0]


def test_all_outputs_are_there():
    if ORACLE.there.is_dir():
        assert (len(OUTPUTS), len(CALLS)) == (95, 950)
    assert len(CALLS) >= 230


@pytest.mark.parametrize(("case", "options", "expected"), CALLS)
def test_what_the_program_prints(case, options, expected, monkeypatch):
    monkeypatch.chdir(case)
    if expected.startswith("rc="):
        with pytest.raises(InputError, match=r"stops|divides by zero"):
            print_here("gold", "system", options)
        return
    assert cut(print_here("gold", "system", options), options) == expected


@pytest.mark.parametrize("output", ORACLE.outputs("official.json"), ids=lambda p: p.parent.name)
def test_counts_are_those_of_the_program_s_functions(output):
    for options, documents in json.loads(output.read_text()).items():
        for name, expected in (documents or {}).items():
            files = [output.parent / side / name for side in ("gold", "system")]
            tags = [Tags.of(name, path.read_bytes()) for path in files]
            counts = count_document(*tags, mode_of(options))
            found = {"event": counts.events.list_values(), "timex": counts.times.list_values()}
            found["tlink"] = list(counts.links)
            assert {part: found[part] for part in expected} == expected, (options, name)


def test_two_files_have_no_sums(tmp_path):
    for name in ("gold.xml", "system.xml"):
        (tmp_path / name).write_text(LINK.format("BEFORE"))
    text = print_here(tmp_path / "gold.xml", tmp_path / "system.xml")
    assert SUMS not in text
    assert "Gold Standard : \t\t1" in text
    alone = print_here(tmp_path / "gold.xml", tmp_path / "system.xml", "-tlink")
    assert alone.splitlines()[-1].startswith("WARNING: when using tlink evaluation alone")


def test_parts_alone():
    case = ORACLE.here / "random_06_odd"
    whole = print_here(case / "gold", case / "system")
    for part, others in (("event", "TIMEX3"), ("timex", "EVENT: ")):
        text = print_here(case / "gold", case / "system", f"-{part}")
        assert text.startswith(f"\nEvaluation method:\n   Evaluating tags: {part.upper()}\n")
        assert text.endswith(f"\n{'*' * 47}\n")
        assert others not in text
        rows = [line for line in text.splitlines() if "F measure" in line]
        assert {*rows} <= {*whole.splitlines()}


@pytest.mark.parametrize(
    ("kind", "value", "modifier", "problem"),
    [
        ("DURATION", "P", "NA", "that ends with P"),
        ("FREQUENCY", "RP", "NA", "that ends with P"),
        ("DURATION", "PD", "APPROX", "without a number"),
        ("DURATION", "PTH", "NA", "without a number"),
        ("DURATION", "P5", "NA", "of a unit without a number"),
        ("DURATION", "P15", "NA", "without a unit"),
    ],
)
def test_values_at_which_the_program_stops(kind, value, modifier, problem):
    other = "RP1D" if kind == "FREQUENCY" else "P1D"
    gold, system = TIMES.format(kind, value, modifier), TIMES.format(kind, other, "NA")
    tags = [Tags.of(name, text.encode()) for name, text in (("g.xml", gold), ("s.xml", system))]
    with pytest.raises(InputError, match=f"g.xml: the program stops .* {problem}"):
        count_document(*tags, Mode("timex"))


@pytest.mark.parametrize("links", ["tempeval", "oc", "cc"])
def test_other_types_of_timeml_are_refused(links):
    events = "".join(
        f'<EVENT id="E{at}" start="{at}" end="9" text="a" modality="" polarity="" type="" />\n'
        for at in range(2)
    )
    text = f"\n\n\n]]></TEXT>\n<TAGS>\n{events}{LINK.format('INCLUDES')}\n"
    tags = Tags.of("1.xml", text.encode())
    with pytest.raises(InputError, match=r"1.xml: .*Use BEFORE, AFTER or OVERLAP"):
        count_document(tags, tags, Mode("tlink", links=links))


def test_options_that_exclude_each_other():
    with pytest.raises(InputError, match="options oc and cc exclude each other"):
        COMMANDS["i2b2-2012"](Path("gold"), Path("system"), oc=True, cc=True)


def test_a_path_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="expected two folders or two files"):
        print_here(tmp_path, tmp_path / "none")


def test_messages_have_no_text(tmp_path):
    tag = '<EVENT id="E0" start="1" end="10" text="Mr Secret" type="PROBLEM" />'
    (tmp_path / "gold.xml").write_text(f"\n{tag}\n")
    with pytest.raises(InputError, match=r"gold.xml:2: the program stops at the form") as caught:
        print_here(tmp_path / "gold.xml", tmp_path / "gold.xml")
    assert "Secret" not in str(caught.value)


def test_contradictory_links_do_not_take_forever():
    choose, names = random.Random(1), [f"E{at}" for at in range(1000)]
    kinds = ("BEFORE", "AFTER", "SIMULTANEOUS")
    links = [(*choose.sample(names, 2), choose.choice(kinds)) for _ in range(5000)]
    with pytest.raises(InputError, match="the program tries all paths of the links, here more"):
        TimeGraph.of(links)
