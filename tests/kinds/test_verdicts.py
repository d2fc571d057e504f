"""Counts, lists and errors agree whatever verdicts a protocol's matches have."""

from dataclasses import replace

import numpy as np
import pytest

import clineval
from clineval import Challenge, LabelledSpans, Task
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import confuse, count_mistakes
from clineval.kinds.mentions.measures import SpanMeasure
from clineval.kinds.mentions.rows import MatchKind, list_units, rows_of
from clineval.results.formulas import Prf
from clineval.results.match import NONE, VERDICTS, Match

GOLD = [[{"spans": [[0, 4]], "label": "a"}, {"spans": [[9, 12]], "label": "b"}], []]
FOUND = [
    [{"spans": [[0, 4]], "label": "a"}, {"spans": [[20, 22]], "label": "b"}],
    [{"spans": [[3, 4]], "label": "b"}],
]


class Displacing(LabelledSpans):
    """Lone predictions count as nothing, as under some released programs."""

    widest = "strict"

    def pair(self, block, setup, /):
        pairing = super().pair(block, setup)
        rows = np.arange(len(block.gold)), np.arange(len(block.prediction))
        match = list_units(pairing["strict"], *rows)
        verdict = np.where(match.verdict == VERDICTS.index("fp"), 3, match.verdict)
        return {**pairing, "strict": replace(match, verdict=verdict)}


class Own(SpanMeasure):
    """Recall of gold mentions and precision of predictions, in rows that pair nobody."""

    kind = MatchKind({"own_tp": ("found",), "own_fn": ("lost",), "own_fp": ("wrong",)})

    def list_matches(self, corpus, pairing, _labels, /):
        return rows_of(corpus, pairing, {"own": self.kind})

    def finish(self, totals, config, /):
        return Prf("own").finish(totals, config)


class OwnVerdicts(LabelledSpans):
    """Each side is judged by itself."""

    widest = "own"

    def pair(self, block, setup, /):
        pairs = super().pair(block, setup)["strict"]
        golds = np.isin(np.arange(len(block.gold)), pairs.gold)
        wrong = np.flatnonzero(~np.isin(np.arange(len(block.prediction)), pairs.prediction))
        return {
            "own": Match(
                np.concatenate([np.arange(len(golds)), np.full(len(wrong), NONE)]),
                np.concatenate([np.full(len(golds), NONE), wrong]),
                np.concatenate([np.where(golds, 0, 1), np.full(len(wrong), 2)]),
                ("found", "lost", "wrong"),
            )
        }


def evaluate(steps):
    challenge = Challenge(Task("own", "Own", "https://example.org"), {"spec": steps})
    return clineval.evaluate(challenge, FOUND, GOLD)


@pytest.mark.parametrize(
    ("steps", "counts", "errors"),
    [
        (
            Displacing(("a", "b")),
            {"strict_tp": 1, "strict_fp": 0, "strict_fn": 1, "b_strict_fp": 0, "b_strict_fn": 1},
            {"right": 1, "missed": 1, "displaced": 2},
        ),
        (
            OwnVerdicts(("a", "b"), scores=(Own(),)),
            {"own_tp": 1, "own_fp": 2, "own_fn": 1},
            {"right": 1, "missed": 1, "spurious": 2},
        ),
    ],
)
def test_counts_lists_and_errors_agree(steps, counts, errors):
    evaluation = evaluate(steps)
    scores, outcomes = evaluation.counts.score().values, evaluation.outcomes
    assert {key: scores[key] for key in counts} == counts
    listed = {
        key: len(match.rows(key)) for match in outcomes.matches.values() for key in match.columns
    }
    assert {key: listed[key] for key in counts} == counts
    assert {kind: n for kind, n in count_mistakes(outcomes).items() if n} == errors
    table = confuse(outcomes, "label").table
    assert table[-1].sum() == errors.get("spurious", 0)
    assert table[:, -1].sum() == errors["missed"]
    groups = break_down(outcomes, "slot:label").values
    for key, count in counts.items():
        assert sum(group[key] for group in groups.values()) == count


def test_verdicts_of_ones_own_pair_what_overlaps_whatever_its_class():
    """Where a protocol lists only its own match, errors look for labels that were confused."""

    class Relying(OwnVerdicts):
        any_class = False

    steps = Relying(("a", "b"), scores=(Own(),))
    challenge = Challenge(Task("own", "Own", "https://example.org"), {"spec": steps})
    found = [[{"spans": [[0, 4]], "label": "b"}], []]
    kinds = count_mistakes(clineval.evaluate(challenge, found, GOLD).outcomes)
    assert {kind: n for kind, n in kinds.items() if n} == {"label": 1, "missed": 1}
