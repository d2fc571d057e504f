"""Cost of scoring ``.spacy`` files against what spaCy needs to read them, whole processes.

Both sides have 10,000 Docs of 150 tokens with 12 mentions, some with two fragments: mentions of
SemEval with nine slots, and labelled spans. ``clineval score`` with one process and with two is
measured in turn with a program that only reads both files with ``DocBin``. The median of the ratios
of processor time counts; the budget is 1.5. Elapsed time and peak memory are shown beside it.

    python tests/benchmarks/bench_docbins.py [documents]
"""

import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import measure_with_memory

BUDGET, REPEATS = 1.5, 5
TOKENS, MENTIONS = 150, 12
READ = """
import sys
import spacy
from spacy.tokens import DocBin

for path in sys.argv[1:]:
    vocab = spacy.blank("en").vocab
    for doc in DocBin().from_disk(path).get_docs(vocab):
        pass
"""
MODULES = {"semeval15_task14": "cui", "clinical_spans": "label"}


def make_mentions(doc, chance, slot):
    from bench_spacy_clin import VALUES

    mentions = []
    for first in range(0, TOKENS - 8, TOKENS // MENTIONS):
        ends = [(first, first + chance.randrange(1, 4))]
        if chance.random() < 0.1:
            ends.append((first + 5, first + 7))
        spans = [[doc[a].idx, doc[b - 1].idx + len(doc[b - 1])] for a, b in ends]
        more = {n: values[chance.random() < 0.2] for n, values in VALUES.items()}
        held = {slot: f"C{chance.randrange(40):07d}", **(more if slot == "cui" else {})}
        mentions.append({"spans": spans, **held})
    return mentions[:MENTIONS]


def write_corpora(folder, documents):
    import spacy
    from spacy.tokens import DocBin

    from spacy_clin import set_mentions

    nlp, words = spacy.blank("en"), [f"w{number}" for number in range(3000)]
    for module, slot in MODULES.items():
        chance = random.Random(57)
        sides = DocBin(), DocBin()
        for number in range(documents):
            text = " ".join(chance.choices(words, k=TOKENS))
            for side, kept in zip(sides, (1, 0.9), strict=True):
                doc = nlp.make_doc(text)
                found = [m for m in make_mentions(doc, chance, slot) if chance.random() < kept]
                set_mentions(doc, found, document=f"n{number:06d}")
                side.add(doc)
        for side, name in zip(sides, ("gold", "system"), strict=True):
            side.to_disk(folder / f"{module}-{name}.spacy")


def main(documents):
    print(f"{documents} Docs of {TOKENS} tokens and {MENTIONS} mentions on each side")
    with tempfile.TemporaryDirectory() as name:
        # in a process of its own, because a process has the peak memory of the one that starts it
        subprocess.run([sys.executable, __file__, "--make", name, str(documents)], check=True)
        for module in MODULES:
            measure(module, [Path(name, f"{module}-{side}.spacy") for side in ("gold", "system")])


def measure(module, paths):
    score = ("-m", "clineval", "score", module, *paths, "--jobs")
    ways = {"DocBin": ("-c", READ, *paths), "score": (*score, 1), "--jobs 2": (*score, 2)}
    runs = [{n: measure_with_memory(*way) for n, way in ways.items()} for _ in range(REPEATS)]
    for name in ways:
        elapsed, processor, memory = zip(*(each[name] for each in runs), strict=True)
        ratio = statistics.median(each[name][1] / each["DocBin"][1] for each in runs)
        print(
            f"{module:17} {name:9} {statistics.median(processor):6.2f} s of processor time, "
            f"{statistics.median(elapsed):6.2f} s elapsed, {max(memory):5.0f} MB, {ratio:.2f} x "
            f"(budget {BUDGET})"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        write_corpora(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
