"""i2b2 2008: obesity and its comorbidities, judgments of each disease from two sources.

The rules are those of Uzuner (2009): a judgment of a disease is Y, N, Q or U, by what the text says
(``textual``) or by what a physician infers (``intuitive``). Judgments of all diseases count
together (``micro_``, ``macro_``) and for each disease, whose scores are then averaged
(``diseases_``). The overview's abstract does not define the macro average; here it is the mean over
the judgments that occur, and for both sources the mean of theirs.
"""

from clineval.definitions.answers import score_units
from clineval.definitions.documents import pair_documents
from clineval.definitions.rates import mean

JUDGMENTS = ("Y", "N", "Q", "U")
SOURCES = ("textual", "intuitive")


def read_judgments(document, source, *, bare=True):
    """Return the judgments of a source by disease; ``bare`` diseases name no source."""
    judgments = {}
    for name, judgment in document.items():
        named = name.startswith(tuple(f"{each} " for each in SOURCES))
        wanted = name.startswith(f"{source} ") if named else bare
        if name not in ("id", "text") and judgment and wanted:
            judgments[name.removeprefix(f"{source} ")] = judgment.upper()
    return judgments


def score_source(pairs):
    """Return the scores of pairs of judgments by disease."""
    diseases = sorted({disease for pair in pairs for side in pair for disease in side})
    units = {
        disease: [tuple(side.get(disease) for side in pair) for pair in pairs]
        for disease in diseases
    }
    scores = score_units(
        [unit for rows in units.values() for unit in rows], JUDGMENTS, several=False
    )
    each = [score_units(rows, JUDGMENTS, several=False) for rows in units.values()]
    for name in ("micro_f1", "macro_f1"):
        scores[f"diseases_{name}"] = mean([row[name] for row in each])
    return scores


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    documents = pair_documents(gold, predicted)
    if config != "default":
        return score_source([[read_judgments(side, config) for side in pair] for pair in documents])
    scores, units = {}, []
    for source in SOURCES:
        bare = source == "textual"
        pairs = [[read_judgments(side, source, bare=bare) for side in pair] for pair in documents]
        if any(side for pair in pairs for side in pair):
            scores |= {f"{source}_{key}": value for key, value in score_source(pairs).items()}
            units += [(gold.get(d), found.get(d)) for gold, found in pairs for d in gold | found]
    both = score_units(units, JUDGMENTS, several=False)
    macros = [scores[key] for source in SOURCES if (key := f"{source}_macro_f1") in scores]
    return {
        **scores,
        "macro_f1": mean(macros),
        **{key: both[key] for key in ("micro_f1", "accuracy")},
    }
