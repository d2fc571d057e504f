"""eHealth-KD 2020: key phrases of Spanish health texts, and relations between them.

The rules are those of https://ehealthkd.github.io/2020/tasks. Within a sentence, phrases are paired
as correct (C), incorrect (I: another label) or partial (P: a character in common); the others are
spurious (S) or missing (M). Relations are correct between phrases that are paired correct or
partial. The document leaves the order of pairing open; here it is that of starts, ends and labels.
"""

from collections import Counter

from clineval.definitions.documents import characters_of, pair_documents
from clineval.definitions.rates import NAMES, divide

COUNTS = {"C": "correct", "I": "incorrect", "P": "partial", "S": "spurious", "M": "missing"}


def words_of(span, text):
    """Return the words of a phrase, so that blanks do not matter."""
    found = []
    for start, end in sorted(map(tuple, span)):
        at = start
        for word in text[start:end].split():
            at = text.index(word, at)
            found.append((at, at + len(word)))
            at += len(word)
    return tuple(found)


def turn(label, source, target):
    """Return a relation; same-as has no direction."""
    return (label, *sorted((source, target))) if label == "same-as" else (label, source, target)


def share_character(one, other):
    """Check whether two phrases have a character in common."""
    return bool(characters_of({"spans": one[0]}) & characters_of({"spans": other[0]}))


def in_order(phrases):
    """Return phrases in the order of starts, ends and labels."""
    return sorted(phrases, key=lambda p: ([s for s, _ in p[0]], [e for _, e in p[0]], p[1]))


def count(gold, system, *, closure=False):
    """Return the counts of phrases and of relations of a sentence; ``closure`` joins same-as."""
    golds, systems = (
        {m["id"]: (words_of(m["spans"], d["text"]), m["label"]) for m in d.get("mentions", ())}
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
                if (
                    same
                    if kind == "I"
                    else phrase[1] == other[1] and share_character(phrase, other)
                ):
                    free.remove(other)
                    rest.remove(phrase)
                    kinds[kind] += 1
                    if kind == "P":
                        partner[phrase] = other
                    break
    paired = kinds.total()
    kinds["S"], kinds["M"] = right.total() - paired, left.total() - paired
    return kinds, count_relations([(gold, golds), (system, systems)], partner, closure)


def count_relations(sides, partner, closure):
    """Return the counts of relations between phrases that are paired correct or partial."""
    arcs, others = (
        {(r["label"], phrases[r["from"]], phrases[r["to"]]) for r in document.get("relations", ())}
        for document, phrases in sides
    )
    group = classes(set(sides[0][1].values()), arcs if closure else ())
    wanted = Counter(turn(label, group[a], group[b]) for label, a, b in arcs)
    found = Counter(
        turn(label, group[partner[a]], group[partner[b]])
        for label, a, b in others
        if a in partner and b in partner
    )
    correct = (wanted & found).total()
    return Counter(C=correct, S=len(others) - correct, M=len(arcs) - correct)


def classes(phrases, arcs):
    """Return phrase to the smallest phrase that same-as relations lead to."""
    group = {phrase: phrase for phrase in phrases}
    for _ in phrases:
        for label, a, b in arcs:
            if label == "same-as":
                group[a] = group[b] = min(group[a], group[b])
    return group


def rates(kinds):
    """Return precision, recall and F1; a partial match is worth one half."""
    right = kinds["C"] + kinds["P"] / 2
    paired = kinds["C"] + kinds["I"] + kinds["P"]
    recall, precision = (divide(right, paired + kinds[other]) for other in "MS")
    return precision, recall, divide(2 * precision * recall, precision + recall)


def score(sentences, count=count, scored="phrases relations"):
    """Return counts and scores of pairs of sentences; those without gold phrases are left out."""
    totals = {"phrases": Counter(), "relations": Counter()}
    for gold, system in sentences:
        if gold.get("mentions"):
            for total, kinds in zip(totals.values(), count(gold, system), strict=True):
                total.update(kinds)
    scores, together = {}, Counter()
    for name, kinds in totals.items():
        if name in scored:
            known = COUNTS if name == "phrases" else "CSM"
            scores |= {f"{name}_{COUNTS[kind]}": kinds[kind] for kind in known}
            together.update(kinds)
    return scores | dict(zip(NAMES, rates(together), strict=True))


def split(document):
    """Yield the sentences of a document, the lines of its text."""
    start = 0
    for number, line in enumerate(document.get("text", "").split("\n")):
        end = start + len(line)
        own = [m for m in document["mentions"] if start <= m["spans"][0][0] <= end]
        ids = {mention["id"] for mention in own}
        moved = [{**m, "spans": [[a - start, b - start] for a, b in m["spans"]]} for m in own]
        relations = [r for r in document.get("relations", ()) if r["from"] in ids]
        sentence = {"id": (document["id"], number), "text": line, "mentions": moved}
        yield {**sentence, "relations": relations}
        start = end + 1


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them, with their texts."""
    sides = [[s for document in side for s in split(document)] for side in (gold, predicted)]
    scored = {"taskA": "phrases", "taskB": "relations"}.get(config, "phrases relations")
    return score(pair_documents(*sides), scored=scored)
