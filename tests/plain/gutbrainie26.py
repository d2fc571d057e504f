"""GutBrainIE scored with loops and sets of tuples, by the words of the challenge's page."""

from collections import Counter

END = {"mention_relations": "text_span", "concept_relations": "uri"}
LISTS = {
    "ner": "entities",
    "nerd": "entities",
    "mention_relations": "mention_level_relations",
    "concept_relations": "concept_level_relations",
}


def tuple_of(item, config):
    """The label of an item, and the tuple that must agree."""
    if config in END:
        label = item["subject_label"], item["predicate"], item["object_label"]
        return label, (*label, *(item[f"{end}_{END[config]}"] for end in ("subject", "object")))
    link = (item["uri"] or "NA",) if config == "nerd" else ()
    place = item["location"], item["start_idx"], item["end_idx"]
    return item["label"], (item["label"], *place, *link)


def score(gold, predicted, config):
    """Counts, micro and macro scores of documents as the challenge's JSON has them."""
    counts = Counter()
    for name in gold.keys() | predicted.keys():
        golds, found = (
            {tuple_of(item, config) for item in side.get(name, {}).get(LISTS[config], [])}
            for side in (gold, predicted)
        )
        for verdict, items in (("tp", golds & found), ("fp", found - golds), ("fn", golds - found)):
            counts.update((label, verdict) for label, _ in items)
    labels = sorted({label for label, _ in counts})
    rows = [rates(*(counts[label, of] for of in ("tp", "fp", "fn"))) for label in labels]
    totals = [sum(counts[label, of] for label in labels) for of in ("tp", "fp", "fn")]
    precision, recall, mean = (sum(row[at] for row in rows) / max(len(rows), 1) for at in range(3))
    both = precision + recall
    return {
        **dict(zip(("micro_tp", "micro_fp", "micro_fn"), totals, strict=True)),
        **dict(zip(("micro_precision", "micro_recall", "micro_f1"), rates(*totals), strict=True)),
        "macro_precision": precision,
        "macro_recall": recall,
        "macro_f1": 2 * precision * recall / both if both else 0,
        "mean_f1": mean,
    }


def rates(tp, fp, fn):
    precision = tp / (tp + fp) if tp + fp else 0
    recall = tp / (tp + fn) if tp + fn else 0
    return precision, recall, 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0


def run(gold, predicted, config):
    """The six numbers of the released program, written anew from its description."""
    names = {"ner": ("start_idx", "end_idx", "location", "text_span", "label")}
    names["nerd"] = (*names["ner"], "uri")
    for kind, end in END.items():
        names[kind] = (
            f"subject_{end}",
            "subject_label",
            "predicate",
            f"object_{end}",
            "object_label",
        )
    golds, found, right = Counter(), Counter(), Counter()
    for name, document in gold.items():
        listed = [tuple(map(item.get, names[config])) for item in document[LISTS[config]]]
        kept = thin(predicted.get(name, {}).get(LISTS[config], []), config)
        said = {tuple(map(item.get, names[config])) for item in kept}
        golds.update(label_of(each, config) for each in listed)
        found.update(label_of(each, config) for each in said)
        right.update(label_of(each, config) for each in said & {*listed})
    rows = [rate(right[label], found[label], golds[label]) for label in golds]
    known = [sum(counts[label] for label in golds) for counts in (right, found, golds)]
    return [sum(row[at] for row in rows) / len(rows) for at in range(3)] + [*rate(*known)]


def label_of(each, config):
    return (each[1], each[2], each[4]) if config in END else each[4]


def thin(items, config):
    """Without repeats, and of entities that overlap in a chain only the longest."""
    if config in END:
        return items
    kept, best = {}, []
    for item in items:
        kept.setdefault((item["start_idx"], item["end_idx"], item["location"]), item)
    for part in ("title", "abstract"):
        chain, end = [], None
        for start, last, _ in sorted(
            (key for key in kept if key[2] == part), key=lambda key: key[0]
        ):
            if chain and start >= end:
                best.append(max(chain, key=lambda key: key[1] - key[0]))
                chain, end = [], None
            chain.append((start, last, part))
            end = last if end is None else max(end, last)
        best += [max(chain, key=lambda key: key[1] - key[0])] if chain else []
    return [kept[key] for key in best]


def rate(tp, found, gold):
    precision, recall = tp / (found + 1e-10), tp / (gold + 1e-10)
    return precision, recall, 2 * precision * recall / (precision + recall + 1e-10)
