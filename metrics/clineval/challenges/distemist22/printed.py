"""Stand-in for the evaluation library of DisTEMIST 2022."""

from clineval.challenges.distemist22 import HEADERS
from clineval.programs.table_join_results import JoiningLibrary

LIBRARY = JoiningLibrary("DisTEMIST", {"ner": "ner", "norm": "norm"}, HEADERS)
COMMANDS = {"distemist-2022": LIBRARY.command}
