"""The outputs of MEDIQA-SYNUR's script, byte for byte, and what spec makes of the same input."""

import pytest
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.challenges.mediqa_synur26.printed import mediqa_synur
from clineval.evaluation.evaluate import evaluate

NAME = "mediqa_synur26"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, target):
    """The stand-in's output and file, None where it refuses."""
    try:
        run = mediqa_synur(folder / "gold.jsonl", folder / "system.jsonl", target)
        evaluation = evaluate(NAME, run.predictions, run.references, protocol="official")
    except InputError:
        return None
    printed, file = run.write(evaluation)
    assert printed.text.splitlines()[-1] == f"Writing results to  {target / file.file}"
    return printed.text.rpartition("Writing")[0], file.text


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_the_script_prints_and_writes(output, tmp_path):
    text = output.read_text("utf-8")
    expected = None
    if "rc=1\n" not in text:
        expected = (text, (output.parent / "official.json").read_text("utf-8").removesuffix("\n"))
    assert call(output.parent, tmp_path) == expected


CASES = {
    "s13a": (1, 0, 0), "s13b": (1, 0, 0), "s13c": (1, 0, 0), "s13d": (1, 1, 1), "s13e": (2, 0, 0),
    "s10": (2, 0, 0), "s12": (0, 1, 1), "s19": (0, 3, 3), "s22": (0, 1, 1), "s24": (0, 1, 1),
    "s25": (1, 1, 1), "s27": (0, 1, 1), "s29": (0, 1, 1), "s30": (0, 2, 2), "s31": (0, 1, 1),
    "s33": (1, 0, 0), "s34": (1, 0, 0), "s35": (1, 0, 0), "s36": (0, 1, 1), "s37": (0, 1, 1),
    "s38": (1, 0, 0), "s40": (1, 2, 0), "s46": (1, 0, 0), "s47": (1, 0, 0), "s09": (1, 1, 0),
}  # fmt: skip
"""tp, fp and fn under spec, where it differs or could be thought to."""
REFUSED = {"s32": "NaN is not a finite number", "s41": "the document has the same 'id' as"}


@pytest.mark.parametrize(
    "folder", sorted((ORACLE.here / "cases").iterdir()), ids=lambda path: path.name
)
def test_spec_on_the_cases(folder):
    case = folder.name.partition("_")[0]
    sides = folder / "system.jsonl", folder / "gold.jsonl"
    if case in REFUSED:
        with pytest.raises(InputError, match=REFUSED[case]) as caught:
            clineval.score(NAME, *sides)
        assert "gold.jsonl:" in str(caught.value)
        return
    result = clineval.score(NAME, *sides)
    counts = tuple(result[f"micro_{name}"] for name in ("tp", "fp", "fn"))
    if case in CASES:
        assert counts == CASES[case]
    else:
        official = clineval.score(NAME, *sides, protocol="official")
        assert counts == tuple(official[f"micro_{name}"] for name in ("tp", "fp", "fn"))
