"""Records of an own scheme: parts that are scored separately, distinct records, listed values."""

import warnings
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Challenge, FittingRecords, InputError, Measures, Records, Task
from clineval.kinds.records.allowed import Allowed
from clineval.kinds.records.fields import Field, JoinedField
from clineval.kinds.records.parts import Part, PartScores

KINDS, SIDES = ("Drug", "Sign"), ("left", "right", "both")
FIELDS = Field("kind", "label", required=True), Field("side", "label"), Field("note", "label")
PARTS = (
    Part("drug", "drugs", {"kind": "Drug"}),
    Part("sign", "signs", {"kind": "SIGN"}),
    Part("left", "left", {"side": "left"}),
    Part("left_sign", "signs, left", {"kind": "sign", "side": "left"}),
)
BY_KIND = PartScores(PARTS[:2], "By kind", means="both kinds")
RECORDS = st.fixed_dictionaries(
    {"kind": st.sampled_from((*KINDS, "other", "drug")), "side": st.sampled_from(SIDES)}
)
DOCUMENTS = st.lists(st.lists(RECORDS, max_size=6), min_size=2, max_size=2)


def challenge_of(protocol, *measures):
    task = Task("own", "Own", "https://example.org/", definition="", file="")
    measures = Measures.of(*protocol.measures.each, *measures)
    return Challenge(task, {"spec": protocol}, measures)


def own(**options):
    return Records(FIELDS, {"same": ("kind", "side")}, parts=PARTS, **options)


def key_of(record):
    return record["kind"], record["side"]


def count(gold, found, keep, *, distinct):
    sides = [
        Counter(key_of(r) for r in side if keep(r["kind"].lower(), r["side"]))
        for side in (gold, found)
    ]
    if distinct:
        sides = [Counter(set(side)) for side in sides]
    pairs = sum((sides[0] & sides[1]).values())
    return pairs, sides[1].total() - pairs, sides[0].total() - pairs


@pytest.mark.parametrize("distinct", [False, True])
@given(DOCUMENTS)
def test_parts_are_counted_as_if_they_were_alone(distinct, sides):
    measures = BY_KIND, PartScores(PARTS[2:], "Others")
    result = clineval.score(
        challenge_of(own(distinct=distinct), *measures), sides[:1], sides[1:]
    ).values
    found, gold = sides
    keeps = {
        "same": lambda _kind, _side: True,
        "drug": lambda kind, _: kind == "drug",
        "sign": lambda kind, _: kind == "sign",
        "left": lambda _, side: side == "left",
        "left_sign": lambda kind, side: (kind, side) == ("sign", "left"),
    }
    for name, keep in keeps.items():
        counts = tuple(result[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        assert counts == count(gold, found, keep, distinct=distinct), name
    there = [n for n in ("drug", "sign") if any(result[f"{n}_{v}"] for v in ("tp", "fp", "fn"))]
    for score in ("precision", "recall", "f1"):
        values = [result[f"{name}_{score}"] for name in there]
        assert result[f"macro_{score}"] == pytest.approx(sum(values) / max(1, len(values)))


def test_more_parts_than_a_number_has_bits():
    values = [f"v{number}" for number in range(130)]
    parts = tuple(Part(value, value, {"side": value}) for value in values)
    protocol = Records(FIELDS, {"same": ("kind", "side")}, parts=parts)
    gold = [[{"kind": "Drug", "side": value} for value in values]]
    found = [[{"kind": "Drug", "side": value} for value in values[::2]]]
    result = clineval.score(challenge_of(protocol, PartScores(parts, "All")), found, gold).values
    assert [result[f"v{n}_tp"] for n in range(130)] == [1, 0] * 65
    assert [result[f"v{n}_fn"] for n in range(130)] == [0, 1] * 65


def test_a_corpus_without_records():
    result = clineval.score(challenge_of(own(distinct=True), BY_KIND), [[]], [[]]).values
    assert (result["drug_tp"], result["macro_f1"], result["same_f1"]) == (0, 0, 0)


def test_parts_need_a_protocol_that_counts_them():
    with pytest.raises(InputError, match="paired by similarity have no parts"):
        FittingRecords((Field("kind", "words", required=True),), by=("kind",), parts=PARTS)


def test_other_fields_of_equal_records_do_not_make_them_different():
    record = {"kind": "Drug", "side": "left"}
    found = [[{**record, "note": note} for note in "ab"]]
    counts = []
    for distinct in (False, True):
        result = clineval.score(challenge_of(own(distinct=distinct)), found, [[record]])
        counts.append([result[f"same_{verdict}"] for verdict in ("tp", "fp", "fn")])
    assert counts == [[1, 1, 0], [1, 0, 0]]


def test_every_invalid_record_counts():
    """Nothing says that two things that are no records are the same."""
    found = [[7, 7, {"kind": "Drug", "side": "left"}]]
    with pytest.warns(clineval.InputWarning, match="invalid predicted records"):
        result = clineval.score(challenge_of(own(distinct=True)), found, [[]])
    assert result["same_fp"] == 3


ALLOWED = Allowed("kind", {"Drug": {"side": ("Left", "right")}, "Sign": {}})


@pytest.mark.parametrize(
    ("record", "said", "equal"),
    [
        ({"kind": "Drug", "side": "LEFT"}, None, {"kind": "Drug", "side": "LEFT"}),
        ({"kind": "Drug", "side": "up"}, "has values that are not listed", None),
        ({"kind": "Drug"}, "has values that are not listed", {"kind": "Drug", "side": ""}),
        ({"kind": "Sign", "side": "up"}, "has fields that their kind does not", {"kind": "Sign"}),
        ({"kind": "other", "side": "up"}, None, None),
    ],
)
def test_values_that_kinds_of_records_may_have(record, said, equal):
    challenge = challenge_of(Records(FIELDS, {"same": ("kind", "side")}, allowed=ALLOWED))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = clineval.score(challenge, [[record]], [[equal or record]])
    told = " ".join(str(each.message) for each in caught)
    assert result["same_tp"] == 1
    assert said in told if said else not told


def test_joined_labels():
    types = JoinedField("types", "label", ("arb", "statin"), fold=str.lower)
    assert types.read("Statin + arb + STATIN") == types.read(["ARB", "statin"]) == "arb + statin"
    assert (types.read(None), types.read([]), types.read("")) == ("", "", "")
    with pytest.raises(InputError, match="types: expected a word or words"):
        types.read([7])
    kept = JoinedField("types", "label", fold=str.lower, distinct=False)
    assert kept.read("b + A + b") == "a + b + b"
