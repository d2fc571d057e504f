"""A user's own classes with a real Trainer: one question, several, and several answers."""

import pytest
from needs import need

import clineval
from clineval.training import compute_metrics_for

models = need("training.models", "training")
from training.test_outside import learn  # noqa: E402
from transformers import DataCollatorWithPadding  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
NAME = "clinical_classes"
NOTES = ["He quit in May.", "Never smoked.", "Smokes daily."]
TIMES = 16
CASES = {
    "one question": (["past", "never", "now"], ["past", "never", "now"]),
    "two questions": (
        ["smoking=past", "smoking=never", "smoking=now", "pain=no", "pain=yes"],
        [{"smoking": "past", "pain": "no"}, {"smoking": "never", "pain": "yes"},
         {"smoking": "now", "pain": "yes"}],
    ),
    "several answers": (["pain", "fever"], [[], ["pain"], ["pain", "fever"]]),
}  # fmt: skip


def list_labels(document):
    """List the labels that are right for a document, as the outputs name them."""
    if isinstance(document, dict):
        return [f"{question}={value}" for question, value in document.items()]
    return document if isinstance(document, list) else [document]


def read_outputs(row, labels, like):
    """Return the document that outputs stand for, in the form of another one."""
    if isinstance(like, list):
        return [label for label, output in zip(labels, row, strict=True) if output >= 0]
    likeliest = {}
    for _, label in sorted(zip(row, labels, strict=True)):
        question, _, value = label.rpartition("=")
        likeliest[question] = value
    return likeliest if isinstance(like, dict) else likeliest[""]


@pytest.mark.parametrize("case", CASES)
def test_the_checkpoint_with_the_best_score_is_kept(case, tmp_path):
    labels, some = CASES[case]
    texts, gold = NOTES * TIMES, some * TIMES
    tokenizer = models.make_tokenizer(texts)
    alone = case == "one question"
    rows = [
        {
            **tokenizer(text, return_token_type_ids=False),
            "labels": labels.index(document)
            if alone
            else [float(label in list_labels(document)) for label in labels],
        }
        for text, document in zip(texts, gold, strict=True)
    ]
    model = models.make_classifier(tokenizer, labels)
    model.config.problem_type = f"{'single' if alone else 'multi'}_label_classification"
    metrics = compute_metrics_for(NAME, None, gold, labels)
    trainer = models.make_trainer(
        tokenizer, None, rows,
        model=model,
        data_collator=DataCollatorWithPadding(tokenizer),
        output_dir=str(tmp_path),
        metric_for_best_model="eval_macro_f1",
        compute_metrics=metrics,
    )  # fmt: skip
    best = learn(trainer, "macro_f1")
    outputs = trainer.predict(rows).predictions.tolist()
    found = [read_outputs(row, labels, like) for row, like in zip(outputs, gold, strict=True)]
    score = clineval.score(NAME, found, gold)
    told = {key.removeprefix("eval_"): value for key, value in trainer.evaluate().items()}
    assert best == score["macro_f1"] == 1
    assert {key: told[key] for key in score.values} == pytest.approx(dict(score.values))
    assert told["macro_roc_auc"] == 1
    assert 0 < told["brier"] < 1 / 2
