"""Print and write what the evaluation library of MultiCardioNER 2024 does."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from clineval.programs import row_set_results as results
from clineval.results.scripts import ScriptRun

_SAID = "Computing evaluation scores..."
_DRUGS = "2 (Multilingual Drug Named Entity Recognition)"
LIBRARY = results.Library(
    "MultiCardioNER",
    {
        "track1": ("1 (Disease Named Entity Recognition)", _SAID),
        "track2_es": (f"{_DRUGS} Spanish", _SAID),
        "track2_en": (f"{_DRUGS} English", _SAID),
        "track2_it": (f"{_DRUGS} Italian", _SAID),
    },
    "multicardioner_results_{task}_{time}_{run}.txt",
)


def multicardioner(  # noqa: PLR0917 - the options of the library
    reference: results.REFERENCE,
    prediction: results.PREDICTION,
    task: results.TASK,
    output: results.OUTPUT,
    mapping: Annotated[Path, typer.Option("-m", "--mapping", help="TSV: name, masked name.")],
    verbose: results.VERBOSE = False,  # noqa: FBT002
) -> ScriptRun:
    """Print and write what the library does: -t track1, track2_es, track2_en, track2_it."""
    options = {"mapping": mapping}
    return LIBRARY.run(task, prediction, reference, output, options, verbose=verbose)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"multicardioner-2024": multicardioner}
