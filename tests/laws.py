"""Laws that the scores of every challenge keep, under the protocol of its document."""

import math
import random

import pytest

COUNTS = ("tp", "fp", "fn")


def shuffled(documents, seed):
    """The same documents with the units of each in another order."""
    chance = random.Random(seed)
    return [chance.sample(list(document), len(document)) for document in documents]


def comparable(scores):
    """All but what names documents."""
    return {key: value for key, value in scores.items() if key != "per_document"}


def order_of_units_does_not_matter(score, predictions, references, seed):
    mixed = score(shuffled(predictions, seed), shuffled(references, seed + 1))
    assert comparable(mixed) == comparable(score(predictions, references))


def order_of_documents_does_not_matter(score, predictions, references, seed, near=None):
    order = random.Random(seed).sample(range(len(references)), len(references))
    mixed = comparable(score([predictions[i] for i in order], [references[i] for i in order]))
    ordered = comparable(score(predictions, references))
    assert mixed.pop("signature") == ordered.pop("signature")
    assert mixed == (pytest.approx(ordered, rel=0, abs=near) if near else ordered)


def swapping_sides_swaps_precision_and_recall(score, predictions, references, prefixes):
    there, back = score(predictions, references), score(references, predictions)
    for prefix in prefixes:
        assert there[f"{prefix}_precision"] == back[f"{prefix}_recall"]
        assert there[f"{prefix}_recall"] == back[f"{prefix}_precision"]
        assert there[f"{prefix}_f1"] == back[f"{prefix}_f1"]
        assert there[f"{prefix}_fp"] == back[f"{prefix}_fn"]


def perfect_predictions_score_one(score, references, keys):
    assert any(references), "an empty corpus has no perfect score"
    scores = score(references, references)
    assert {key: scores[key] for key in keys} == dict.fromkeys(keys, 1.0)


def strict_is_at_most_relaxed(score, predictions, references, strict, relaxed):
    scores = score(predictions, references)
    assert scores[f"{strict}_tp"] <= scores[f"{relaxed}_tp"]
    for key in ("precision", "recall", "f1"):
        assert scores[f"{strict}_{key}"] <= scores[f"{relaxed}_{key}"]


def counts_of_parts_add_up(count, predictions, references):
    whole = count(predictions, references)
    for cut in range(len(references) + 1):
        first = count(predictions[:cut], references[:cut])
        second = count(predictions[cut:], references[cut:])
        joined = first + second
        assert comparable(joined.score().as_dict()) == comparable(whole.score().as_dict())
        assert joined.totals == whole.totals == (second + first).totals


def counts_survive_json(count, predictions, references):
    counts = count(predictions, references)
    restored = type(counts).from_json(counts.to_json())
    assert restored == counts
    assert restored.score().as_dict() == counts.score().as_dict()


def hold_for_the_engine(score, count, corpus, seed):
    """No order of documents matters, parts add up, and JSON keeps the counts."""
    references, predictions = corpus
    order_of_documents_does_not_matter(score, predictions, references, seed)
    counts_of_parts_add_up(count, predictions, references)
    counts_survive_json(count, predictions, references)


def scores_are_flat_numbers(scores):
    for key, value in scores.items():
        if key not in ("signature", "per_document"):
            assert type(value) in (int, float), key
            assert not math.isnan(value), key


def refuses(call, *parts, text=()):
    """The call fails with an InputError whose message has all parts and nothing of ``text``."""
    from clineval import InputError

    with pytest.raises(InputError) as caught:
        call()
    message = str(caught.value)
    for part in parts:
        assert part in message
    for word in text:
        assert word not in message
    return message
