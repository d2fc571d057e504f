"""Score the answers of language models: JSON with quotes, which are located in the notes.

A model answers in JSON with quotes instead of offsets. This package finds the quotes of each
answer in its note by an explicit policy, and scores the result by a challenge's own metric:

    score = clineval.answers.score("semeval15_task14", "answers.jsonl", "gold/", texts="notes/")

The signature contains the policy. Every item of an answer counts: a quote that is not in the note
is a false positive, and the score reports the number of these. Records have no place in the note
and are scored unchanged.
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

# commands declare the options of answers, and need nothing else unless answers are scored
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
