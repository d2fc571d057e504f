"""Cost of the scorers of Docs against spaCy's own ``Scorer.score_spans``, on the same cold Docs.

Each repeat makes all Docs anew for each scorer, because alignments and spans stay where they were
once made: references are read by ``spacy_clin.Corpus.v1``, and predictions written as a component
does. Repeats of ours and spaCy's alternate, and the median of their ratios counts. spaCy scores
``doc.ents``, and in the way of its spancat the span group that ours reads. Documents of 500 tokens
with 35 mentions of 9 slots, predictions altered. The budget is that of mentions in the span group;
entities with extensions on both sides have one of their own; beside them is shown what it costs to
score references that a plain ``DocBin`` unpacked, which have a string of their own for every value.

    python tests/benchmarks/bench_spacy_clin.py [documents]
"""

import random
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

import spacy
from spacy.pipeline.spancat import spancat_score
from spacy.scorer import Scorer
from spacy.tokens import DocBin
from spacy.training import Example

from spacy_clin import register_extensions, set_mentions
from spacy_clin.files import make_corpus
from spacy_clin.presets import PREFIX
from spacy_clin.scorers import make_clefehealth13_task1_scorer, make_semeval15_task14_scorer

BUDGETS, REPEATS = (0.15, 0.25), 7
TOKENS, MENTIONS = 500, 35
VALUES = {
    "negation": ("no", "yes"),
    "subject": ("patient", "family_member"),
    "uncertainty": ("no", "yes"),
    "course": ("unmarked", "improved"),
    "severity": ("unmarked", "severe"),
    "conditional": ("false", "true"),
    "generic": ("false", "true"),
    "body_location": (["NULL"], ["C0225860"]),
}
NLP = spacy.blank("en")
warnings.simplefilter("ignore")


def make_mentions(doc, chance):
    """Mentions one after another, some of two fragments."""
    mentions = []
    for first in range(0, TOKENS - 14, TOKENS // MENTIONS):
        one = doc[first : first + chance.randrange(1, 4)]
        spans = [[one.start_char, one.end_char]]
        if chance.random() < 0.1:
            other = doc[first + 5 : first + 7]
            spans.append([other.start_char, other.end_char])
        slots = {name: values[chance.random() < 0.2] for name, values in VALUES.items()}
        mentions.append({"spans": spans, "cui": f"C{chance.randrange(400):07d}", **slots})
    return mentions[:MENTIONS]


def alter(mention, chance):
    altered = {**mention, "negation": VALUES["negation"][chance.random() < 0.3]}
    if chance.random() < 0.2:
        altered["spans"] = mention["spans"][:1]
    if chance.random() < 0.2:
        altered["cui"] = None
    return altered


def write_entities(doc, mentions):
    """The same mentions as entities, with extensions where a slot is not at its default."""
    ends = [(m["spans"][0], m) for m in mentions]
    doc.ents = [doc.char_span(*s, label="D", kb_id=m["cui"] or "") for s, m in ends]
    for entity, mention in zip(doc.ents, mentions, strict=True):
        for name, (default, _) in VALUES.items():
            if mention[name] != default:
                entity._.set(f"{PREFIX}{name}", mention[name])


def make_documents(documents, path):
    """References in a DocBin, and what a pipeline predicts: mentions and entities."""
    chance = random.Random(14)
    words = [f"w{number}" for number in range(3000)]
    references, predicted = DocBin(store_user_data=True), []
    for _ in range(documents):
        doc = NLP.make_doc(" ".join(chance.choices(words, k=TOKENS)))
        mentions = make_mentions(doc, chance)
        write(doc, mentions)
        references.add(doc)
        predicted.append([alter(mention, chance) for mention in mentions if chance.random() < 0.9])
    references.to_disk(path)
    return predicted


def write(doc, mentions):
    set_mentions(doc, mentions)
    write_entities(doc, mentions)


def read_references(path):
    return [example.reference for example in make_corpus(path)(NLP)]


def unpack_references(path):
    return list(DocBin().from_disk(path).get_docs(NLP.vocab))


def make_examples(references, predicted):
    examples = []
    for gold, mentions in zip(references, predicted, strict=True):
        pred = NLP.make_doc(gold.text)
        write(pred, mentions)
        examples.append(Example(pred, gold))
    return examples


def score_entities(examples):
    Scorer.score_spans(examples, "ents")


def score_span_group(examples):
    spancat_score(examples, spans_key="clin")


def seconds(score, examples):
    start = time.perf_counter()
    score(examples)
    return time.perf_counter() - start


def measure(name, ours, make):
    """``make`` makes the examples anew."""
    scorers = (ours, score_entities, score_span_group)
    repeats = [[seconds(score, make()) for score in scorers] for _ in range(REPEATS)]
    own, *others = zip(*repeats, strict=True)
    ratios = [statistics.median(map(lambda a, b: a / b, own, other)) for other in others]
    print(
        f"{name:42} {statistics.median(own):.3f} s, {ratios[0]:.3f} x Scorer.score_spans of "
        f"entities, {ratios[1]:.3f} x of the span group"
    )


def main(documents):
    register_extensions()
    semeval, clef = make_semeval15_task14_scorer(), make_clefehealth13_task1_scorer()
    entities = make_semeval15_task14_scorer(gold="spacy", pred="spacy")
    print(f"{documents} documents of {TOKENS} tokens and {MENTIONS} mentions, budgets {BUDGETS}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "references.spacy"
        predicted = make_documents(documents, path)

        def read():
            return make_examples(read_references(path), predicted)

        def unpack():
            return make_examples(unpack_references(path), predicted)

        measure("semeval15_task14", semeval, read)
        measure("clefehealth13_task1", clef, read)
        measure("semeval15_task14, plain DocBin", semeval, unpack)
        measure("semeval15_task14, entities", entities, read)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
