"""Time lines: temporal links with closure and reduction, a rule from outside of the package.

OVERLAP is identity; x BEFORE y follows if links lead from x to y. Links of a circle with a BEFORE
in it follow nothing. A BEFORE is left out if other links say it in several steps. P: the share of
the system's links that follow from the gold ones, or are among them. R: mirrored.
"""

from clineval import Challenge, Prf, Relations, Rule, Task


def walk(steps, start):
    seen, left = set(), [start]
    while left:
        new = steps.get(left.pop(), set()) - seen
        seen, left = seen | new, [*left, *new]
    return seen


def judge(items):
    links, near, same, before = {}, {}, {}, {}
    for at, item in enumerate(items):
        a, b = (end.spans for end in item.ends)
        a, b = (b, a) if item.label == "AFTER" or (item.label == "OVERLAP" and b < a) else (a, b)
        links.setdefault((a, b, item.label == "OVERLAP"), at)
    for a, b, overlaps in links:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).update([a] if overlaps else [])
    reach = {place: walk(near, place) for place in near}
    circle = {a: frozenset(b for b in reach[a] if a in reach[b]) for a in near}
    wrong = {circle[a] for a, b, overlaps in links if not overlaps and b in circle[a]}
    sound = [k for k in links if k[1] not in circle[k[0]] or circle[k[0]] not in wrong]
    for a, b, _ in (link for link in sound if link[2]):
        same.setdefault(a, set()).add(b)
        same.setdefault(b, set()).add(a)
    group = {place: frozenset({place} | walk(same, place)) for place in near}
    for a, b, _ in (link for link in sound if not link[2]):
        before.setdefault(group[a], set()).add(group[b])
    after = {place: walk(before, place) for place in before}

    def follows(link):
        a, b = (group.get(place, place) for place in link[:2])
        return link in links or (a == b if link[2] else b in after.get(a, ()))

    def is_told(link):
        steps = before.get(group[link[0]], set()) - {group[link[1]]}
        return link in sound and any(group[link[1]] in after.get(step, ()) for step in steps)

    return {link: at for link, at in links.items() if link[2] or not is_told(link)}, follows


def match(gold, predicted):
    (golds, in_gold), (found, in_found) = judge(gold), judge(predicted)
    return {
        "system": [(None, at, "tp" if in_gold(link) else "fp") for link, at in found.items()],
        "gold": [(at, None, "tp" if in_found(link) else "fn") for link, at in golds.items()],
    }


SCORES = (Prf("system", "Links", recall_of="gold"),)
LINKS = Relations(("BEFORE", "AFTER", "OVERLAP"))
CHALLENGE = Challenge(
    Task("time_lines", "Time lines", "https://example.org/", definition=__doc__, file=__file__),
    {"spec": Rule(match, LINKS, ("system", "gold"), scores=SCORES, pairs=False)},
)
