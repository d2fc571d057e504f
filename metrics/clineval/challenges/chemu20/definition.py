"""ChEMU 2020: compounds and conditions in chemical patents, and the arguments of reaction steps.

The rules are those of He et al. (2021) and of the readme of brateval. Entities match with the same
fragments (``exact``), with a character in common (``overlap``), or with similar words besides
(``approx``): their edit distance is at most (1 - threshold) of the longer ones. Relations match if
both ends do. The document does not say which of several matches count; here as many as possible.
"""

from fractions import Fraction

from clineval.definitions.documents import characters_of, fragments_of, pair_documents
from clineval.definitions.pairings import count_largest
from clineval.definitions.rates import add_rows, mean_rates, name_rates, name_scores

MODES = ("exact", "overlap", "approx")
LABELS = {
    "entities": (
        "EXAMPLE_LABEL", "REACTION_PRODUCT", "STARTING_MATERIAL", "REAGENT_CATALYST", "SOLVENT",
        "OTHER_COMPOUND", "TIME", "TEMPERATURE", "YIELD_OTHER", "YIELD_PERCENT", "REACTION_STEP",
        "WORKUP",
    ),
    "relations": ("ARG1", "ARGM"),
}  # fmt: skip
KINDS = tuple(LABELS)


def distance(one, other):
    """Return the number of letters to insert, delete or replace."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, wanted in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != wanted))
    return row[-1]


def match(one, other, mode, threshold):
    """Check whether the places, and for ``approx`` the words, of two entities match."""
    if fragments_of(one) == fragments_of(other):
        return True
    if mode == "exact" or not characters_of(one) & characters_of(other):
        return False
    longer = max(len(one["text"]), len(other["text"]))
    allowed = (1 - Fraction(str(threshold))) * longer
    return mode == "overlap" or distance(one["text"], other["text"]) <= allowed


def read(document):
    """Return the distinct entities and relations: of equal entities, the first words count."""
    known, mentions = {}, document.get("mentions", ())
    for mention in sorted(mentions, key=lambda mention: mention["text"]):
        known.setdefault((mention["label"], fragments_of(mention)), mention)
    keys = {m["id"]: (m["label"], fragments_of(m)) for m in mentions}
    links = {(r["label"], keys[r["from"]], keys[r["to"]]) for r in document.get("relations", ())}
    relations = [
        {"label": label, "ends": (known[one], known[two])} for label, one, two in sorted(links)
    ]
    return {"entities": list(known.values()), "relations": relations}


def fits(one, other, mode, types, threshold):
    """Check whether two entities, or two relations with their ends, match."""
    labels = one["label"] == other["label"]
    if "ends" not in one:
        return (types == "any" or labels) and match(one, other, mode, threshold)
    pairs = zip(one["ends"], other["ends"], strict=True)
    return labels and all(fits(*pair, mode, types, threshold) for pair in pairs)


def count(documents, kind, mode, types="exact", threshold=0.8, find=count_largest):  # noqa: PLR0913, PLR0917
    """Return tp, fp and fn of each label, and of all under None, of pairs of documents.

    If types do not matter, there is no count of single labels.
    """
    rows = {}
    for pair in documents:
        golds, systems = (read(document)[kind] for document in pair)
        for label in (None, *(LABELS[kind] if types == "exact" else ())):
            left, right = ([a for a in s if label in (None, a["label"])] for s in (golds, systems))
            edges = [
                [number for number, b in enumerate(right) if fits(a, b, mode, types, threshold)]
                for a in left
            ]
            tp = find(edges, len(right))
            rows.setdefault(label, []).append((tp, len(right) - tp, len(left) - tp))
    return {label: add_rows(counts) for label, counts in rows.items()}


def score_documents(gold, predicted, config="default", types="exact", threshold=0.8):
    """Return the scores of documents as JSON Lines contain them, with the words of mentions."""
    documents = pair_documents(gold, predicted)
    scores = {}
    for kind in KINDS if config == "default" else (config,):
        prefix = f"{kind}_" if config == "default" else ""
        for mode in MODES:
            counts = count(documents, kind, mode, types, threshold)
            scores |= name_scores(f"{prefix}{mode}", *counts.pop(None))
            for label, row in counts.items():
                scores |= name_scores(f"{label.lower()}_{mode}", *row)
            scores |= name_rates(f"macro_{prefix}{mode}", mean_rates(counts.values()))
    return scores
