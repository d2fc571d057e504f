"""The demo corpora as texts, gold standard and annotations."""

from collections import Counter, defaultdict
from typing import Any, NamedTuple

from conftest import ROOT

from clineval.formats.delimited.pipe import SLOTS, read_documents
from clineval.formats.entry_lines import read_entries
from clineval.results.tagged import words_of
from clineval.training import Annotation, as_mentions, from_entries, from_mentions

CHALLENGES = ROOT / "metrics" / "clineval" / "challenges"


class TrainingCorpus(NamedTuple):
    """Texts with their gold standard; annotations are what tags can be made of."""

    texts: list[str]
    references: list[Any]
    annotations: list[list[Annotation]]


def read_disorders():
    """The notes of SemEval-2015 Task 14."""
    documents = {
        d.id: d for d in read_documents(CHALLENGES / "semeval15_task14" / "demo" / "gold", SLOTS)
    }
    paths = sorted((CHALLENGES / "semeval15_task14" / "demo" / "text").iterdir())
    texts = [path.read_text("utf-8") for path in paths]
    mentions = [documents[p.name].mentions if p.name in documents else () for p in paths]
    references = [[mention.as_dict() for mention in of_one] for of_one in mentions]
    return TrainingCorpus(texts, references, [from_mentions(gold) for gold in references])


def as_coded_mentions(corpus):
    """Gives every mention the code that its words have most often."""
    codes = defaultdict(Counter)
    for text, gold in zip(corpus.texts, corpus.references, strict=True):
        for mention, annotation in zip(gold, from_mentions(gold), strict=True):
            codes[words_of(annotation, text).lower()][mention["cui"]] += 1
    known = {words: counts.most_common(1)[0][0] for words, counts in codes.items()}
    return as_mentions(lambda words, _: {"cui": known.get(words.lower())})


def read_medications():
    """The records of the i2b2 2009 challenge."""
    folder = CHALLENGES / "i2b2_2009_medication" / "demo"
    entries = read_entries(folder / "gold")
    texts = {name: (folder / "records" / name).read_text("utf-8") for name in entries}
    references = [[entry.as_dict() for entry in of_one] for of_one in entries.values()]
    annotations = [
        from_entries(gold, text) for gold, text in zip(references, texts.values(), strict=True)
    ]
    return TrainingCorpus(list(texts.values()), references, annotations)
