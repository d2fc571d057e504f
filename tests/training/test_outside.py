"""Challenges of other people with a real Trainer: classes of documents, and a rule on spans."""

import pytest
from needs import need
from outside import install
from outside_cases import SOURCES, TEXT, at

import clineval
from clineval.training import TagSet, compute_metrics_for, from_mentions

models = need("training.models", "training")
from transformers import DataCollatorWithPadding  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
LABELS = ["NON", "CURRENT", "PAST"]
NOTES = {"Never smoked.": "NON", "Smokes daily.": "CURRENT", "He quit in May.": "PAST"}


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **SOURCES):
        yield


def learn(trainer, key):
    """Train; returns the best score of an epoch, after whose model there is a worse one."""
    trainer.train()
    scores = [row[f"eval_{key}"] for row in trainer.state.log_history if f"eval_{key}" in row]
    assert max(scores) > scores[-1]
    assert trainer.evaluate()[f"eval_{key}"] == max(scores)  # the best model was loaded again
    return max(scores)


def test_a_sequence_classifier_is_chosen_by_the_score_of_classes(tmp_path):
    texts, gold = [*NOTES] * 4, [*NOTES.values()] * 4
    tokenizer = models.make_tokenizer(texts)
    rows = [
        {**tokenizer(text, return_token_type_ids=False), "labels": LABELS.index(value)}
        for text, value in zip(texts, gold, strict=True)
    ]
    metrics = compute_metrics_for("smoking_status", None, gold, LABELS)
    trainer = models.make_trainer(
        tokenizer, None, rows,
        model=models.make_classifier(tokenizer, LABELS),
        data_collator=DataCollatorWithPadding(tokenizer),
        output_dir=str(tmp_path),
        metric_for_best_model="eval_macro_f1",
        compute_metrics=metrics,
    )  # fmt: skip
    best = learn(trainer, "macro_f1")
    outputs = trainer.predict(rows).predictions
    found = [LABELS[row.argmax()] for row in outputs]
    right = sum(map(str.__eq__, found, gold))
    assert trainer.evaluate()["eval_accuracy"] == pytest.approx(right / len(gold))
    assert best == clineval.score("smoking_status", found, gold)["macro_f1"] == 1


def test_a_rule_on_spans_chooses_a_tagger(tmp_path):
    gold = [[{"spans": at("Aspirin"), "label": "DRUG"}, {"spans": at("rash"), "label": "SIGN"}]] * 4
    texts, tags = [TEXT] * 4, TagSet.of(["DRUG", "SIGN"], "bio")
    tokenizer = models.make_tokenizer(texts)
    annotations = [from_mentions(mentions, lambda mention: mention["label"]) for mentions in gold]
    windows, rows = models.encode(tokenizer, texts, annotations, tags)
    metrics = compute_metrics_for("shared_words", windows, gold, tags)
    trainer = models.make_trainer(
        tokenizer,
        tags,
        rows,
        output_dir=str(tmp_path),
        metric_for_best_model="eval_credit_f1",
        compute_metrics=metrics,
    )
    best = learn(trainer, "credit_f1")
    found = metrics.documents(trainer.predict(rows).predictions)
    assert best == clineval.score("shared_words", found, gold)["credit_f1"] == 1
