"""Mentions and concepts of abstracts as sets of items: NCBI Disease, MedMentions and BC5CDR.

An item is a tuple that begins with the id of its document. It is right if the other side has an
equal item, and counts once however often the text mentions it.
"""

from clineval.definitions.documents import fragments_of, pair_documents
from clineval.definitions.rates import compare_sets, name_scores

NO_CONCEPT = ("", "-", "-1")


def read_concept(text, space):
    """Return a concept with its name space, without blanks and in upper case; None for none."""
    prefix, _, name = text.strip().upper().rpartition(":")
    name = name.strip()
    return None if name in NO_CONCEPT else f"{prefix.strip() or space}:{name}"


def read_concepts(cell, space, separators="|"):
    """Return the set of concepts of a mention."""
    for separator in separators[1:]:
        cell = cell.replace(separator, separators[0])
    concepts = {read_concept(text, space) for text in cell.split(separators[0])}
    return concepts - {None}


def list_items(document, *, space, separators, kept=None):
    """Return the items of each kind; ``kept`` are the types that count, if not all do."""
    items = {"mentions": set(), "typed": set(), "linked": set(), "concepts": set()}
    for mention in document.get("mentions", ()):
        types = {t for t in mention["label"].split(",") if kept is None or t in kept}
        if types:
            place = fragments_of(mention)
            concepts = read_concepts(mention.get("concept") or "", space, separators)
            items["mentions"].add((place,))
            items["typed"] |= {(place, label) for label in types}
            items["linked"] |= {(place, concept) for concept in concepts}
            items["concepts"] |= {(concept,) for concept in concepts}
    return items


def score_items(gold, predicted, kinds, **reading):
    """Return the scores of each kind of items, over the items of all documents."""
    sides = [{kind: set() for kind in kinds} for _ in range(2)]
    for number, pair in enumerate(pair_documents(gold, predicted)):
        for side, document in zip(sides, pair, strict=True):
            items = list_items(document, **reading)
            for kind in kinds:
                side[kind] |= {(number, *item) for item in items[kind]}
    scores = {}
    for kind in kinds:
        scores |= name_scores(kind, *compare_sets(*(side[kind] for side in sides)))
    return scores
