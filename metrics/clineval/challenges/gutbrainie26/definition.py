"""GutBrainIE 2026: entities, their URIs, and relations of the gut-brain axis.

The rules are those of the challenge's page of 2026, Evaluation: tuples of a document are compared
as sets. Micro F1 ranks systems; macro F1 is the harmonic mean of macro precision and recall, and
``mean_f1`` the mean of the labels' F1. A missing URI is NA and equals another one.
"""

from collections import Counter

from clineval.definitions.documents import pair_documents
from clineval.definitions.rates import add_rows, divide, mean, name_scores, rate

END = {"mention_relations": "text_span", "concept_relations": "uri"}
"""The key that identifies an end of a relation."""
LISTS = {
    "ner": "entities",
    "nerd": "entities",
    "mention_relations": "mention_level_relations",
    "concept_relations": "concept_level_relations",
}


def tuple_of(item, config):
    """Return the label of an item, and the tuple that must agree."""
    if config in END:
        label = item["subject_label"], item["predicate"], item["object_label"]
        ends = (item[f"{end}_{END[config]}"] for end in ("subject", "object"))
        return label, (
            *label,
            *((end or "NA") if config == "concept_relations" else end for end in ends),
        )
    link = (item["uri"] or "NA",) if config == "nerd" else ()
    return item["label"], (
        item["label"],
        item["location"],
        item["start_idx"],
        item["end_idx"],
        *link,
    )


def count(documents, config):
    """Return label to tp, fp and fn of pairs of documents."""
    counts = Counter()
    for pair in documents:
        golds, found = (
            {tuple_of(item, config) for item in document.get(LISTS[config], ())}
            for document in pair
        )
        for verdict, items in (("tp", golds & found), ("fp", found - golds), ("fn", golds - found)):
            counts.update((label, verdict) for label, _ in items)
    labels = sorted({label for label, _ in counts})
    return {label: [counts[label, verdict] for verdict in ("tp", "fp", "fn")] for label in labels}


def score(documents, config):
    """Return the scores of a subtask."""
    counts = count(documents, config)
    rows = [rate(*row) for row in counts.values()]
    precision, recall, f1 = (mean([row[column] for row in rows]) for column in range(3))
    return {
        **name_scores("micro", *add_rows(list(counts.values()))),
        "macro_precision": precision,
        "macro_recall": recall,
        "macro_f1": divide(2 * precision * recall, precision + recall),
        "mean_f1": f1,
    }


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as the challenge's JSON contains them, each with its id."""
    documents = pair_documents(gold, predicted)
    if config != "default":
        return score(documents, config)
    return {
        f"{task}_{key}": value for task in LISTS for key, value in score(documents, task).items()
    }
