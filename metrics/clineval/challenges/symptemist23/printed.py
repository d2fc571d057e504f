"""Write what the evaluation library of SympTEMIST 2023 writes, including its misplaced cells."""

from clineval.programs import row_set_results as results
from clineval.results.scorable import Counts

_SAID = "Computing evaluation scores for Task"
_OVERLAP = "Precision (overlap): {}\nRecall  (overlap): {}\nF-score  (overlap): {}\n"
_MENTIONS = (
    results.RULE
    + "    Results for document: {}\n    " + results.RULE
    + "    Precision: {}\n    Recall: {}\n    F-score: {}\n    "
)  # fmt: skip
_LINKS = f"{results.RULE}Results for document: {{}}\n{results.RULE}Accuracy: {{}}\n{' ' * 28}"
_ALL = "Micro-average precision: {}\nMicro-average recall: {}\nMicro-average F-score: {}\n"


def format_results(title: str, counts: Counts, match: str, *, verbose: bool) -> str:
    """Format the results file; if ``verbose``, with the scores of each document."""
    parts = [results.RULE, f"{title}\n", results.RULE]
    linked = match == "linked"
    overlaps = {} if linked else dict(results.list_documents(counts, "lenient"))
    for name, row in results.list_documents(counts, match) if verbose else ():
        scores = results.measure(*row)
        parts.append(_LINKS.format(name, scores[1]) if linked else _MENTIONS.format(name, *scores))
        if not linked:  # the library passes one value too many, so cells move by one place
            parts.append(_OVERLAP.format(name, *results.measure(*overlaps[name])))
    parts += [results.RULE, "Overall results:\n", results.RULE]
    total = results.measure(*results.add_up(counts, match))
    if linked:
        return "".join([*parts, f"Accuracy: {total[1]}\n"])
    near = results.measure(*results.add_up(counts, "lenient"))
    return "".join([*parts, _ALL.format(*total), _OVERLAP.format(*near)])


LIBRARY = results.Library(
    "SympTEMIST",
    {
        "ner": ("1 (Named Entity Recognition)", f"{_SAID} 1 (ner)"),
        "norm": ("2 (Entity Linking)", f"{_SAID} 2 (norm)"),
        "multi": ("3 (Multilingual Experimental Normalization)", f"{_SAID} 3 (multilingual)"),
    },
    "symptemist_results_{task}_{run}_{time}.txt",
    format_results,
)
COMMANDS = {"symptemist-2023": LIBRARY.command}
