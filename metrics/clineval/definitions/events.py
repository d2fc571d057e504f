"""Events, triggers with arguments: n2c2 2022 Track 2, and events of any scheme.

An event is a dict with the label and the spans of its trigger and a list of arguments, dicts with a
label, spans, and a value if they have one. Triggers and arguments are the units. Labelled arguments
count by their value, all others by their span.
"""

from collections import Counter
from itertools import product

from clineval.definitions.documents import characters_of, fragments_of
from clineval.definitions.pairings import best_pairing

USUAL = {"trigger": "overlap", "span": "exact", "labeled": "label"}
"""How places of triggers, of span arguments and of labelled arguments are compared."""
OWN = ("id", "spans", "label", "text")
"""Keys of a mention that are no attributes."""


def read_events(document, types, *, roles):
    """Return the events of a document of JSON Lines: mentions with one of the types.

    Their relations lead to their arguments, which have the label of the relation (``roles``), or
    that of the mention. With roles, attributes of the trigger are arguments at its place.
    """
    mentions = {mention["id"]: mention for mention in document.get("mentions", ())}
    arguments = {}
    for relation in document.get("relations", ()):
        target = mentions[relation["to"]]
        values = [f"{value}" for name, value in target.items() if name not in OWN]
        argument = {"spans": target["spans"], **({"value": values[0]} if values else {})}
        label = relation["label"] if roles else target["label"]
        arguments.setdefault(relation["from"], []).append({**argument, "label": label})
    for mention in mentions.values() if roles else ():
        for name in mention.keys() - {*OWN}:
            own = {"label": name, "spans": mention["spans"], "value": mention[name]}
            arguments.setdefault(mention["id"], []).append(own)
    return [
        {**mention, "arguments": arguments.get(name, [])}
        for name, mention in mentions.items()
        if mention["label"] in types
    ]


def value_of(argument, labelled):
    """Return the value of a labelled argument, "no" if there is none; None for a span argument."""
    return (argument.get("value") or "no") if argument["label"] in labelled else None


def same_place(one, other, criterion):
    """Compare the places of two units by one of the criteria."""
    if criterion in ("label", "min_dist"):
        return True
    if criterion == "exact":
        return fragments_of(one) == fragments_of(other)
    return bool(characters_of(one) & characters_of(other))


def may_pair(one, other, labelled, criteria, same_place=same_place):
    """Check whether two arguments stand for each other."""
    if one["label"] != other["label"] or value_of(one, labelled) != value_of(other, labelled):
        return False
    return same_place(one, other, criteria["labeled" if one["label"] in labelled else "span"])


def right_arguments(gold, found, labelled, criteria):
    """Return the gold arguments of two events that are right: as many as there can be."""
    golds, founds = (
        [{"spans": event["spans"], **argument} for argument in event["arguments"]]
        for event in (gold, found)
    )
    possible = {
        (g, f): (1,)
        for (g, one), (f, other) in product(enumerate(golds), enumerate(founds))
        if may_pair(one, other, labelled, criteria)
    }
    return [golds[g] for g, _ in best_pairing(possible)]


def pair_events(golds, founds, labelled, criteria):
    """Return the gold events that are paired, each with its arguments that are right.

    As many events as possible are paired, then those with most right arguments, then those whose
    triggers share most characters, then those with most right arguments of each label and value.
    """
    right = {
        (g, f): right_arguments(one, other, labelled, criteria)
        for (g, one), (f, other) in product(enumerate(golds), enumerate(founds))
        if one["label"] == other["label"] and same_place(one, other, criteria["trigger"])
    }

    def kind_of(argument):
        return argument["label"], value_of(argument, labelled) or "no"

    kinds = sorted({kind_of(argument) for arguments in right.values() for argument in arguments})
    worth = {}
    for (g, f), arguments in right.items():
        shared = len(characters_of(golds[g]) & characters_of(founds[f]))
        of_kinds = [[*map(kind_of, arguments)].count(kind) for kind in kinds]
        anywhere = criteria["trigger"] == "min_dist"
        worth[g, f] = (1, len(arguments), 0 if anywhere else shared, *of_kinds)
    return [(golds[g], right[g, f]) for g, f in best_pairing(worth)]


def key_of(*names):
    """Return the name of a row of the results."""
    return "_".join(name.lower().replace(" ", "_") for name in names)


def rows_of(event, arguments, labelled):
    """Yield the rows that count the units of an event."""
    label = event["label"]
    yield from ("overall", "trigger", key_of(label), key_of(label, "trigger"))
    for argument in arguments:
        name, value = argument["label"], value_of(argument, labelled)
        yield from ("overall", key_of(label), key_of(label, name))
        yield "span" if value is None else "labelled"
        if value not in (None, "no"):
            yield key_of(label, name, value)


def count_events(documents, labelled, criteria=USUAL, pair=pair_events):
    """Return row to tp, fp and fn of pairs of documents, which are lists of events."""
    right, golds, founds = Counter(), Counter(), Counter()
    for gold, found in documents:
        pairs = pair(gold, found, labelled, criteria)
        for counter, events in (
            (right, pairs),
            (golds, [(event, event["arguments"]) for event in gold]),
            (founds, [(event, event["arguments"]) for event in found]),
        ):
            for event, arguments in events:
                counter.update(rows_of(event, arguments, labelled))
    return {
        row: (right[row], founds[row] - right[row], golds[row] - right[row])
        for row in golds | founds
    }
