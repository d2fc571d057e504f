"""Clinical TempEval: times and events with their properties, and what contains what.

The rules are those of Bethard et al. (2016, 2017) and the tasks' pages. Times and events are right
if their fragments are, and a property if it is right at the same fragments; ``_all`` requires the
properties of the task together. CONTAINS links are also right if they follow from other links of
their side.
"""

from clineval.definitions import closure
from clineval.definitions.documents import fragments_of, pair_documents
from clineval.definitions.rates import name_scores

PROPERTIES = {
    "TIMEX3": ("class",),
    "EVENT": (
        "doctimerel", "type", "degree", "polarity", "contextualmodality", "contextualaspect",
        "permanence",
    ),
}  # fmt: skip
TASK = {"TIMEX3": ("class",), "EVENT": ("type", "degree", "polarity", "contextualmodality")}


def list_units(document):
    """Return the units of each row of the results."""
    rows = {}
    for label, names in PROPERTIES.items():
        own = [mention for mention in document.get("mentions", ()) if mention["label"] == label]
        word = label.lower()
        rows[f"{word}_span"] = {fragments_of(mention) for mention in own}
        rows[f"{word}_all"] = {
            (fragments_of(mention), *(mention.get(name, "") for name in TASK[label]))
            for mention in own
        }
        for name in names:
            rows[f"{word}_{name}"] = {
                (fragments_of(mention), mention[name]) for mention in own if mention.get(name)
            }
    return rows


def list_links(document):
    """Return the containers and what they contain, by their places."""
    places = {mention["id"]: fragments_of(mention) for mention in document.get("mentions", ())}
    return {
        (places[link["from"]], places[link["to"]], False)
        for link in document.get("relations", ())
        if link["label"] == "CONTAINS"
    }


def count(golds, systems):
    """Return the counts of all documents."""
    total = {}
    for gold, system in pair_documents(golds, systems):
        counts = closure.count(list_links(gold), list_links(system))
        found = list_units(system)
        for row, units in list_units(gold).items():
            counts[f"{row}_tp"] = len(units & found[row])
            counts[f"{row}_fp"] = len(found[row] - units)
            counts[f"{row}_fn"] = len(units - found[row])
        for key, number in counts.items():
            total[key] = total.get(key, 0) + number
    return total


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    counts = count(gold, predicted)
    scores = closure.score_links(counts)
    for row in list_units({}):
        scores |= name_scores(
            row, *(counts.get(f"{row}_{verdict}", 0) for verdict in ("tp", "fp", "fn"))
        )
    if config == "default":
        return scores
    return {key: of for key, of in scores.items() if key.startswith("links") == (config == "links")}
