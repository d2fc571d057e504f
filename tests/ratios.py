"""What each ratio of a score is, of the counts that stand beside it; by the modules' formulas."""

from clineval.challenges.chemu20.measures import LABELS as CHEMU
from clineval.challenges.i2b2_2006_smoking import STATUSES
from clineval.challenges.i2b2_2008_obesity.measures import DISEASES, JUDGMENTS
from clineval.challenges.i2b2_2010.lines import LABELS
from clineval.challenges.i2b2_2014_deid.spec import CATEGORIES
from clineval.challenges.i2b2_2014_risk.tags import VALUES as TAGS
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA
from clineval.challenges.n2c2_2022_cmed.definition import GROUPS as CMED
from clineval.results.averages import label_key

MEASURES = ("precision", "recall", "f1")
PHRASES = ("correct", "incorrect", "partial", "spurious", "missing")
PAIRED = ("partial", "type")  # of SemEval-2013 Task 9, whose pairs need not be right
EQUAL, SHARED = ("tp", "fp", "fn"), ("gold", "predicted")
SLOTS = 9  # of SemEval-2015 Task 14, the code among them


def over(top, bottom):
    return top / bottom if bottom else 0.0


def prf(measure, right, found, there):
    """Of what is right, of all that was found, and of all that is there."""
    return {
        "precision": over(right, found),
        "recall": over(right, there),
        "f1": over(2 * right, found + there),
    }[measure]


def labels_of(name, mean, row):
    """The rows of labels of which a mean is taken, such as ``strict`` or ``concepts_strict``."""
    group, _, match = mean.rpartition("_")
    if name == "i2b2_2010":
        return [f"{label_key(label)}_{match}" for label in LABELS[group]]
    if name == "n2c2_2022_cmed":
        return [f"{row}_{match}" for row in CMED[group]]
    if name == "chemu20":
        kind = group or ("relations" if "arg1_exact_tp" in row else "entities")
        return [f"{label_key(label)}_{match}" for label in CHEMU[kind]]
    if name == "clinical_events":
        triggers = [key.removesuffix("_tp") for key in row if key.endswith("_trigger_tp")]
        return [key.removesuffix("_trigger") if mean == "overall" else key for key in triggers]
    listed = {
        "bc5cdr": [f"{label}_{mean}" for label in ("disease", "chemical")],
        "i2b2_2014_risk": [tag.lower() for tag in TAGS],
        "i2b2_2014_deid": [f"{category.lower()}_{mean}" for category in CATEGORIES],
    }
    if name in listed:
        return listed[name]
    return [key.removesuffix("_tp") for key in row if key.endswith(f"_{mean}_tp")]


def mean_of(row, counts):
    """A mean over those scores of which either side has something, or all where the row says so.

    ``counts`` are those of each score.
    """
    every = row.get("counted_rows") or row.get("counted_fields")  # as some released programs do
    there = [score for score, of in counts.items() if every or any(row[count] for count in of)]
    return over(sum(row[score] for score in there), len(there))


def name_counts(score, names):
    return [f"{score}_{name}" for name in names]


def share_of(field, measure, row):
    """A mean over the records that say something in a field, or F1 of the two means."""
    precision = over(row[f"{field}_precision_sum"], row[f"{field}_predicted"])
    recall = over(row[f"{field}_recall_sum"], row[f"{field}_gold"])
    f1 = over(2 * precision * recall, precision + recall)
    return {"precision": precision, "recall": recall, "f1": f1}[measure]


def follow(name, key, row, *, absent=False):
    """The values of a ratio by all counts of its row that it follows from; none of a count.

    ``absent``: whether classes that neither side has count in means.
    """
    if name == "n2c2_2018_track1":
        found = follow_cohort(key, row, absent=absent)
    elif name == "clinical_tempeval":
        found = follow_units(key, row, absent=absent)
    elif name == "i2b2_2012_temporal":
        return [of for of in [follow_temporal(key, row)] if of is not None]
    else:
        found = follow_classes(CLASSES[name], key, row) if name in CLASSES else None
    return follow_formula(name, key, row) if found is None else [found]


