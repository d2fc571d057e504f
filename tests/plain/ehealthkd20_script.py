"""What the released program of eHealth-KD pairs, in plain Python.

A document is one sentence: a dict as ``clineval.score`` takes it, with a text.
"""

from collections import Counter

from clineval.challenges.ehealthkd20.definition import classes


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


def count(gold, system):
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
