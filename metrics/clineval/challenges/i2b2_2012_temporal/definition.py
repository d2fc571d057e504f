"""2012 i2b2 temporal relations: events, times and their order in discharge summaries.

The rules are those of Sun, Rumshisky and Uzuner (2013), and the words of the released program.
Events, and times, are paired one to one if they share a character; attributes are counted over
pairs. Links compare the places of entities: a predicted entity stands for the place of its partner.
``closure`` computes what links imply. The paper does not say how to pair entities if several
overlap; here the best pairing counts.
"""

import re
from fractions import Fraction
from itertools import product

from clineval.definitions import closure
from clineval.definitions.documents import characters_of, fragments_of, pair_documents
from clineval.definitions.pairings import best_pairing
from clineval.definitions.rates import add_rows, divide, name_scores

ATTRIBUTES = {
    "EVENT": ("type", "polarity", "modality"),
    "TIMEX3": ("value", "type", "modifier"),
}
SAME = ("OVERLAP", "SIMULTANEOUS", "DURING")
PUNCTUATION = set(",.?!\"'<>;:/\\~_-+=()[]{}|@#$%^&*`")
PERIOD = re.compile(r"(?:R(\d*\.?\d*))?P(T?)(\d+\.?\d*|\.\d+)([YMWDHS])", re.ASCII)
HOURS = {"Y": 12 * 4 * 7 * 24, "M": 4 * 7 * 24, "W": 7 * 24, "D": 24, "H": 1}
"""Hours of a unit; a month has four weeks."""


def read_attribute(mention, name):
    """Return an attribute in capitals."""
    return (mention.get(name) or "").upper()


def read_period(value):
    """Return the repeats, the hours and the unit's hours of a duration; None for another form."""
    found = PERIOD.fullmatch(value)
    if not found:
        return None
    repeats, timed, number, unit = found.groups()
    parts = {"S": Fraction(1, 3600), "M": Fraction(1, 60) if timed else HOURS["M"]}
    hours = Fraction(parts.get(unit, HOURS.get(unit)))
    return (
        Fraction(repeats) if repeats and repeats != "." else None,
        Fraction(number) * hours,
        hours,
    )


def is_same_value(gold, found):
    """Compare the values of times; periods with a modifier may differ by two of their units."""
    golds, founds = (
        [read_attribute(mention, name) for name in ("value", "type", "modifier")]
        for mention in (gold, found)
    )
    if golds[0] == founds[0]:
        return True
    own, other = read_period(golds[0]), read_period(founds[0])
    known = golds[1] == founds[1] and golds[1] in ("DURATION", "FREQUENCY")
    if not known or own is None or other is None or own[0] != other[0]:
        return False
    exact = {golds[2], founds[2]} <= {"", "NA"}
    return abs(own[1] - other[1]) <= (0 if exact else 2 * own[2])


def list_right(gold, found):
    """Return which attributes of a pair are right."""
    return [
        is_same_value(gold, found)
        if name == "value"
        else read_attribute(gold, name) == read_attribute(found, name)
        for name in ATTRIBUTES[gold["label"]]
    ]


def words_of(mention, text):
    """Return the words of a mention without punctuation marks."""
    words = " ".join(text[start:end] for start, end in fragments_of(mention)).split()
    return [word for word in words if word not in PUNCTUATION]


def is_exact(gold, found, text):
    """Check whether a pair has the same words; without a text, the same offsets."""
    if text:
        return words_of(gold, text) == words_of(found, text)
    return fragments_of(gold) == fragments_of(found)


def pair(golds, founds, text):
    """Return the pairs of events, or of times: most pairs, most exact ones, most attributes."""
    worth = {}
    for (g, gold), (f, found) in product(enumerate(golds), enumerate(founds)):
        shared = len(characters_of(gold) & characters_of(found))
        if shared:
            distance = abs(fragments_of(gold)[0][0] - fragments_of(found)[0][0])
            right = list_right(gold, found)
            worth[g, f] = (1, is_exact(gold, found, text), *right, shared, -distance)
    return [(golds[g], founds[f]) for g, f in best_pairing(worth)]


def score_entities(label, rows):
    """Return the scores of events or of times of rows (pairs, exact pairs, gold, found, right)."""
    pairs, exact, golds, founds, *right = add_rows(rows)
    name = label.lower()
    scores = name_scores(name, pairs, founds - pairs, golds - pairs)
    scores |= name_scores(f"{name}_exact", exact, founds - exact, golds - exact)
    half = exact + (pairs - exact) / 2
    precision, recall = divide(half, founds), divide(half, golds)
    scores |= {f"{name}_partial_precision": precision, f"{name}_partial_recall": recall}
    scores[f"{name}_partial_f1"] = divide(2 * precision * recall, precision + recall)
    for attribute, number in zip(ATTRIBUTES[label], right, strict=True):
        scores[f"{name}_{attribute}"] = divide(number, golds)
        scores[f"{name}_{attribute}_accuracy"] = divide(number, pairs)
    return scores


def list_links(document, place_of):
    """Return links by the places of their ends; AFTER is BEFORE from the other end."""
    links = set()
    for link in document.get("relations", ()):
        first, second = place_of(link["from"]), place_of(link["to"])
        if link["label"].upper() == "AFTER":
            first, second = second, first
        same = link["label"].upper() in SAME
        links.add((*sorted((first, second), key=repr), True) if same else (first, second, False))
    return links


def find_places(gold, found, pairs):
    """Return functions that map the ids of both sides to places of gold entities."""
    partners = {}
    for one, other in pairs:
        place = fragments_of(other)
        partners[place] = min(partners.get(place, fragments_of(one)), fragments_of(one))
    golds = {m["id"]: fragments_of(m) for m in gold.get("mentions", ())}
    founds = {}
    for mention in found.get("mentions", ()):
        place, entity = fragments_of(mention), mention["label"] in ATTRIBUTES
        founds[mention["id"]] = partners.get(place, ("predicted", place) if entity else place)
    return (lambda end: golds.get(end, end)), (lambda end: founds.get(end, end))


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them, with their texts."""
    rows, links = {label: [] for label in ATTRIBUTES}, []
    for one, other in pair_documents(gold, predicted):
        text, all_pairs = one.get("text") or other.get("text") or "", []
        for label in ATTRIBUTES:
            sides = [
                [m for m in d.get("mentions", ()) if m["label"] == label] for d in (one, other)
            ]
            pairs = pair(*sides, text)
            exact = sum(is_exact(*each, text) for each in pairs)
            right = add_rows([list_right(*each) for each in pairs]) if pairs else (0, 0, 0)
            rows[label].append((len(pairs), exact, *map(len, sides), *right))
            all_pairs += pairs
        places = find_places(one, other, all_pairs)
        places = (str, str) if config == "links" else places
        links.append(closure.count(*map(list_links, (one, other), places)))
    scores = {}
    if config != "links":
        for label in ATTRIBUTES:
            scores |= score_entities(label, rows[label])
    if config != "entities":
        scores |= closure.score_links({key: sum(row[key] for row in links) for key in links[0]})
    return scores
