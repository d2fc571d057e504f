"""Answers with quotes: what language models put out, placed in the notes and scored.

A model answers in JSON and quotes what it found; it gives no offsets. Here the quotes of each
answer are looked for in its note by a stated policy, and what comes out is scored by a challenge's
own metric:

    score = clineval.answers.score("semeval15_task14", "answers.jsonl", "gold/", texts="notes/")

The policy is in the signature. Nothing is left out: a quote that is not in the note is a false
positive, and the score tells how many there are. Records, which have no place, are scored as they
come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clineval.base.exports import import_later

if TYPE_CHECKING:
    from clineval.answers.alignment import Alignment, Placement, align_quotes
    from clineval.answers.notes import place_answers
    from clineval.answers.placing import PlacedAnswers
    from clineval.answers.reading import Answer, Item, read_answers
    from clineval.answers.rewards import Reward, reward
    from clineval.answers.scoring import Taken, evaluate, score, take_answers
    from clineval.kinds.mentions.columns import Lost

__all__ = [
    "Alignment",
    "Answer",
    "Item",
    "Lost",
    "PlacedAnswers",
    "Placement",
    "Reward",
    "Taken",
    "align_quotes",
    "evaluate",
    "place_answers",
    "read_answers",
    "reward",
    "score",
    "take_answers",
]

# a command declares the options of answers, and needs no more where none are given
__getattr__, __dir__ = import_later(
    __name__,
    {
        "alignment": ("Alignment", "Placement", "align_quotes"),
        "notes": ("place_answers",),
        "placing": ("PlacedAnswers",),
        "reading": ("Answer", "Item", "read_answers"),
        "rewards": ("Reward", "reward"),
        "scoring": ("Lost", "Taken", "evaluate", "score", "take_answers"),
    },
)
