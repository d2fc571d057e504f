"""Print what the evaluation library of ToxHabits 2025 prints once its list of labels is fixed."""

from clineval.challenges.toxhabits25 import HEADERS
from clineval.programs.table_join_results import JoiningLibrary

LIBRARY = JoiningLibrary(
    "ToxHabits (its ten labels fixed)", {"ner": "default"}, HEADERS, coded=False
)
COMMANDS = {"toxhabits-2025": LIBRARY.command}
