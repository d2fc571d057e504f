"""The released SemEval-2015 Task 14 scripts' algorithm in plain Python, from its description.

Visits everything in byte order. Independent of the package: its oracle on random data.
"""

NINE = {"cui": 2, "negation": 3, "subject": 5, "uncertainty": 7, "course": 9, "severity": 11,
        "conditional": 13, "generic": 15, "body_location": 17}  # fmt: skip


def read(lines):
    """Document to span as written to values; the last line wins, locations accumulate."""
    documents = {}
    for line in lines:
        cells = line.lower().split("|")
        mentions = documents.setdefault(cells[0], {})
        values = {slot: cells[k] if k < len(cells) else "" for slot, k in NINE.items()}
        earlier = mentions.get(cells[1], {"body_location": set()})["body_location"]
        values["body_location"] = earlier | {values["body_location"]}
        mentions[cells[1]] = values
    return documents


def overlap(left, right):
    most = 0
    for a in left.split(","):
        for b in right.split(","):
            (s1, e1), (s2, e2) = (map(int, span.split("-")) for span in (a, b))
            if s1 <= e2 and s2 <= e1:
                most = max(most, min(e1, e2) - max(s1, s2) + 1)
    return most


def match(golds, founds, *, with_code):
    """Pairs gold span -> predicted span, false positives, false negatives."""

    def same_code(g, p):
        return not with_code or golds[g]["cui"] == founds[p]["cui"]

    pairs = {g: g for g in golds if g in founds and same_code(g, g)}
    marked = set(pairs)
    spurious = 0
    for g in sorted(golds):
        if with_code and g in marked:
            continue
        collected = []
        for p in sorted(founds):
            if p not in marked and same_code(g, p) and overlap(g, p):
                marked.add(p)
                collected.append((overlap(g, p), p))
        if collected:
            best = sorted(collected, key=lambda c: c[0])[-1][1]  # noqa: FURB192 - the last of equals
            pairs[g] = best
            spurious += len(collected) - 1
    return pairs, spurious + len(set(founds) - marked), len(set(golds) - set(pairs))


def score(predicted_lines, gold_lines, weights):
    """Totals of matches, and mean accuracies; ``weights[slot]`` maps values, 0 if absent."""
    gold, predicted = read(gold_lines), read(predicted_lines)
    result = dict.fromkeys(("strict", "relaxed", "span"), (0, 0, 0))
    accuracies, weighted = [], []
    for document, golds in gold.items():
        founds = predicted.get(document, {})
        strict = sum(g in founds and founds[g]["cui"] == golds[g]["cui"] for g in golds)
        _add(result, "strict", strict, len(founds) - strict, len(golds) - strict)
        pairs, fp, fn = match(golds, founds, with_code=True)
        _add(result, "relaxed", len(pairs), fp, fn)
        pairs, fp, fn = match(golds, founds, with_code=False)
        _add(result, "span", len(pairs), fp, fn)
        for g, p in pairs.items():
            equal, top, bottom = 0, 0.0, 0.0
            for slot in NINE:
                left, right = golds[g][slot], founds[p][slot]
                same = bool(left & right) if slot == "body_location" else left == right
                if slot == "body_location":
                    weight = weights[slot]["CUI" if left - {"null"} else "NULL"]
                else:
                    weight = 1.0 if slot == "cui" else weights[slot].get(left, 0.0)
                equal, top, bottom = equal + same, top + weight * same, bottom + weight
            accuracies.append(equal / 9)
            weighted.append(top / bottom)
    mean = [sum(values) / len(values) if values else 0.0 for values in (accuracies, weighted)]
    return result, *mean


def _add(result, name, *counts):
    result[name] = tuple(a + b for a, b in zip(result[name], counts, strict=True))
