"""Speed of n2c2 2018 Track 2 on documents of its size: 80 entities, 60 relations.

    python tests/benchmarks/bench_n2c2_2018_track2.py [documents]

Budgets: the 505 documents of the corpus from brat's files on both sides in at most 2 s, whole
process, and ten times as many, the default, in 15 s; at least 1,000,000 gold relations a second
paired and counted on one core, columns ready.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

from processes import measure, measure_reading

from clineval.challenges.n2c2_2018_track2 import CHALLENGE
from clineval.challenges.n2c2_2018_track2.measures import CONCEPTS
from clineval.evaluation.evaluate import count_block

ENTITIES, RELATIONS = 80, 60


def make_document(chance):
    """Entities one after the other, and relations of the first others with a drug each."""
    entities, at = [], 0
    for number in range(ENTITIES):
        start = at + chance.randint(3, 200)
        at = start + chance.randint(3, 15)
        entities.append((CONCEPTS[number % len(CONCEPTS)], start, at))
    drugs = [at for at, entity in enumerate(entities) if entity[0] == "Drug"]
    others = [at for at, entity in enumerate(entities) if entity[0] != "Drug"]
    return entities, [(other, chance.choice(drugs)) for other in others[:RELATIONS]]


def blur(chance, entities):
    """Entities as a system may find them: number to type, start and end."""
    found = {}
    for number, (label, start, end) in enumerate(entities):
        luck = chance.random()
        if luck < 0.94:
            kind = chance.choice(CONCEPTS) if luck < 0.05 else label
            found[number] = (kind, start, end + (luck > 0.85))
    return found


def write(path, entities, relations):
    lines = [
        f"T{number}\t{label} {start} {end}\t{'w' * (end - start)}\n"
        for number, (label, start, end) in entities.items()
    ]
    lines += [
        f"R{number}\t{entities[one][0]}-Drug Arg1:T{one} Arg2:T{other}\n"
        for number, (one, other) in enumerate(relations)
        if one in entities and other in entities and entities[one][0] != "Drug"
    ]
    path.write_text("".join(lines))


def write_corpus(folder, documents):
    chance = random.Random(1)
    for side in ("gold", "system"):
        (folder / side).mkdir()
    for number in range(documents):
        entities, relations = make_document(chance)
        write(folder / "gold" / f"{number}.ann", dict(enumerate(entities)), relations)
        write(folder / "system" / f"{number}.ann", blur(chance, entities), relations)


def measure_pairing(folder):
    """Gold relations a second, the best of three."""
    setup = CHALLENGE.setup("relations", "spec", {})
    gold, [system] = CHALLENGE.steps.read(folder / "gold", [folder / "system"], setup)
    corpus = CHALLENGE.steps.join(gold, system, setup)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for block in corpus.blocks():
            count_block(block, CHALLENGE.steps.pair(block, setup), setup)
        best = min(best, time.process_time() - start)
    return len(corpus.gold) / best


def main(documents):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_corpus(folder, documents)
        command = ("-m", "clineval", "score", CHALLENGE.name, folder / "gold", folder / "system")
        bare, _ = measure_reading(folder)
        for protocol in ("spec", "official"):
            seconds, used = measure(*command, "--protocol", protocol)
            print(
                f"{documents} documents from files, {protocol}: {seconds:.2f} s, whole process "
                f"({used:.2f} s of a processor), {seconds / bare:.1f} times a bare read of them"
            )
        print(f"{measure_pairing(folder) / 1e6:.1f} million gold relations a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5050)
