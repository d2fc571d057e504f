"""Each rule on which the protocols of the i2b2 2009 challenge differ, with both results."""

import warnings

import pytest
from conftest import DATA

import clineval
from clineval.base.errors import InputError
from clineval.challenges.i2b2_2009_medication import CHALLENGE

NAME = "i2b2_2009_medication"
CASES = DATA / "oracle" / NAME / "cases"
PRF = ("precision", "recall", "f1")


def both(call, key):
    """A score under both protocols; a refusal under spec shows as the word "refused"."""
    values = []
    for protocol in ("spec", "official"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", clineval.InputWarning)
            try:
                values.append(round(call(protocol)[key], 6))
            except InputError:
                values.append("refused")
    return tuple(values)


def case(name):
    folder = CASES / name
    return lambda protocol: clineval.score(
        NAME, folder / "sys", folder / "gold", protocol=protocol, records=folder / "records"
    )


def given(found, gold):
    return lambda protocol: clineval.score(NAME, found, gold, protocol=protocol)


def entry(**fields):
    return "||".join(f'{tag}="x" {offsets}' for tag, offsets in fields.items()) + "\n"


def near_tie():
    """The first gold entry has F .6671 and agrees in du, the second has .6676 and does not."""
    found = entry(m="1:0 1:0", du="4:0 4:0", r="1:1 1:999")
    worse = entry(m="1:0 1:0", du="4:0 4:0", r="1:1 1:499")
    better = entry(m="1:0 1:0", du="4:0 4:1", r="1:1 1:500")
    return [found], [worse + better]


def stages():
    """One system entry has the medication of the gold entry, the other its dosage and half of it.

    Spec: the one with the same medication, D 2 of S 6 and N 7; official: the other one, D 5.
    """
    found = entry(m="1:1 1:2") + entry(m="1:1 1:1", do="2:0 2:3")
    return [found], [entry(m="1:1 1:2", do="2:0 2:3")]


def rounding():
    """Two records with P 1/3 and 2/3: their mean is a half, or that of .3333 and .6667."""
    gold = [entry(m="1:0 1:0"), entry(m="1:0 1:1")]
    found = [entry(m="1:0 1:2"), entry(m="1:0 1:2")]
    return [*found, entry(m="1:0 1:2")], [*gold, entry(m="1:0 1:0")]


def patients():
    """The second record's frequency is spurious."""
    gold = [entry(m="1:0 1:0", f="1:1 1:1"), entry(m="1:0 1:0")]
    return [entry(m="1:0 1:0", f="1:1 1:1")] * 2, gold


def overlapping():
    """One field whose fragments share two tokens; the tokens are 1 to 5, each once."""
    return [entry(m="1:1 1:4,1:3 1:5")], [entry(m="1:1 1:5")]


DIFFERENCES = {
    "stages": (given(*stages()), "inexact_horizontal_system_f1", (0.307692, 0.769231)),
    "near_tie": (given(*near_tie()), "exact_horizontal_system_f1", (0.222222, 0.444444)),
    "vert_unaligned": (case("vert_unaligned"), "exact_vertical_dosage_system_f1", (1.0, 0.0)),
    "vert_dup": (case("vert_dup"), "exact_vertical_medication_system_recall", (1.0, 0.5)),
    "emptygold": (case("emptygold"), "exact_horizontal_patient_recall", (0.5, 0.545)),
    "patients": (given(*patients()), "exact_vertical_frequency_patient_f1", (0.5, 1.0)),
    "rounding": (
        given(*rounding()),
        "inexact_horizontal_patient_precision",
        (0.444444, round((0.3333 + 0.6667 + 0.3333) / 3, 6)),
    ),
    "disc_same_tokens": (case("disc_same_tokens"), "exact_horizontal_system_f1", (0.0, 1.0)),
    "beyond_tok": (case("beyond_tok"), "inexact_horizontal_patient_f1", ("refused", 0.8571)),
    "reversed": (case("reversed"), "exact_vertical_medication_system_f1", ("refused", 0.0)),
    "overlapping": (given(*overlapping()), "exact_horizontal_system_f1", ("refused", 1.0)),
    "nondigit": (case("nondigit"), "exact_horizontal_system_f1", (1.0, 0.0)),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_protocols_differ(name):
    call, key, expected = DIFFERENCES[name]
    assert both(call, key) == expected
    assert expected[0] != expected[1]


def test_records_that_only_the_system_has(tmp_path):
    """They are false positives at system level, or do not count; with a warning either way."""
    for side, names in (("gold", ["1"]), ("sys", ["1", "2"])):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.i2b2.entries").write_text(entry(m="1:0 1:0"))
    expected = {"spec": (0.5, "counts as all spurious: 2"), "official": (1.0, "does not count: 2")}
    for protocol, (precision, said) in expected.items():
        with pytest.warns(clineval.InputWarning, match=said):
            result = clineval.score(NAME, tmp_path / "sys", tmp_path / "gold", protocol=protocol)
        assert result["exact_horizontal_system_precision"] == precision
        assert result["exact_horizontal_patient_precision"] == 1
        assert result["exact_vertical_medication_patient_f1"] == 1


def test_gold_records_that_the_system_lacks_are_missed_under_both():
    assert both(case("missing"), "exact_horizontal_system_recall") == (0.5, 0.5)
    assert both(case("missing"), "exact_horizontal_patient_recall") == (0.5, 0.5)


def test_precision_without_system_field_is_zero_under_both():
    assert both(case("emptysys"), "exact_horizontal_system_precision") == (0.0, 0.0)
    assert both(case("emptysys"), "exact_horizontal_system_f1") == (0.0, 0.0)


@pytest.mark.parametrize("name", ["dup", "dup2", "casetext", "multiline", "disc", "greedy"])
def test_elsewhere_the_protocols_agree(name):
    spec, official = (case(name)(protocol) for protocol in ("spec", "official"))
    for match in ("exact", "inexact"):
        for measure in PRF:
            key = f"{match}_horizontal_system_{measure}"
            assert spec[key] == pytest.approx(official[key])


def test_every_declared_difference_has_such_an_example():
    examples = {difference.example for difference in CHALLENGE.differences}
    assert examples == {*DIFFERENCES, "extra"} - {"overlapping"}
