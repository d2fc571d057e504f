"""The six numbers of the released program of GutBrainIE, in plain Python."""

from collections import Counter

from clineval.challenges.gutbrainie26.definition import END, LISTS


def run(gold, predicted, config):
    """The numbers, written anew from the program's description."""
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
