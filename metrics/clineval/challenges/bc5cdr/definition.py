"""BioCreative V CDR: mentions of diseases and chemicals, their concepts, and what induces what.

The rules are those of Wei et al. (2016) and of the readme of the evaluation kit. Items are compared
as sets: mentions (fragments and type), the concepts of a document (with their type), and pairs of a
chemical and the disease that it induces. A relation with several concepts at an end stands for each
pair.
"""

from itertools import product

from clineval.definitions.concept_sets import read_concept, read_concepts
from clineval.definitions.documents import fragments_of, pair_documents
from clineval.definitions.rates import compare_sets, mean_rates, name_rates, name_scores

TYPES = ("Disease", "Chemical")


def list_items(document):
    """Return the mentions and concepts of each type, and the relations."""
    items = {(kind, label): set() for kind in ("mentions", "concepts") for label in TYPES}
    items["relations", None] = set()
    for mention in document.get("mentions", ()):
        items["mentions", mention["label"]].add(fragments_of(mention))
        concepts = read_concepts(mention.get("concept") or "", "MESH")
        items["concepts", mention["label"]] |= concepts
    for relation in document.get("relations", ()):
        ends = [relation[end].split("|") for end in ("from", "to")]
        concepts = [[read_concept(text, "MESH") for text in end] for end in ends]
        items["relations", None] |= {*product(*concepts)}
    return items


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    sides = [{}, {}]
    for number, pair in enumerate(pair_documents(gold, predicted)):
        for side, document in zip(sides, pair, strict=True):
            for key, items in list_items(document).items():
                side.setdefault(key, set()).update((number, item) for item in items)
    scores = {}
    for kind in ("mentions", "concepts"):
        rows = {label: compare_sets(*(side[kind, label] for side in sides)) for label in TYPES}
        for label, row in rows.items():
            scores |= name_scores(f"{label.lower()}_{kind}", *row)
        scores |= name_scores(kind, *map(sum, zip(*rows.values(), strict=True)))
        scores |= name_rates(f"macro_{kind}", mean_rates(rows.values()))
    counts = compare_sets(*(side["relations", None] for side in sides))
    scores |= name_scores("relations", *counts)
    return {key: value for key, value in scores.items() if config == "default" or config in key}
