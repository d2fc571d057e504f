"""Cost of the scorers of Docs against spaCy's own ``Scorer.score_spans``, on the same cold Docs.

Each repeat makes all Docs anew for each scorer, because alignments and spans stay where they were
once made: references are unpacked from a DocBin, and predictions written by a component. Repeats
of ours and spaCy's alternate, and the median of their ratios counts. Documents of 500 tokens with
35 mentions of 9 slots, predictions altered. The budget is that of mentions in the span group; what
it costs to read entities with extensions, on both sides, is shown beside it.

    python tests/benchmarks/bench_spacy_clin.py [documents]
"""

import random
import statistics
import sys
import time
import warnings

import spacy
from spacy.scorer import Scorer
from spacy.tokens import DocBin
from spacy.training import Example

from spacy_clin import register_extensions, set_mentions
from spacy_clin.extensions import PREFIX
from spacy_clin.scorers import make_clefehealth13_task1_scorer, make_semeval15_task14_scorer

BUDGET, REPEATS = 0.1, 5
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


def make_corpus(documents):
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
    return references.to_bytes(), predicted


def write(doc, mentions):
    set_mentions(doc, mentions)
    write_entities(doc, mentions)


def make_examples(references, predicted):
    examples = []
    for gold, mentions in zip(
        DocBin().from_bytes(references).get_docs(NLP.vocab), predicted, strict=True
    ):
        pred = NLP.make_doc(gold.text)
        write(pred, mentions)
        examples.append(Example(pred, gold))
    return examples


def seconds(score, corpus):
    examples = make_examples(*corpus)
    start = time.perf_counter()
    score(examples)
    return time.perf_counter() - start


def measure(name, ours, corpus):
    times, ratios = [], []
    for _ in range(REPEATS):
        spent = seconds(ours, corpus)
        theirs = seconds(lambda examples: Scorer.score_spans(examples, "ents"), corpus)
        times.append(spent)
        ratios.append(spent / theirs)
    ratio = statistics.median(ratios)
    print(
        f"{name:40} {statistics.median(times):.3f} s, {ratio:.3f} x Scorer.score_spans "
        f"({min(ratios):.3f} to {max(ratios):.3f})"
    )


def main(documents):
    register_extensions()
    corpus = make_corpus(documents)
    print(f"{documents} documents of {TOKENS} tokens and {MENTIONS} mentions, budget {BUDGET}")
    measure("semeval15_task14", make_semeval15_task14_scorer(), corpus)
    measure("clefehealth13_task1", make_clefehealth13_task1_scorer(), corpus)
    entities = make_semeval15_task14_scorer(gold="spacy", pred="spacy")
    measure("semeval15_task14, entities (no budget)", entities, corpus)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
