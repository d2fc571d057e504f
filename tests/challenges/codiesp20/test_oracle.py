"""The outputs of CodiEsp's scripts, byte for byte, and MAP@k of trectools."""

import pytest
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.challenges.codiesp20.printed import Measure, codiesp
from clineval.evaluation.evaluate import evaluate

NAME = "codiesp20"
ORACLE = Oracle(NAME, "codiesp_2020")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
CUTOFFS = (1, 2, 3, 5, 10, 15, 30, 1000)


def call(output):
    """The stand-in's output, None where it refuses."""
    folder, (which, *measure) = output.parent, output.name.split(".")[1:-1]
    codes = [folder / f"codes_{letter}.tsv" for letter in "DP"]
    given = (None, *codes) if which == "X" else (folder / f"codes_{which}.tsv",)
    gold, system = (folder / f"{side}_{which}.tsv" for side in ("gold", "pred"))
    try:
        run = codiesp(Measure(*measure or "x"), gold, system, *given)
        asked = {"config": run.config, "protocol": "official", **run.options}
        evaluation = evaluate(NAME, run.predictions, run.references, **asked)
        return "".join(written.text for written in run.write(evaluation))
    except InputError:
        return None


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
def test_what_the_scripts_print(output):
    lines = output.read_text("utf-8").splitlines(keepends=True)
    printed = [line for line in lines if not line.startswith(("STDERR:", "rc="))]
    assert call(output) == (None if "rc=1\n" in lines else "".join(printed))


@pytest.mark.parametrize("output", ORACLE.outputs("trectools.*.txt"), ids=name_output)
def test_map_at_k(output):
    folder, which = output.parent, output.name.split(".")[1]
    result = clineval.score(
        NAME, folder / f"pred_{which}.tsv", folder / f"gold_{which}.tsv", config=which,
        protocol="official", codes=folder / f"codes_{which}.tsv", cutoffs=CUTOFFS,
    )  # fmt: skip
    documents = {row["document"]: row["map"] for row in result.per_document}
    for line in output.read_text("utf-8").splitlines():
        key, _, value = line.partition("\t")
        if value:
            at_k = key.startswith("MAP@")
            got = result[f"map_at_{key[4:]}"] if at_k else documents.get(key, 0)
            expected = 0 if value == "nan" else float(value)
            assert got == pytest.approx(expected, abs=1e-11), key


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([Measure.map, "g", "p"], "map needs lists of valid codes. Give -c"),
        ([Measure.x, "g", "p", "c"], "x needs lists of valid codes. Give -cD and -cP"),
    ],
)
def test_lists_of_valid_codes_are_needed(arguments, said):
    with pytest.raises(InputError, match=said):
        codiesp(*arguments)


@pytest.mark.parametrize(("key", "spec", "official"), [
    ("d_missing_document_not_averaged", .5, 1.0),
    ("d_document_with_invalid_codes_only", .5, 1.0),
    ("d_extra_document_counts_zero", 1.0, .5),
    ("d_depth_1000", (1 / 1000 + 2 / 1001) / 2, 1 / 2000),
    ("d_trailing_blank", 1.0, 0.0),
])  # fmt: skip
def test_where_the_protocols_differ(key, spec, official):
    folder = ORACLE.here / "cases" / key
    for protocol, expected in (("spec", spec), ("official", official)):
        result = clineval.score(
            NAME, folder / "pred_D.tsv", folder / "gold_D.tsv", protocol=protocol,
            codes=folder / "codes_D.tsv",
        )  # fmt: skip
        assert result["map"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("key", "spec", "official"), [
    ("x_exact", 1, 1), ("x_wider_by_10", 1, 1), ("x_wider_by_11", 0, 0), ("x_narrower_by_1", 1, 0),
    ("x_start_inside", 1, 0), ("x_discontinuous_gold_parts_unordered", 1, 0),
    ("x_discontinuous_gold_is_its_hull", 1, 1), ("x_discontinuous_prediction_kills", 1, None),
])  # fmt: skip
def test_where_the_protocols_differ_in_places(key, spec, official):
    folder = ORACLE.here / "cases" / key
    for protocol, expected in (("spec", spec), ("official", official)):
        asked = {"config": "X", "protocol": protocol}
        sides = folder / "pred_X.tsv", folder / "gold_X.tsv"
        if expected is None:
            with pytest.raises(InputError, match="two numbers"):
                clineval.score(NAME, *sides, **asked)
        else:
            assert clineval.score(NAME, *sides, **asked)["micro_tp"] == expected
