"""Codes of mentions and of documents in the family: which count as the same, by both protocols.

Under ``official`` these are what the released programs do, as the recorded outputs show it; under
``spec`` the decisions of the cards. Codes such as NOMAP are codes like any other.
"""

import warnings

import pytest

import clineval
from clineval import InputError
from clineval.protocols.linked_spans import LinkedSpans
from clineval.results.challenge import Configurations
from clineval.results.registry import NAMES, find_challenge

CODED = {
    "medprocner23": "PROCEDIMIENTO",
    "symptemist23": "SINTOMA",
    "distemist22": "ENFERMEDAD",
    "livingner22": "SPECIES",
    "cantemist20": "MORFOLOGIA_NEOPLASIA",
}
LISTED = ["distemist22", "livingner22", "cantemist20"]
SETS, OF_BARS = {"medprocner23", "distemist22", "livingner22"}, {"distemist22", "livingner22"}
CASES = [  # gold and predicted codes; the challenges in which they are one, by spec and official
    ("NOMAP", "NOMAP", {*CODED}, {*CODED}),
    ("NO_CODE", "NO_CODE", {*CODED}, {*CODED}),
    ("NOMAP", "12", set(), set()),
    ("NOMAP", "nomap", set(), set()),
    ("12+NOMAP", "NOMAP+12", SETS | {"symptemist23"}, SETS),
    ("12+34", "34+12", SETS | {"symptemist23"}, SETS),
    ("12+34", "12+34+12", SETS | {"symptemist23"}, SETS),
    ("12+34", "12 + 34", SETS | {"symptemist23"}, set()),
    ("12", "12+", SETS | {"symptemist23"}, OF_BARS),
    ("12+34", "12", set(), set()),
    ("12|34", "34|12", OF_BARS, OF_BARS),
    ("12|34", "12+34", OF_BARS, OF_BARS),
    ("12|H", "12", set(), set()),
    ("012", "12", set(), {"medprocner23"}),
]


def count(module, gold, predicted, protocol, **options):
    """Right, wrong and missed mentions of one gold and one predicted code at one place."""
    sides = [
        [[{"spans": [[1, 5]], "label": CODED[module], "code": code}]] for code in (predicted, gold)
    ]
    score = clineval.score(module, *sides, config="norm", protocol=protocol, **options)
    return [score[f"linked_{verdict}"] for verdict in ("tp", "fp", "fn")]


@pytest.mark.parametrize("module", CODED)
@pytest.mark.parametrize(("gold", "predicted", "spec", "official"), CASES)
def test_codes_that_are_the_same(module, gold, predicted, spec, official):
    for protocol, same in (("spec", spec), ("official", official)):
        expected = [1, 0, 0] if module in same else [0, 1, 1]
        assert count(module, gold, predicted, protocol) == expected, protocol


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("module", LISTED)
@pytest.mark.parametrize("predicted", ["NOMAP", "12+99"])
def test_a_predicted_code_that_the_list_lacks(module, predicted):
    """It is wrong; the libraries drop the row, but for CANTEMIST's, which reads no list in NORM."""
    asked = {"codes": ["12"]}
    assert count(module, "12", predicted, "spec", **asked) == [0, 1, 1]
    dropped = [0, 1, 1] if module == "cantemist20" else [0, 0, 1]
    assert count(module, "12", predicted, "official", **asked) == dropped


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("module", LISTED)
def test_a_gold_code_that_the_list_lacks(module):
    """NOMAP is refused unless the list has it; the libraries drop the row, on both sides."""
    for protocol in ("spec", "official"):
        assert count(module, "NOMAP", "NOMAP", protocol, codes=["12", "NOMAP"]) == [1, 0, 0]
    with pytest.raises(clineval.InputError, match="1 code is not in the list of valid codes"):
        count(module, "NOMAP", "NOMAP", "spec", codes=["12"])
    kept = [1, 0, 0] if module == "cantemist20" else [0, 0, 0]
    assert count(module, "NOMAP", "NOMAP", "official", codes=["12"]) == kept


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize(
    ("predicted", "valid", "spec", "official"),
    [
        (["NOMAP", "8140/3"], None, 1 / 2, 1 / 2),
        (["8140/3", "NOMAP"], None, 1, 1),
        (["NOMAP", "8140/3"], ["8140/3"], 1 / 2, 1),  # an unknown code has no rank in the library
        (["NOMAP", "8140/3"], ["8140/3", "NOMAP"], 1 / 2, 1 / 2),
        (["8000/3", "8000/3", "8140/3"], None, 1 / 2, 1 / 2),  # a repeat has none either way
        (["8140/3H", "8140/3"], None, 1 / 2, 1 / 2),
        (["8140/3h", "8140/3H"], None, 0, 0),
    ],
)
def test_ranks_of_codes(predicted, valid, spec, official):
    for protocol, expected in (("spec", spec), ("official", official)):
        asked = {"config": "coding", "protocol": protocol, "codes": valid}
        assert clineval.score("cantemist20", [predicted], [["8140/3"]], **asked)["map"] == expected


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_nomap_among_the_codes_of_documents(protocol):
    asked = {"config": "index", "protocol": protocol}
    score = clineval.score("medprocner23", [["NOMAP", "45"]], [["NOMAP", "12"]], **asked)
    assert [score[f"micro_{verdict}"] for verdict in ("tp", "fp", "fn")] == [1, 1, 1]


def spans_of(name):
    """What a challenge scores by its definition, without a configuration."""
    spec = find_challenge(name).protocols["spec"]
    return spec.usual if isinstance(spec, Configurations) else spec


FAMILY = [name for name in NAMES if isinstance(spans_of(name), LinkedSpans)]


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_labels_of_another_challenge_are_noticed(name, protocol):
    """They are refused or dropped, or count like the others, with a warning."""
    own = spans_of(name).labels
    for label, others in ((own[0], False), ("OTRA", True), (own[0].swapcase(), True)):
        sides = [[[{"spans": [[0, 5]], "label": label, "text": "fiebr"}]]] * 2
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = clineval.score(name, *sides, protocol=protocol)
            except InputError:
                assert others
                continue
        said = [str(each.message) for each in caught if "other" in str(each.message)]
        assert len(said) == 2 * others, said
        assert result["strict_tp"] in (1, 1 - others)
        assert not any("OTRA" in each for each in said)