def follow_temporal(key, row):
    """Rates and attributes of entities and links; the program counts them under other names."""
    prefix, _, measure = key.rpartition("_")
    kind, _, rest = key.partition("_")
    if f"{kind}_n_gold" in row:
        gold, system, right, found = (
            row[f"{kind}_n_{name}"] for name in ("gold", "system", "right_system", "right_gold")
        )
        if measure == "average":
            return over(right + found, system + gold)
        attributes = {
            name: row.get(f"{kind}_n_{name}") for name in (rest, rest[: -len("_accuracy")])
        }
        units = gold, row.get(f"{kind}_n_found")
    else:
        lenient = prefix.removesuffix("_partial")
        own = f"{lenient}_gold" if f"{lenient}_gold_tp" in row else lenient
        system, gold = (
            row.get(f"{of}_tp", 0) + row.get(f"{of}_{lost}", 0)
            for of, lost in ((lenient, "fp"), (own, "fn"))
        )
        right, found = (row.get(f"{of}_tp", 0) for of in (lenient, own))
        if prefix != lenient:
            right = found = (right + row[f"{lenient}_exact_tp"]) / 2
        attributes = {
            name: row.get(f"{kind}_{name}_right") for name in (rest, rest[: -len("_accuracy")])
        }
        pairs = row.get(f"{kind}_tp", 0)
        units = pairs + row.get(f"{kind}_fn", 0), pairs
    if measure in MEASURES:
        precision, recall = over(right, system), over(found, gold)
        rates = precision, recall, over(2 * precision * recall, precision + recall)
        return dict(zip(("precision", "recall", "f1"), rates, strict=True))[measure]
    known = [
        over(of, unit)
        for of, unit in zip(attributes.values(), units, strict=True)
        if of is not None
    ]
    return known[0] if known else None


def follow_units(key, row, *, absent):
    """P, R and F1 of units; those of links that follow differ by side. Without units: 1, or 0."""
    prefix, _, measure = key.rpartition("_")
    if measure not in MEASURES:
        return None
    own = f"{prefix}_gold" if f"{prefix}_gold_tp" in row else prefix
    found, gold = row[f"{prefix}_tp"] + row[f"{prefix}_fp"], row[f"{own}_tp"] + row[f"{own}_fn"]
    precision = over(row[f"{prefix}_tp"], found) if found or not absent else 1
    recall = over(row[f"{own}_tp"], gold) if gold or not absent else 1
    f1 = over(2 * precision * recall, precision + recall)
    return {"precision": precision, "recall": recall, "f1": f1}[measure]


def follow_formula(name, key, row):  # noqa: PLR0911 - each kind of mean has its own
    prefix, _, measure = key.rpartition("_")
    if key in ("average_f1", "overall_score") or f"{prefix}_documents" in row:
        return [of_documents_or_parts(key, prefix, row)]
    if name in ("drugprot21", "chemprot17") and prefix == "macro":  # over the types of gold
        types = {count.removesuffix("_tp") for count in row if count.endswith("_tp")} - {"micro"}
        of_gold = {f"{of}_{measure}": name_counts(of, ("tp", "fn")) for of in types}
        return [mean_of(row, of_gold)]
    if key.startswith("macro_"):
        labels = labels_of(name, prefix.removeprefix("macro_"), row)
        return [mean_of(row, {f"{of}_{measure}": name_counts(of, EQUAL) for of in labels})]
    if prefix == "fields_mean":
        own = ("records_match_tp", "records_exact_tp")
        fields = {count.removesuffix("_tp"): EQUAL for count in row
                  if count.endswith("_tp") and count not in own}  # fmt: skip
        fields |= {count.removesuffix("_recall_sum"): SHARED for count in row
                   if count.endswith("_recall_sum")}  # fmt: skip
        return [mean_of(row, {f"{of}_{measure}": name_counts(of, names)
                              for of, names in fields.items()})]  # fmt: skip
    if f"{prefix}_precision_sum" in row:
        return [share_of(prefix, measure, row)]
    if measure == "accuracy" or key.startswith("f1_x"):
        return [accuracy(key, prefix, row)]
    counts = counts_of(prefix, row) if measure in MEASURES else ()
    return [prf(measure, *each) for each in counts]


def of_documents_or_parts(key, prefix, row):
    """A mean over documents, or over some other scores."""
    if key == "overall_score":
        main = [row[of] for of in ("strict_micro_f1", "micro_f1") if of in row]
        return sum(main) / len(main)
    if key == "average_f1":
        fields = dict.fromkeys(("description", "reason", "provenance"), SHARED)
        fields["order_type"] = EQUAL
        return mean_of(row, {f"{of}_f1": name_counts(of, names) for of, names in fields.items()})
    return over(row[f"{key}_sum"], row[f"{prefix}_documents"])


