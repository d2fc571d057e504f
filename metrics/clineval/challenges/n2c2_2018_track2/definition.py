"""n2c2 2018 Track 2: concepts of medications and adverse events, and their relations to drugs.

The rules are those of Henry et al., JAMIA 27 (2020). Concepts match with equal
fragments (``strict``) or with a character in common (``lenient``), relations if both ends do.
Pairs are one to one.
"""

from clineval.definitions.documents import characters_of, fragments_of, pair_documents
from clineval.definitions.rates import add_rows, mean, name_rates, name_scores, rate

CONCEPTS = ("Drug", "Strength", "Duration", "Route", "Form", "ADE", "Dosage", "Reason", "Frequency")
RELATIONS = (
    "Strength-Drug", "Dosage-Drug", "Duration-Drug", "Frequency-Drug", "Form-Drug", "Route-Drug",
    "Reason-Drug", "ADE-Drug",
)  # fmt: skip
LABELS = {"concepts": CONCEPTS, "relations": RELATIONS}


def annotations(document):
    """Return the distinct concepts (label, fragments) and relations (label, ends)."""
    concepts = {
        m.get("id", number): (m["label"], fragments_of(m))
        for number, m in enumerate(document.get("mentions", ()))
    }
    relations = {
        (r["label"], concepts[r["from"]], concepts[r["to"]]) for r in document.get("relations", ())
    }
    return {"concepts": set(concepts.values()), "relations": relations}


def arguments(annotation, kind):
    """Return what has to match: a concept itself, or the ends of a relation."""
    return [annotation] if kind == "concepts" else list(annotation[1:])


def shared(one, other, kind):
    """Return the characters in common and in the union if both match leniently."""
    if one[0] != other[0]:
        return None
    sizes = []
    for a, b in zip(arguments(one, kind), arguments(other, kind), strict=True):
        own, other_own = (characters_of({"spans": each[1]}) for each in (a, b))
        common, union = own & other_own, own | other_own
        if a[0] != b[0] or not common:
            return None
        sizes.append((len(common), len(union)))
    return [sum(column) for column in zip(*sizes, strict=True)]


def pair(gold, system, kind, mode):
    """Return pairs: identical annotations, then lenient ones, most characters in common first."""
    pairs = [(one, one) for one in gold & system]
    if mode == "strict":
        return pairs
    candidates = []
    for one in gold - system:
        for other in system - gold:
            sizes = shared(one, other, kind)
            if sizes:
                candidates.append((-sizes[0], sizes[1], one, other))
    free = gold ^ system
    for _, _, one, other in sorted(candidates):
        if one in free and other in free:
            free -= {one, other}
            pairs.append((one, other))
    return pairs


def count(gold, system, kind, mode):
    """Return tp, fp and fn of a document for each type, and for all under None."""
    gold, system = annotations(gold)[kind], annotations(system)[kind]
    pairs = pair(gold, system, kind, mode)
    counts = {}
    for label in (None, *LABELS[kind]):
        tp, golds, systems = (
            sum(label in (None, each[0]) for each in some)
            for some in ([one for one, _ in pairs], gold, system)
        )
        counts[label] = (tp, systems - tp, golds - tp)
    return counts


def score(documents, kind, count=count, *, all_documents=False):
    """Return the scores of concepts or relations of pairs of documents.

    Means over documents leave out those without an annotation, unless ``all_documents`` is set.
    """
    scores = {}
    for mode in ("strict", "lenient"):
        tables = [count(*pair, kind, mode) for pair in documents]
        for label in (None, *LABELS[kind]):
            name = f"{kind}_micro" if label is None else label.lower().replace("-", "_")
            total = add_rows([table[label] for table in tables])
            scores |= name_scores(f"{name}_{mode}", *total)
        rows = [rate(*table[None]) for table in tables if all_documents or any(table[None])]
        means = [mean([row[column] for row in rows]) for column in range(3)]
        scores |= name_rates(f"{kind}_macro_{mode}", means)
    return scores


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    documents = pair_documents(gold, predicted)
    kinds = LABELS if config == "default" else [config]
    return {key: of for kind in kinds for key, of in score(documents, kind).items()}
