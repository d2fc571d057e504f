"""Cost of the scorers of Docs against spaCy's own ``Scorer.score_spans``, on the same cold Docs.

Each repeat unpacks all Docs anew for each scorer, because alignments, spans and strings stay where
they were once made. The repeats of ours and spaCy's alternate, and the median of their ratios
counts. Documents of 500 tokens with 35 mentions of 9 slots, predictions altered.

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
    "body_location": ("NULL", "C0225860"),
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
    """The same mentions as entities and extensions, as most packages have them."""
    ends = [(m["spans"][0], m) for m in mentions]
    doc.ents = [doc.char_span(*s, label="D", kb_id=m["cui"] or "") for s, m in ends]
    for entity, mention in zip(doc.ents, mentions, strict=True):
        for name in VALUES:
            entity._.set(f"{PREFIX}{name}", mention[name])


def pack(documents):
    """Gold and predicted Docs, ready to be unpacked again and again."""
    chance = random.Random(14)
    sides = DocBin(store_user_data=True), DocBin(store_user_data=True)
    words = [f"w{number}" for number in range(3000)]
    for _ in range(documents):
        text = " ".join(chance.choices(words, k=TOKENS))
        gold = NLP.make_doc(text)
        mentions = make_mentions(gold, chance)
        kept = [alter(mention, chance) for mention in mentions if chance.random() < 0.9]
        for side, found in zip(sides, (mentions, kept), strict=True):
            doc = NLP.make_doc(text)
            set_mentions(doc, found)
            write_entities(doc, found)
            side.add(doc)
    return [side.to_bytes() for side in sides]


def unpack(packed):
    golds, preds = (DocBin().from_bytes(side).get_docs(NLP.vocab) for side in packed)
    return [Example(pred, gold) for gold, pred in zip(golds, preds, strict=True)]


def seconds(score, packed):
    examples = unpack(packed)
    start = time.perf_counter()
    score(examples)
    return time.perf_counter() - start


def measure(name, ours, packed):
    times, ratios = [], []
    for _ in range(REPEATS):
        spent = seconds(ours, packed)
        theirs = seconds(lambda examples: Scorer.score_spans(examples, "ents"), packed)
        times.append(spent)
        ratios.append(spent / theirs)
    ratio = statistics.median(ratios)
    print(
        f"{name}: {statistics.median(times):.3f} s, {ratio:.3f} x Scorer.score_spans "
        f"(budget {BUDGET}; {min(ratios):.3f} to {max(ratios):.3f})"
    )
    return ratio


def main(documents):
    register_extensions()
    packed = pack(documents)
    scorers = {
        "semeval15_task14, span group": make_semeval15_task14_scorer(),
        "semeval15_task14, span group and entities": make_semeval15_task14_scorer(pred="spacy"),
        "semeval15_task14, entities": make_semeval15_task14_scorer(gold="spacy", pred="spacy"),
        "clefehealth13_task1, span group": make_clefehealth13_task1_scorer(),
    }
    print(f"{documents} documents of {TOKENS} tokens and {MENTIONS} mentions")
    ratios = [measure(name, scorer, packed) for name, scorer in scorers.items()]
    return int(max(ratios) > BUDGET)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500))
