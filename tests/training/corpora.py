"""The demo corpora as texts, gold standard and annotations."""

from collections import Counter, defaultdict
from itertools import starmap
from typing import Any, NamedTuple

from conftest import ROOT

from clineval.formats.pipe import read_documents
from clineval.training import Annotation, from_entries, from_mentions
from clineval.training.annotations import words_of

DEMO = ROOT / "metrics" / "clineval" / "demo"


class TrainingCorpus(NamedTuple):
    texts: list[str]
    references: list[Any]
    annotations: list[list[Annotation]]
