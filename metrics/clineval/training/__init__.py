"""Training loops: token classification scored by a challenge's own metric.

From a fast tokenizer's output to scores, with NumPy only:

    encoding = tokenizer(texts, truncation=True, stride=32, return_overflowing_tokens=True,
                         return_offsets_mapping=True)
    windows = Windows.of(encoding, texts)
    tags = TagSet.of(["Disorder"])
    encoding["labels"] = windows.encode(annotations, tags).tolist()
    metrics = compute_metrics_for("semeval15_task14", windows, references, tags)

Pass ``metrics`` to the Trainer as ``compute_metrics``. Predicted tags of overlapping windows are
merged for each document. The gold standard is ``references``, not tags, because tags cannot express
all annotations.
"""

from __future__ import annotations

from clineval.kinds.entries.tagged import as_entries, from_entries
from clineval.kinds.mentions.tagged import as_mentions, from_mentions
from clineval.kinds.mentions.tags import TagSet
from clineval.kinds.sections.tagged import as_sections
from clineval.results.tagged import Annotation
from clineval.training.bigbio import from_bigbio, text_of
from clineval.training.metrics import ComputeMetrics, compute_metrics_for
from clineval.training.windows import Windows
from clineval.training.words import TaggedWords, from_words

__all__ = [
    "Annotation",
    "ComputeMetrics",
    "TagSet",
    "TaggedWords",
    "Windows",
    "as_entries",
    "as_mentions",
    "as_sections",
    "compute_metrics_for",
    "from_bigbio",
    "from_entries",
    "from_mentions",
    "from_words",
    "text_of",
]
