"""TAC 2017 ADR: adverse reactions in drug labels, their relations and MedDRA terms.

The rules are those of Roberts, Demner-Fushman and Tonning, TAC 2017. Each task compares sets of
units of a label: mentions (``exact``), relations (``binary``), a source with all its relations
(``full``), each also without types; strings of reactions, and their terms (``codes``). The means
over labels, ``document_``, rank systems in the tasks 3 and 4.
"""

from clineval.definitions.documents import fragments_of, pair_documents
from clineval.definitions.rates import add_rows, compare_sets, mean_rates, name_rates, name_scores


def key_of(mention, *, typed):
    """Return what two mentions must share to be equal."""
    label = mention["label"] if typed else ""
    return mention.get("section"), fragments_of(mention), label


def list_units(document):
    """Return the set of units of each score."""
    units = {}
    for ending, typed in (("", True), ("_untyped", False)):
        keys = {m["id"]: key_of(m, typed=typed) for m in document.get("mentions", ())}
        links = [
            (keys[r["from"]], r["label"] if typed else "", keys[r["to"]])
            for r in document.get("relations", ())
        ]
        sources = {}
        for source, label, target in links:
            sources.setdefault(source, set()).add((label, target))
        units[f"exact{ending}"] = set(keys.values())
        units[f"binary{ending}"] = set(links)
        units[f"full{ending}"] = {(key, frozenset(of)) for key, of in sources.items()}
    units["reactions"] = set(document.get("reactions", ()))
    units["codes"] = set(document.get("codes", ()))
    return units


def score_documents(gold, predicted, config="default"):
    """Return the scores of labels: documents of mentions and relations.

    Mentions may have a ``section``. ``reactions`` lists the strings of a label, and ``codes`` the
    numbers of their terms, or their names if they have no number.
    """
    pairs = [
        [list_units(document) for document in pair] for pair in pair_documents(gold, predicted)
    ]
    scores = {}
    for key in list_units({}):
        rows = [compare_sets(*(units[key] for units in pair)) for pair in pairs]
        scores |= name_scores(key, *add_rows(rows))
        if key in ("reactions", "codes"):
            scores |= name_rates(f"document_{key}", mean_rates(rows))
    names = {"mentions": "exact", "relations": ("binary", "full"), "default": ""}
    begin = names.get(config, (config, f"document_{config}"))
    return {key: value for key, value in scores.items() if key.startswith(begin)}
