"""Print and write what the evaluation library of MedProcNER 2023 does."""

from clineval.programs.row_set_results import Library

_SAID = "Computing evaluation scores for Task"
LIBRARY = Library(
    "MedProcNER",
    {
        "ner": ("1 (Named Entity Recognition)", f"{_SAID} 1 (ner)"),
        "norm": ("2 (Entity Linking)", f"{_SAID} 2 (norm)"),
        "index": ("3 (Document Indexing)", f"{_SAID} 3 (index)"),
    },
    "medprocner_results_{task}_{time}.txt",
)
COMMANDS = {"medprocner-2023": LIBRARY.command}
