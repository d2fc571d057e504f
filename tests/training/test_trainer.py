"""A real Trainer: a tiny transformer learns the demo corpora on the CPU.

``make test-training`` runs it, in an environment of its own with PyTorch.
"""

import evaluate
import pytest
from needs import need
from training.corpora import as_coded_mentions, read_disorders, read_medications

import clineval
from clineval.kinds.entries.entry import FIELDS
from clineval.training import TagSet, as_entries, compute_metrics_for

models = need("training.models", "training")
pytestmark = pytest.mark.filterwarnings("default")
DISORDERS = "semeval15_task14", read_disorders, TagSet.of(["Disorder"], "biohd"), "strict_f1", 0.4
MEDICATIONS = (
    "i2b2_2009_medication",
    read_medications,
    TagSet.of(FIELDS, "bilou"),
    "exact_horizontal_system_f1",
    0.2,  # fields are linked to the nearest medication: gold tags score 0.69
)


@pytest.mark.parametrize("in_batches", [False, True])
@pytest.mark.parametrize("case", [DISORDERS, MEDICATIONS], ids=lambda case: case[0])
def test_the_score_chooses_the_checkpoint(tmp_path, case, in_batches):
    metric, read, tags, key, learnt = case
    corpus = read()
    tokenizer = models.make_tokenizer(corpus.texts)
    windows, rows = models.encode(tokenizer, corpus.texts, corpus.annotations, tags)
    build = as_coded_mentions(corpus) if metric == "semeval15_task14" else as_entries
    metrics = compute_metrics_for(metric, windows, corpus.references, tags, build=build)
    trainer = models.make_trainer(
        tokenizer,
        tags,
        rows,
        output_dir=str(tmp_path),
        metric_for_best_model=f"eval_{key}",
        batch_eval_metrics=in_batches,
        compute_metrics=metrics,
    )
    trainer.train()
    history = [row for row in trainer.state.log_history if f"eval_{key}" in row]
    scores = {row["step"]: row[f"eval_{key}"] for row in history}
    best = max(scores, key=scores.get)
    assert trainer.state.best_model_checkpoint.endswith(f"checkpoint-{best}")
    assert best < max(scores)  # the last one is bad
    assert scores[best] > learnt > scores[max(scores)]
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
