"""Events of any scheme: triggers with arguments, of data that belong to no challenge.

The scores are those of n2c2 2022 Track 2 for the types and arguments of the data. A type is the
label of a mention from which relations lead, an argument has the name of its role. Arguments count
by their value if half of the gold arguments with their label have one, and else by their span.
"""

from collections import Counter

from clineval.definitions.documents import pair_documents
from clineval.definitions.events import count_events, key_of, read_events
from clineval.definitions.rates import mean, name_scores, rate


def find_types(documents):
    """Return the labels of mentions from which relations lead, in any of the documents."""
    return {
        mention["label"]
        for document in documents
        for mention in document.get("mentions", ())
        if any(relation["from"] == mention["id"] for relation in document.get("relations", ()))
    }


def find_labelled(golds):
    """Return the labels whose gold arguments have a value, half of them or more."""
    arguments = [a for events in golds for event in events for a in event["arguments"]]
    every = Counter(argument["label"] for argument in arguments)
    valued = Counter(a["label"] for a in arguments if a.get("value", "no") != "no")
    return {label for label in every if 2 * valued[label] >= every[label]}


def mean_f1(counts, types, part=""):
    """Return the mean F1 of the types that occur, or of their triggers."""
    rows = [counts.get(key_of(label, *filter(None, [part])), (0, 0, 0)) for label in types]
    return mean([rate(*row)[2] for row in rows if any(row)])


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    types = find_types([*gold, *predicted])
    documents = [
        [read_events(document, types, roles=True) for document in pair]
        for pair in pair_documents(gold, predicted)
    ]
    counts = count_events(documents, find_labelled([events for events, _ in documents]))
    scores = {}
    for row, values in counts.items():
        scores |= name_scores(row, *values)
    for name, part in (("macro_overall_f1", ""), ("macro_trigger_f1", "trigger")):
        scores[name] = mean_f1(counts, sorted(types), part)
    return scores
