"""A real Trainer: a tiny transformer learns the demo corpora on the CPU.

``make test-training`` runs it, in an environment of its own with PyTorch.
"""

import pytest

pytest.importorskip("torch", reason="make test-training has PyTorch")
pytest.importorskip("transformers", reason="make test-training has transformers")

import evaluate
from training.corpora import as_coded_mentions, read_disorders, read_medications
from training.models import encode, make_model, make_tokenizer
from transformers import (
    DataCollatorForTokenClassification,
    Trainer,
    TrainingArguments,
    set_seed,
)

import clineval
from clineval.entries import FIELDS
from clineval.training import TagSet, as_entries, compute_metrics_for

pytestmark = pytest.mark.filterwarnings("default")
DISORDERS = "semeval15_task14", read_disorders, TagSet.of(["Disorder"], "biohd"), "strict_f1", 0.4
MEDICATIONS = (
    "i2b2_2009_medication",
    read_medications,
    TagSet.of(FIELDS, "bilou"),
    "exact_horizontal_system_f1",
    0.3,  # fields are linked to the nearest medication: gold tags score 0.69
)


def train(folder, metric, corpus, tags, key, **options):
    set_seed(7)
    tokenizer = make_tokenizer(corpus.texts)
    windows, rows = encode(tokenizer, corpus.texts, corpus.annotations, tags)
    build = as_coded_mentions(corpus) if metric == "semeval15_task14" else as_entries
    metrics = compute_metrics_for(metric, windows, corpus.references, tags, build=build)
    trainer = Trainer(
        model=make_model(tokenizer, tags),
        args=TrainingArguments(
            output_dir=str(folder),
            num_train_epochs=12,
            learning_rate=3e-3,
            per_device_train_batch_size=8,
            per_device_eval_batch_size=16,
            eval_strategy="epoch",
            save_strategy="epoch",
            load_best_model_at_end=True,
            metric_for_best_model=f"eval_{key}",
            use_cpu=True,
            report_to=[],
            disable_tqdm=True,
            logging_strategy="no",
            **options,
        ),
        train_dataset=rows,
        eval_dataset=rows,
        data_collator=DataCollatorForTokenClassification(tokenizer),
        compute_metrics=metrics,
    )
    trainer.train()
    return trainer, metrics, rows


@pytest.mark.parametrize("in_batches", [False, True])
@pytest.mark.parametrize(
    ("metric", "read", "tags", "key", "learnt"),
    [DISORDERS, MEDICATIONS],
    ids=["disorders", "medications"],
)
def test_the_score_chooses_the_checkpoint(tmp_path, metric, read, tags, key, learnt, in_batches):
    corpus = read()
    trainer, metrics, rows = train(
        tmp_path, metric, corpus, tags, key, batch_eval_metrics=in_batches
    )
    history = [row for row in trainer.state.log_history if f"eval_{key}" in row]
    scores = {row["step"]: row[f"eval_{key}"] for row in history}
    best = max(scores, key=scores.get)
    assert trainer.state.best_model_checkpoint.endswith(f"checkpoint-{best}")
    assert scores[best] > learnt > min(scores.values())
    assert all(isinstance(v, float) for k, v in history[0].items() if k.startswith("eval_"))

    again = trainer.evaluate()  # the best model was loaded again
    assert again[f"eval_{key}"] == scores[best]
    assert str(metrics.score.signature).startswith(f"{metric}|default|protocol:spec")
    predicted = metrics.documents(trainer.predict(rows).predictions)
    options = {"records": corpus.texts} if metric == "i2b2_2009_medication" else {}
    expected = clineval.score(metric, predicted, corpus.references, **options)
    assert {f"eval_{k}": v for k, v in expected.values.items()}.items() <= again.items()
    computed = evaluate.load(metric).compute(
        predictions=predicted, references=corpus.references, **options
    )
    assert computed[key] == scores[best]