def counts_of(prefix, row):
    """What is right, what was found, and what is there."""
    if f"{prefix}_cor" in row:
        right = row[f"{prefix}_cor"] + row[f"{prefix}_par"] / 2
        yield right, row[f"{prefix}_actual"], row[f"{prefix}_possible"]
    if f"{prefix}_tp" in row and prefix not in PAIRED:
        right, spurious, missed = (row[f"{prefix}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        yield right, right + spurious, right + missed
    if prefix == "exact_horizontal_system":
        yield tuple(row[f"exact_horizontal_{of}"] for of in ("shared", "system", "gold"))
    kinds = (prefix,) if prefix else ("phrases", "relations")
    if any(f"{of}_correct" in row for of in kinds):
        counts = [sum(row.get(f"{of}_{kind}", 0) for of in kinds) for kind in PHRASES]
        correct, incorrect, partial, spurious, missing = counts
        pairs = correct + incorrect + partial
        yield correct + partial / 2, pairs + spurious, pairs + missing


def accuracy(key, prefix, row):
    if key.startswith("f1_x"):
        return row["span_f1"] * row[key.removeprefix("f1_x_")]
    if key == "accuracy":
        return over(row["equal_slots"], SLOTS * row["span_tp"])
    if key == "value_accuracy":
        row = {"correct": row["micro_tp"], "total": row["concept_tp"]}
    if key == "linked_accuracy":
        row = {"correct": row["linked_tp"], "total": row["linked_tp"] + row["linked_fn"]}
    if key == "weighted_accuracy":
        return over(row["weighted_accuracy_sum"], row["span_tp"])
    if prefix.endswith("_weighted"):
        slot = prefix.removesuffix("_weighted")
        return over(row[f"{slot}_equal_weight"], row[f"{slot}_weight"])
    if f"{prefix}_equal" in row:
        return over(row[f"{prefix}_equal"], row["span_tp"])
    right = row["correct"] if "correct" in row else row[f"{prefix}_correct"]
    return over(right, row.get(f"{prefix}_total", row.get("total")))


_JUDGMENTS = {
    "": tuple(map(label_key, JUDGMENTS["textual"])),
    **{f"{source}_": tuple(map(label_key, values)) for source, values in JUDGMENTS.items()},
}
"""Obesity's judgments, by the beginning of the keys of a source."""
CLASSES = {
    "clinical_classes": {
        "chest_pain_": ("no", "yes"),
        "smoking_": ("current", "never", "past", "unknown"),
        "": ("current", "never", "no", "past", "unknown", "yes"),
    },
    "i2b2_2006_smoking": {"": tuple(map(label_key, STATUSES))},
    "i2b2_2008_obesity": {
        f"{begin}{disease}": values
        for begin, values in sorted(_JUDGMENTS.items(), reverse=True)
        for disease in (*(f"{label_key(disease)}_" for disease in DISEASES), "")
    },
}  # fmt: skip
"""The questions of modules, or of their demos, and the classes."""


def follow_classes(classes, key, row):
    """A score of all classes of a question, or their specificity; None for other scores."""
    begin, diseases, score = key.rpartition("diseases_")
    sources = [row[f"{source}_macro_f1"] for source in JUDGMENTS if f"{source}_macro_f1" in row]
    if diseases:
        return average_diseases(classes, begin, score, row)
    if sources and key == "macro_f1":
        return over(sum(sources), len(sources))
    prefix = next(prefix for prefix in classes if key.startswith(prefix))
    counts = {
        value: [row[f"{prefix}{value}_{verdict}"] for verdict in EQUAL]
        for value in classes[prefix]
        if f"{prefix}{value}_tp" in row  # each configuration has its own
    }
    name, size = key.removeprefix(prefix), row.get(f"{prefix}questions")
    if name.startswith("majority_"):
        parts = [own for own in classes if own == prefix or (own and not prefix)]
        return guess(classes, [own for own in parts if own or len(parts) == 1], name, row)
    average, _, measure = name.partition("_")
    if name.startswith("macro_all_"):
        average, measure = "all", name.removeprefix("macro_all_")
    if average in ("macro", "weighted", "all") and measure in MEASURES:
        return average_classes(average, measure, counts)
    if name.endswith("_specificity"):
        tp, fp, fn = counts[name.removesuffix("_specificity")]
        return over(size - tp - fp - fn, size - tp - fn)
    formulas = {"balanced_accuracy": balance, "accuracy": share_right, "kappa": kappa, "mcc": mcc,
                "macro_f1_of_means": combine_means}  # fmt: skip
    return formulas[name]([*counts.values()], size) if name in formulas else None


def average_classes(average, measure, counts):
    weights, scores = {}, {}
    for value, (tp, fp, fn) in counts.items():
        some = average == "all" or bool(tp + fp + fn)
        weights[value] = tp + fn if average == "weighted" else some
        scores[value] = prf(measure, tp, tp + fp, tp + fn)
    return over(sum(scores[v] * weights[v] for v in scores), sum(weights.values()))


def combine_means(counts, _size):
    """F1 of the means of precision and recall over the classes."""
    each = dict(enumerate(counts))
    precision, recall = (average_classes("macro", of, each) for of in MEASURES[:2])
    return over(2 * precision * recall, precision + recall)


def average_diseases(classes, begin, score, row):
    """The mean over the diseases of a source that either side has."""
    means = []
    for prefix in [f"{begin}{label_key(disease)}_" for disease in DISEASES]:
        if any(row[f"{prefix}micro_{verdict}"] for verdict in EQUAL):
            found = follow_classes(classes, f"{prefix}{score}", row)
            means += [found] if found is not None else follow_formula("", f"{prefix}{score}", row)
    return over(sum(means), len(means))


def balance(counts, _size):
    recalls = [tp / (tp + fn) for tp, _, fn in counts if tp + fn]
    return over(sum(recalls), len(recalls))


def share_right(counts, size):
    return over(sum(tp for tp, *_ in counts), size)


def sizes_of(counts, size):
    """The gold and the predicted answers of each class, and the questions without an answer."""
    golds, founds = [tp + fn for tp, _, fn in counts], [tp + fp for tp, fp, _ in counts]
    return [*golds, size - sum(golds)], [*founds, size - sum(founds)]


def kappa(counts, size):
    chance = sum(g * p for g, p in zip(*sizes_of(counts, size), strict=True))
    return over(size * sum(tp for tp, *_ in counts) - chance, size * size - chance)


def mcc(counts, size):
    both = sizes_of(counts, size)
    chance = sum(g * p for g, p in zip(*both, strict=True))
    spread = [size * size - sum(n * n for n in of) for of in both]
    right = sum(tp for tp, *_ in counts)
    return over(size * right - chance, (spread[0] * spread[1]) ** 0.5)


def guess(classes, prefixes, name, row):
    """A score of always answering the most frequent gold class of each question."""
    counts = {}
    for prefix in prefixes:
        golds = {v: row[f"{prefix}{v}_tp"] + row[f"{prefix}{v}_fn"] for v in classes[prefix]}
        chosen = max(golds, key=golds.get)
        for value, gold in golds.items():
            own = counts.setdefault(value, [0, 0, 0])
            own[0] += gold * (value == chosen)
            own[1] += (sum(golds.values()) - gold) * (value == chosen)
            own[2] += gold * (value != chosen)
    if name == "majority_macro_f1":
        return average_classes("macro", "f1", counts)
    tp, _, fn = map(sum, zip(*counts.values(), strict=True))
    return over(tp, tp + fn)


CRITERION_KEYS = tuple(map(label_key, CRITERIA))
VALUES = ("met", "not_met")


def follow_cohort(key, row, *, absent):
    """A mean over classes or criteria; None for other scores."""
    if key.endswith(("overall_f1", "balanced_accuracy")):
        of_score = overall if key.endswith("overall_f1") else balance_values
        prefix = key.removesuffix("overall_f1").removesuffix("balanced_accuracy")
        if prefix == "macro_":
            there = [f"{c}_" for c in CRITERION_KEYS if absent or has(row, f"{c}_", *VALUES)]
            return over(sum(of_score(row, c, absent) for c in there), len(there))
        return of_score(row, prefix if prefix != "micro_" else "", absent)
    if key.startswith("macro_"):
        value, _, measure = key.removeprefix("macro_").rpartition("_")
        there = [c for c in CRITERION_KEYS if absent or has(row, f"{c}_", value)]
        scores = [prf_of(measure, row, f"{c}_{value}") for c in there]
        return over(sum(scores), len(there))
    return None


def has(row, prefix, *values):
    return any(row[f"{prefix}{value}_{verdict}"] for value in values for verdict in EQUAL)


def prf_of(measure, row, prefix):
    tp, fp, fn = (row[f"{prefix}_{verdict}"] for verdict in EQUAL)
    return prf(measure, tp, tp + fp, tp + fn)


def overall(row, prefix, absent):
    there = [value for value in VALUES if absent or has(row, prefix, value)]
    return over(sum(prf_of("f1", row, f"{prefix}{value}") for value in there), len(there))


def balance_values(row, prefix, absent):
    """The mean recall; the program's recall of ``not met`` is the specificity of ``met``."""
    recalls = []
    for value in VALUES:
        tp, fn = (row[f"{prefix}{value}_{verdict}"] for verdict in ("tp", "fn"))
        recalls += [over(tp, tp + fn)] if absent or tp + fn else []
    if absent:
        golds = sum(row[f"{prefix}not_met_{verdict}"] for verdict in ("tp", "fn"))
        recalls[1] = over(golds - row[f"{prefix}met_fp"], golds)
    return over(sum(recalls), len(recalls))
