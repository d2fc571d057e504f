"""Results in the schema of Every Eval Ever 0.3, which other tools and databases of results read.

https://github.com/evaleval/every_eval_ever
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from clineval.base.version import __version__
from clineval.results.options import check_name
from clineval.results.scores import Score

SCHEMA = "0.3.0"
_SHARES = ("precision", "recall", "f1", "accuracy")
"""Endings of keys whose scores are shares, from 0 to 1."""
_UNKNOWN = "unknown"


def describe_run(
    score: Score, system: str, keys: Sequence[str] = (), *, now: float | None = None
) -> dict[str, object]:
    """Describe the scores of a system as one record of Every Eval Ever.

    The record has the signature of the scores, and no text of notes.

    Args:
        score: the scores.
        system: the name of the system.
        keys: the keys of the scores; by default the main scores.
        now: the time in seconds since 1970; by default the present.

    Raises:
        InputError: there is no score of that name.

    Examples:
        >>> import clineval
        >>> gold = [[{"spans": [[4, 15]], "label": "Sign"}]]
        >>> record = describe_run(clineval.score("clinical_spans", gold, gold), "tagger", now=0)
        >>> record["evaluation_id"], record["schema_version"]
        ('clinical_spans/tagger/0', '0.3.0')
    """
    for key in keys:
        check_name("score", key, score.values)
    made = str(int(time.time() if now is None else now))
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{score.metric}/{system}/{made}",
        "evaluation_timestamp": made,
        "retrieved_timestamp": made,
        "source_metadata": {
            "source_name": score.challenge.task.title,
            "source_type": "evaluation_run",
            "source_organization_name": _UNKNOWN,
            "evaluator_relationship": "other",
        },
        "model_info": {
            "name": system,
            "id": system,
            "additional_details": {
                "deployment_type": _UNKNOWN,
                "model_availability": _UNKNOWN,
            },
        },
        "eval_library": {
            "name": "clineval",
            "version": __version__,
            "additional_details": {"signature": str(score.signature)},
        },
        "evaluation_results": [_describe_score(score, key) for key in keys or score.headline],
    }


def _describe_score(score: Score, key: str) -> dict[str, object]:
    """Describe one score, with its interval if there is one."""
    share = key.endswith(_SHARES)
    kind = next((name for name in _SHARES if key.endswith(name)), None)
    bounds = {"min_score": 0.0, "max_score": 1.0 if share else None}
    return {
        "evaluation_result_id": f"{score.metric}/{score.config}/{key}",
        "evaluation_name": f"{score.challenge.task.title}, {score.config}",
        "source_data": _describe_gold(score),
        "metric_config": {
            "metric_id": f"clineval.{score.metric}.{key}",
            "metric_name": key,
            **({"metric_kind": kind, "metric_unit": "proportion"} if kind else {}),
            "metric_parameters": {**score.signature.settings},
            "lower_is_better": score.challenge.measures.is_lower_better(key),
            "score_type": "continuous",
            **bounds,
        },
        "score_details": {"score": score.values[key], **_describe_interval(score, key)},
    }


def _describe_gold(score: Score) -> dict[str, object]:
    """Describe the gold standard: its name if it is known, its digest, its documents."""
    settings = score.signature.settings
    details = {name: settings[name] for name in ("refs", "docs") if name in settings}
    return {
        "dataset_name": score.dataset or f"{score.metric}, own gold standard",
        "source_type": "other",
        "additional_details": details,
    }


def _describe_interval(score: Score, key: str) -> dict[str, object]:
    """Describe the interval of a score, if it has one."""
    how, bounds = score.confidence, score.intervals.get(key) if score.confidence else None
    if how is None or bounds is None:
        return {}
    low, high = bounds
    return {
        "uncertainty": {
            "confidence_interval": {
                "lower": low,
                "upper": high,
                "confidence_level": how.level,
                "method": score.interval_methods[key],
            },
            "num_samples": len(score.counts),
            "num_bootstrap_samples": how.n_resamples,
        }
    }
