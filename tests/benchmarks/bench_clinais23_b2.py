"""B2 against segeval in one run: notes of 1,000 tokens and 10 sections, n_t = 40.

python tests/benchmarks/bench_clinais23_b2.py [notes]
"""

import json
import random
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from time import process_time

import segeval
from segeval.similarity.distance.multipleboundary import boundary_edit_distance

import clineval
from clineval.challenges.clinais23_b2.boundary_edits import find_edits
from clineval.challenges.clinais23_b2.spec import LABELS
from clineval.formats.note_json import read_notes
from clineval.kinds.sections.segmentation import join_notes

NAME = "clinais23_b2"
TOKENS, SECTIONS, N_T, PEER_NOTES = 1000, 10, 40, 20


def random_note(chance):
    """Gold and predicted labels; most boundaries are found, many of them displaced."""
    gold, found = [None] * TOKENS, [None] * TOKENS
    for at in chance.sample(range(TOKENS), SECTIONS):
        gold[at] = chance.choice(LABELS)
        moved = at + (chance.randint(-38, 38) if chance.random() < 0.4 else 0)
        if 0 <= moved < TOKENS and chance.random() < 0.9:
            found[moved] = gold[at] if chance.random() < 0.8 else chance.choice(LABELS)
    return gold, found


def seconds(call, most=5):
    """The best of some runs, in seconds of processor time."""
    times = []
    for _ in range(most):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def sets_of(labels):
    return tuple(frozenset([LABELS.index(label) + 1] if label else []) for label in labels)


def as_entries(golds, founds):
    """The notes in the task's JSON, both sides in one file."""

    def items(labels):
        return [
            {"span": "palabra", "boundary": label, "start_offset": 8 * k, "end_offset": 8 * k + 7}
            for k, label in enumerate(labels)
        ]

    return {
        "annotated_entries": {
            str(k): {"boundary_annotation": {"gold": items(gold), "prediction": items(found)}}
            for k, (gold, found) in enumerate(zip(golds, founds, strict=True))
        }
    }


def main(notes):
    chance = random.Random(40)
    golds, founds = zip(*(random_note(chance) for _ in range(notes)), strict=True)
    pairs = [(sets_of(f), sets_of(g)) for f, g in zip(founds, golds, strict=True)][:PEER_NOTES]
    sets = {"boundary_format": segeval.BoundaryFormat.sets, "n_t": N_T}
    peer_edits = seconds(lambda: [boundary_edit_distance(*p, n_t=N_T) for p in pairs], 3)
    peer_score = seconds(lambda: [segeval.boundary_similarity(*p, **sets) for p in pairs], 3)
    peer_edits, peer_score = peer_edits / PEER_NOTES, peer_score / PEER_NOTES

    sides = read_notes(golds, "gold"), read_notes(founds, "prediction")
    columns = join_notes(*sides, LABELS)
    edits = seconds(lambda: find_edits(columns.gold, columns.prediction, N_T)) / notes
    score = seconds(lambda: clineval.score(NAME, founds, golds)["b2"]) / notes
    alone = [join_notes(read_notes([g], "gold"), read_notes([f], "prediction"), LABELS)
             for g, f in zip(golds[:200], founds[:200], strict=True)]  # fmt: skip
    single = seconds(lambda: [find_edits(c.gold, c.prediction, N_T) for c in alone]) / len(alone)

    print(f"{notes} notes of {TOKENS} tokens, {SECTIONS} sections, n_t {N_T}; microseconds a note")
    rows = [
        ("edit distance, all notes at once", edits, peer_edits),
        ("edit distance, one note at a time", single, peer_edits),
        ("score from lists of labels", score, peer_score),
    ]
    for name, ours, theirs in rows:
        print(
            f"{name:<36}{ours * 1e6:>9.1f}   segeval {theirs * 1e6:>9.1f}   {theirs / ours:>7.0f} x"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "both.json"
        path.write_text(json.dumps(as_entries(golds, founds)))
        parse = seconds(lambda: json.loads(path.read_bytes()), 3) / notes
        read = seconds(lambda: clineval.score(NAME, path, path)["b2"], 3) / notes
        print(f"{'score from one file':<36}{read * 1e6:>9.1f}   json.loads {parse * 1e6:>9.1f}")
    scaling([notes // 4, notes], chance)


def scaling(sizes, chance):
    """The cost of a note does not grow with the corpus."""
    times = []
    for size in sizes:
        golds, founds = zip(*(random_note(chance) for _ in range(size)), strict=True)
        times.append(seconds(lambda g=golds, f=founds: clineval.score(NAME, f, g)["b2"], 3) / size)
    for (small, large), (one, other) in zip(pairwise(sizes), pairwise(times), strict=True):
        print(f"a note of {large} costs {other / one:.2f} x one of {small}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
