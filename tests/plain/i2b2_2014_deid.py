"""i2b2 2014's counts by its own document, in plain Python with sets.

Independent of the package: used as its oracle on random data. A document is a list of
(start, end, type) and a text.
"""

from itertools import product

HIPAA = {
    *("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL"),
    *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"),
    "IDNUM",
}


def tokens(mentions, text):
    found = set()
    for start, end, label in mentions:
        at = start
        while at < end:
            stop = at
            while stop < end and text[stop].isalnum():
                stop += 1
            if stop > at:
                found.add((at, stop, label))
            at = stop + 1
    return found


def most_near(gold, found):
    """The most pairs of equal start and type with ends that differ by at most 2."""
    gold, found = sorted(gold), sorted(found)
    partner = {}

    def augment(g, seen):
        for p, other in enumerate(found):
            near = g[0] == other[0] and g[2] == other[2] and abs(g[1] - other[1]) <= 2
            if near and p not in seen:
                seen.add(p)
                if p not in partner or augment(partner[p], seen):
                    partner[p] = g
                    return True
        return False

    return sum(augment(g, set()) for g in gold)


def counts(gold, found, text):
    """View to true positives, false positives and false negatives of a document."""
    result = {}
    for hipaa, binary in product((False, True), repeat=2):
        sides = [{(s, e, of.upper()) for s, e, of in side} for side in (gold, found)]
        if hipaa:
            sides = [{m for m in side if m[2] in HIPAA} for side in sides]
        if binary:
            sides = [{(s, e, "") for s, e, _ in side} for side in sides]
        name = f"{'binary_' * binary}{'hipaa_' * hipaa}"
        result[f"{name}strict"] = compare(*sides, len(sides[0] & sides[1]))
        result[f"{name}relaxed"] = compare(*sides, most_near(*sides))
        cut = [tokens(side, text) for side in sides]
        result[f"{name}token"] = compare(*cut, len(cut[0] & cut[1]))
    return result


def compare(gold, found, tp):
    return tp, len(found) - tp, len(gold) - tp
