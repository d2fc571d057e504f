"""Speed of records: 100,000 observations and 100,000 orders a side, four to a document.

The records of a schema are orders too, each with a nested list of two doses.

    python tests/benchmarks/bench_records.py [records]

Budget: paired and counted in at most 1 s on one core, columns ready, by either challenge; with
nested lists, 200,000 records more, in at most 4 s.
"""

import random
import sys
import time

from clineval.evaluation.evaluate import count_block
from clineval.results.registry import find_challenge

SIZE = 4
TEXT = (
    "lipid panel chest x-ray knee mri aspirin 81 mg daily follow up in two weeks cbc hemoglobin "
    "referral cardiology metoprolol 25 ct abdomen contrast left right refill blood pressure cuff"
)
WORDS = TEXT.split()
TYPES = ("medication", "lab", "imaging", "followup")


def make_order(chance):
    return {
        "description": " ".join(chance.choices(WORDS, k=chance.randint(2, 6))),
        "reason": " ".join(chance.choices(WORDS, k=chance.randint(0, 4))),
        "order_type": chance.choice(TYPES),
        "provenance": chance.sample(range(60), chance.randint(1, 4)),
    }


def blur_order(chance, order):
    words = order["description"].split()
    words[chance.randrange(len(words))] = chance.choice(WORDS)
    return {**order, "description": " ".join(words)} if chance.random() < 0.5 else order


def make_observation(chance):
    values = chance.choice([chance.randint(0, 200), "F", ["Warm", "Dry"], "Alert"])
    return {"id": str(chance.randint(1, 193)), "value_type": "MULTI_SELECT", "value": values}


def blur_observation(chance, observation):
    return observation if chance.random() < 0.8 else {**observation, "value": chance.choice(WORDS)}


def make_nested(chance):
    doses = [{"mg": chance.randint(1, 9), "when": chance.choice(TYPES)} for _ in range(2)]
    return {**make_order(chance), "doses": doses}


def blur_nested(chance, order):
    doses = [{**dose, "mg": chance.randint(1, 9)} for dose in order["doses"]]
    return {**blur_order(chance, order), "doses": doses}


def measure_pairing(module, make, blur, records):
    """Return the seconds of the processor, the best of three."""
    chance = random.Random(1)
    gold = [[make(chance) for _ in range(SIZE)] for _ in range(records // SIZE)]
    found = [[blur(chance, record) for record in document] for document in gold]
    setup = find_challenge(module).setup("default", "spec", {})
    references, [predictions] = setup.steps.read(gold, [found], setup)
    best = float("inf")
    for _ in range(3):
        corpus = setup.steps.join(references, predictions, setup)
        start = time.process_time()
        count_block(corpus, setup.steps.pair(corpus, setup), setup)
        best = min(best, time.process_time() - start)
    return best


def main():
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for module, make, blur in (
        ("mediqa_synur26", make_observation, blur_observation),
        ("mediqa_oe25", make_order, blur_order),
        ("clinical_records", make_nested, blur_nested),
    ):
        seconds = measure_pairing(module, make, blur, records)
        print(f"{module}: {records:,} records a side paired and counted in {seconds:.2f} s")


if __name__ == "__main__":
    main()
