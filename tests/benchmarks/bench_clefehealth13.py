"""Speed of ShARe/CLEF 2013, as ratios measured in one run.

    python tests/benchmarks/bench_clefehealth13.py [documents]

Task 1 from files against a scorer in plain Python that only reads the same files and compares
sets, which is less than either protocol asks for; Task 3 against reading with the binding of
trec_eval itself and computing the same measures.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

import pytrec_eval

import clineval
from clineval.challenges.clefehealth13_task3.trec_measures import DEFAULT


def write_mentions(folder, documents, seed):
    chance = random.Random(seed)
    folder.mkdir()
    for number in range(documents):
        name = f"{number:06d}-DISCHARGE_SUMMARY"
        starts = sorted(chance.sample(range(0, 9000, 10), 35))
        lines = [
            f"{name}.txt||Disease_Disorder||C{chance.randrange(400):07d}||{at}||{at + 9}\n"
            for at in starts
        ]
        (folder / f"{name}.pipe").write_text("".join(lines))


def compare_sets(predicted, gold):
    sides = []
    for folder in (predicted, gold):
        mentions = {}
        for path in sorted(folder.iterdir()):
            for line in path.read_text().splitlines():
                document, _, code, *offsets = line.split("||")
                mentions[document, tuple(map(int, offsets))] = code.lower()
        sides.append(mentions)
    return len(sides[0].keys() & sides[1].keys())


def write_run(folder, topics):
    chance = random.Random(3)
    with (folder / "run").open("w") as run, (folder / "qrels").open("w") as qrels:
        for topic in range(topics):
            for rank in range(1000):
                run.write(f"q{topic} Q0 d{rank:06d} {rank} {chance.random():.4f} me\n")
                if rank % 8 == 0:
                    qrels.write(f"q{topic} 0 d{rank:06d} {chance.randrange(2)}\n")


def read_and_evaluate(run, qrels):
    with run.open() as one, qrels.open() as other:
        read, judged = pytrec_eval.parse_run(one), pytrec_eval.parse_qrel(other)
    return pytrec_eval.RelevanceEvaluator(judged, set(DEFAULT)).evaluate(read)


def seconds(call):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def main(documents):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for seed, side in enumerate(("gold", "pred")):
            write_mentions(folder / side, documents, seed)
        sides = folder / "pred", folder / "gold"
        plain = seconds(lambda: compare_sets(*sides))
        for protocol in ("spec", "official"):
            ours = seconds(
                lambda: clineval.score("clefehealth13_task1", *sides, protocol=protocol)  # noqa: B023
            )
            print(
                f"task 1, {documents} documents, {protocol}: {ours:.2f} s, "
                f"{ours / plain:.2f} x reading and comparing sets in plain Python"
            )
        write_run(folder, 50)
        files = folder / "run", folder / "qrels"
        binding = seconds(lambda: read_and_evaluate(*files))
        ours = seconds(lambda: clineval.score("clefehealth13_task3", *files).values)
        print(f"task 3, 50 topics of 1000: {ours:.2f} s, {ours / binding:.2f} x the binding alone")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
