"""ShARe/CLEF eHealth 2013 Task 3: ranked documents for the queries of patients.

The definition is trec_eval 9 (https://trec.nist.gov/trec_eval/), to which the lab's section
Evaluation refers. The package computes all measures with its binding pytrec-eval-terrier, and its
tests compare them with ir_measures. These are the main measures in plain Python: documents are
ranked by score, compared as 32-bit numbers, and ties by document id, in descending order.
"""

from math import log2
from struct import pack, unpack

from clineval.definitions.rates import divide, mean


def rank(scores):
    """Return documents, best first."""
    rounded = {name: unpack("f", pack("f", score))[0] for name, score in scores.items()}
    return sorted(rounded, key=lambda name: (rounded[name], name.encode()), reverse=True)


def average_precision(ranking, relevant):
    """Return the mean of the precisions at the ranks of relevant documents."""
    hits, total = 0, 0.0
    for number, name in enumerate(ranking, 1):
        if name in relevant:
            hits += 1
            total += hits / number
    return divide(total, len(relevant))


def gain(grades, k):
    """Return the discounted cumulative gain of grades at k; the gain is the grade."""
    return sum(grade / log2(number + 1) for number, grade in enumerate(grades[:k], 1))


def score_topic(scores, judgments, k=10):
    """Return the measures of a topic."""
    ranking = rank(scores)
    relevant = {name for name, grade in judgments.items() if grade > 0}
    grades = [max(judgments.get(name, 0), 0) for name in ranking]
    ideal = sorted((grade for grade in judgments.values() if grade > 0), reverse=True)
    return {
        "map": average_precision(ranking, relevant),
        f"P_{k}": len(relevant.intersection(ranking[:k])) / k,
        f"ndcg_cut_{k}": divide(gain(grades, k), gain(ideal, k)),
    }


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the means over judged topics; a topic has ``judgments``, and in a run ``ranking``.

    Both are dicts by document. A topic that is missing from the run scores 0.
    """
    run = {topic["id"]: topic["ranking"] for topic in predicted}
    rows = [score_topic(run.get(topic["id"], {}), topic["judgments"]) for topic in gold]
    return {name: mean([row[name] for row in rows]) for name in rows[0]}
