"""eHealth-KD in plain Python, by the words of its definition, with no thought of speed.

A document is one sentence: a dict as ``clineval.score`` takes it, with a text without blanks at its
ends. The counts are those of phrases, ``C I P S M``, and of relations, ``C S M``.
"""

from collections import Counter


def words_of(span, text):
    """The fragments of a phrase at white space."""
    found = []
    for start, end in sorted(map(tuple, span)):
        at = start
        for word in text[start:end].split():
            at = text.index(word, at)
            found.append((at, at + len(word)))
            at += len(word)
    return tuple(found)


def same_as_sorted(label, source, target):
    return (label, *sorted((source, target))) if label == "same-as" else (label, source, target)


def shares(one, other):
    return bool(
        {c for s, e in one for c in range(s, e)} & {c for s, e in other for c in range(s, e)}
    )


def in_order(phrases):
    return sorted(phrases, key=lambda p: ([s for s, _ in p[0]], [e for _, e in p[0]], p[1]))


def spec(gold, system, closure):
    golds, systems = (
        {m["id"]: (words_of(m["spans"], d["text"]), m["label"]) for m in d["mentions"]}
        for d in (gold, system)
    )
    left, right = Counter(golds.values()), Counter(systems.values())
    correct = left & right
    partner = {phrase: phrase for phrase in correct}
    free = in_order(set(left) - set(correct))
    rest = in_order(set(right) - set(correct))
    kinds = Counter(C=correct.total())
    for kind in "IP":
        for phrase in list(rest):
            for other in free:
                same = phrase[0] == other[0]
                if same if kind == "I" else phrase[1] == other[1] and shares(phrase[0], other[0]):
                    free.remove(other)
                    rest.remove(phrase)
                    kinds[kind] += 1
                    if kind == "P":
                        partner[phrase] = other
                    break
    paired = kinds.total()
    kinds["S"], kinds["M"] = right.total() - paired, left.total() - paired
    return kinds, spec_relations([(gold, golds), (system, systems)], partner, closure)


def spec_relations(sides, partner, closure):
    arcs, others = (
        {(r["label"], phrases[r["from"]], phrases[r["to"]]) for r in document["relations"]}
        for document, phrases in sides
    )
    group = classes(set(sides[0][1].values()), arcs if closure else ())
    wanted = Counter(same_as_sorted(label, group[a], group[b]) for label, a, b in arcs)
    found = Counter(
        same_as_sorted(label, group[partner[a]], group[partner[b]])
        for label, a, b in others
        if a in partner and b in partner
    )
    correct = (wanted & found).total()
    return Counter(C=correct, S=len(others) - correct, M=len(arcs) - correct)


def classes(phrases, arcs):
    """Phrase to the smallest phrase that same-as relations lead to."""
    group = {phrase: phrase for phrase in phrases}
    for _ in phrases:
        for label, a, b in arcs:
            if label == "same-as":
                group[a] = group[b] = min(group[a], group[b])
    return group


def in_program_order(document):
    """Fragments, label and id of the phrases, those of one fragment split at blanks."""
    phrases = []
    for m in document["mentions"]:
        fragments = [tuple(f) for f in m["spans"]]
        if len(fragments) == 1:
            [(start, end)] = fragments
            fragments, at = [], start
            for word in document["text"][start:end].split(" "):
                fragments.append((at, at + len(word)))
                at += len(word) + 1
        phrases.append((fragments, m["label"], m["id"]))
    return sorted(phrases, key=lambda p: [s for s, _ in p[0]] + [e for _, e in p[0]])


def first_match(kind, phrase, free):
    """The gold phrase that a pass finds; an AssertionError where the program has one."""
    if kind == "P":
        return next((g for g in free if g[1] == phrase[1] and starts_in(g, phrase)), None)
    match = next((g for g in free if g[0] == phrase[0]), None)
    if match and kind == "C":
        return match if match[1] == phrase[1] else None
    assert not match or match[1] != phrase[1]
    return match


def official(gold, system):
    golds, systems = in_program_order(gold), in_program_order(system)
    free, rest, kinds, partner = list(golds), list(systems), Counter(), {}
    for kind in "CIP":
        for phrase in list(rest):
            match = first_match(kind, phrase, free)
            if match:
                free.remove(match)
                rest.remove(phrase)
                kinds[kind] += 1
                if kind != "I":
                    partner[phrase[2]] = match[2]
    kinds["S"], kinds["M"] = len(rest), len(free)
    arcs, others = (
        {(r["label"], r["from"], r["to"]) for r in document["relations"]}
        for document in (gold, system)
    )
    group = classes({g[2] for g in golds}, arcs)
    wanted = Counter((label, group[a], group[b]) for label, a, b in arcs)
    found = Counter(
        (label, group[partner[a]], group[partner[b]])
        for label, a, b in others
        if a in partner and b in partner
    )
    correct = (wanted & found).total()
    return kinds, Counter(C=correct, S=len(others) - correct, M=len(arcs) - correct)


def starts_in(one, other):
    return any(
        s <= x < e for a, b in ((one, other), (other, one)) for s, e in a[0] for x, _ in b[0]
    )


def rates(kinds):
    right = kinds["C"] + kinds["P"] / 2
    paired = kinds["C"] + kinds["I"] + kinds["P"]
    recall, precision = (
        right / (paired + kinds[other]) if paired + kinds[other] else 0.0 for other in "MS"
    )
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


NAMES = {"C": "correct", "I": "incorrect", "P": "partial", "S": "spurious", "M": "missing"}


def score(golds, systems, protocol, same_as="exact"):
    """All counts and the overall scores; None where the program would end with an error."""
    totals = Counter(), Counter()
    for gold, system in zip(golds, systems, strict=True):
        if not gold["mentions"]:
            continue
        try:
            official_ = protocol == "official"
            found = (
                official(gold, system) if official_ else spec(gold, system, same_as == "closure")
            )
        except AssertionError:
            return None
        for total, kinds in zip(totals, found, strict=True):
            total.update(kinds)
    scores = {f"phrases_{name}": totals[0][kind] for kind, name in NAMES.items()}
    scores |= {f"relations_{NAMES[kind]}": totals[1][kind] for kind in "CSM"}
    together = Counter(totals[0])
    together.update(totals[1])
    return scores | dict(zip(("precision", "recall", "f1"), rates(together), strict=True))
