"""One of several processes: scores a classifier with accelerate in four ways.

Arguments: the path of the result.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from torch.utils.data import DataLoader
from training.corpora import read_disorders
from training.models import TaggerByHeart, encode, make_tokenizer
from transformers import DataCollatorForTokenClassification, Trainer, TrainingArguments

import clineval
from clineval.training import TagSet, compute_metrics_for

METRIC = "semeval15_task14"
TAGS = TagSet.of(["Disorder"], "biohd")


def main(path):
    accelerator = Accelerator(cpu=True)
    corpus = read_disorders()
    tokenizer = make_tokenizer(corpus.texts)
    windows, rows = encode(tokenizer, corpus.texts, corpus.annotations, TAGS)
    collate = DataCollatorForTokenClassification(tokenizer)
    metrics = compute_metrics_for(METRIC, windows, corpus.references, TAGS)
    model = TaggerByHeart(tokenizer, TAGS, rows)
    results = {"trainer": evaluate_with_trainer(model, rows, collate, metrics)}
    rows = [{**row, "window": number} for number, row in enumerate(rows)]
    model, loader = accelerator.prepare(model, DataLoader(rows, batch_size=5, collate_fn=collate))
    seen = 0
    for batch in loader:
        numbers, labels = batch.pop("window"), batch.pop("labels")
        with torch.no_grad():
            outputs = model(**batch).logits
        tags = accelerator.pad_across_processes(outputs.argmax(-1), dim=1)
        numbers, tags = accelerator.gather_for_metrics((numbers, tags))
        metrics.add(tags, numbers)
        seen += len(labels)
    results |= {
        "windows": metrics.compute(),
        "seen": seen,
        "signature": str(metrics.score.signature),
        "processes": accelerator.num_processes,
    }

    # documents, each found by one process
    share = range(accelerator.process_index, len(corpus.texts), accelerator.num_processes)
    found = {number: find(number, corpus, tokenizer, model) for number in share}
    documents = dict(gather_object(list(found.items())))
    predicted = [documents[number] for number in range(len(corpus.texts))]
    results["documents"] = dict(clineval.score(METRIC, predicted, corpus.references).values)

    # counts, which hold nothing of the documents
    own = clineval.count(
        METRIC, list(found.values()), [corpus.references[number] for number in share]
    )
    first, *others = map(clineval.Counts.from_json, gather_object([own.to_json()]))
    results["counts"] = dict(sum(others, start=first).score().values)
    if accelerator.is_main_process:
        Path(path).write_text(json.dumps(results), "utf-8")
    # a process that ends while another one still talks to it takes that one down
    accelerator.wait_for_everyone()
    accelerator.end_training()


def evaluate_with_trainer(model, rows, collate, metrics):
    """The scores that the Trainer gathers, whole and in batches."""
    results = []
    for in_batches in (False, True):
        arguments = TrainingArguments(
            output_dir=tempfile.gettempdir(), per_device_eval_batch_size=5, use_cpu=True,
            batch_eval_metrics=in_batches, report_to=[], disable_tqdm=True,
        )  # fmt: skip
        trainer = Trainer(
            model, arguments,
            data_collator=collate, eval_dataset=rows, compute_metrics=metrics,
        )  # fmt: skip
        found = trainer.evaluate()
        results.append({key: found[f"eval_{key}"] for key in metrics.score.values})
    return results


def find(number, corpus, tokenizer, model):
    """The mentions of one document."""
    windows, rows = encode(tokenizer, [corpus.texts[number]], [corpus.annotations[number]], TAGS)
    batch = DataCollatorForTokenClassification(tokenizer)(rows)
    batch.pop("labels")
    with torch.no_grad():
        outputs = model(**batch).logits
    return compute_metrics_for(METRIC, windows, [], TAGS).documents(outputs)[0]


if __name__ == "__main__":
    main(sys.argv[1])
