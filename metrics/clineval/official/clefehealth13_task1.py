"""The output files of ``eval.pl``, the script of ShARe/CLEF 2013 Task 1 and SemEval-2014 Task 7."""

from __future__ import annotations

from clineval.scores import Score


def format_task_a(score: Score) -> str:
    """The file that the script writes for Task 1a."""
    return _format_spans("Strict", "exact", score) + _format_spans("Relaxed", "overlap", score)


def format_task_b(score: Score) -> str:
    """The file that the script writes for Task 1b."""
    return "".join(
        f"\n* Task B {name}:\nAccuracy: \t{score[f'{name.lower()}_accuracy']:.3f}\n"
        for name in ("Strict", "Relaxed")
    )


def _format_spans(name: str, prefix: str, score: Score) -> str:
    precision, recall, f1 = (score[f"{prefix}_{key}"] for key in ("precision", "recall", "f1"))
    return (
        f"\n* Task A {name}:\n"
        f"Precision: \t{precision:.3f}\nRecall: \t{recall:.3f}\nF-score: \t{f1:.3f}\n"
    )
