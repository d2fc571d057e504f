"""Clinical TempEval in plain Python, by the words of its definition, with no thought of speed.

A document is a dict as ``clineval.score`` takes it.
"""

from plain import closure

PROPERTIES = {
    "TIMEX3": ("class",),
    "EVENT": (
        "doctimerel", "type", "degree", "polarity", "contextualmodality", "contextualaspect",
        "permanence",
    ),
}  # fmt: skip
TASK = {"TIMEX3": ("class",), "EVENT": ("type", "degree", "polarity", "contextualmodality")}


def place(mention):
    return frozenset(map(tuple, mention["spans"]))


def list_units(document):
    """Row to its units."""
    rows = {}
    for label, names in PROPERTIES.items():
        own = [mention for mention in document["mentions"] if mention["label"] == label]
        word = label.lower()
        rows[f"{word}_span"] = {place(mention) for mention in own}
        rows[f"{word}_all"] = {
            (place(mention), *(mention.get(name, "") for name in TASK[label])) for mention in own
        }
        for name in names:
            rows[f"{word}_{name}"] = {
                (place(mention), mention[name]) for mention in own if mention.get(name)
            }
    return rows


def list_links(document):
    places = {mention["id"]: place(mention) for mention in document["mentions"]}
    return {
        (places[link["from"]], places[link["to"]], False)
        for link in document["relations"]
        if link["label"] == "CONTAINS"
    }


def count(golds, systems):
    """The counts of all documents."""
    total = {}
    for gold, system in zip(golds, systems, strict=True):
        counts = closure.count(list_links(gold), list_links(system))
        found = list_units(system)
        for row, units in list_units(gold).items():
            counts[f"{row}_tp"] = len(units & found[row])
            counts[f"{row}_fp"] = len(found[row] - units)
            counts[f"{row}_fn"] = len(units - found[row])
        for key, number in counts.items():
            total[key] = total.get(key, 0) + number
    return total
