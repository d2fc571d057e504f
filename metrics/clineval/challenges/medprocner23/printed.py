"""What the evaluation library of MedProcNER 2023 prints, and the file that it writes."""

from clineval.challenges.row_set_results import Library, LibraryTask

_TITLE = "MedProcNER Shared Task: Subtask {} Results"
_SAID = "Computing evaluation scores for Task {}"
LIBRARY = Library(
    "MedProcNER",
    {
        name: LibraryTask(_TITLE.format(title), _SAID.format(f"{at} ({name})"), name, match)
        for at, (name, title, match) in enumerate(
            (
                ("ner", "1 (Named Entity Recognition)", "strict"),
                ("norm", "2 (Entity Linking)", "linked"),
                ("index", "3 (Document Indexing)", "micro"),
            ),
            1,
        )
    },
    "medprocner_results_{task}_{time}.txt",
)
COMMANDS = {"medprocner-2023": LIBRARY.command}
