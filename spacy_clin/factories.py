"""Pipeline components. spaCy imports this file for every user of the environment, whenever a
pipeline is made, so it needs nothing but spaCy and imports the rest when a component is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

_HIDDEN = None


class ScoringComponent:
    """A component that changes nothing and scores: ``nlp.evaluate`` asks it for its scores."""

    def __init__(self, scorer: Callable[..., dict[str, Any]] | None) -> None:
        self.scorer = scorer

    def __call__(self, doc: Doc) -> Doc:
        """Give the document back as it is."""
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:  # noqa: ARG002
        """Give the documents back as they are."""
        yield from stream

    def score(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        """Score what the whole pipeline predicted."""
        return self.scorer(examples, **settings) if self.scorer is not None else {}


def _register(
    challenge: str, weights: dict[str, float | None]
) -> Callable[[Language, str, Callable[..., dict[str, Any]] | None], ScoringComponent]:
    def make(
        nlp: Language,  # noqa: ARG001 - what a factory is called with
        name: str,  # noqa: ARG001
        scorer: Callable[..., dict[str, Any]] | None,
    ) -> ScoringComponent:
        return ScoringComponent(scorer)

    factory: Any = Language.factory(
        f"clin_{challenge}",
        default_config={"scorer": {"@scorers": f"spacy_clin.{challenge}_scorer.v1"}},
        default_score_weights=weights,  # type: ignore[arg-type] # None hides a score
        func=make,
    )
    made: Callable[..., ScoringComponent] = factory
    return made


make_semeval15_task14 = _register(
    "semeval15_task14",
    {
        "s15_f_x_wa": 1.0,
        "s15_strict_f": 0.0,
        "s15_relax_f": 0.0,
        "s15_strict_p": _HIDDEN,
        "s15_strict_r": _HIDDEN,
        "s15_relax_p": _HIDDEN,
        "s15_relax_r": _HIDDEN,
        "s15_span_p": _HIDDEN,
        "s15_span_r": _HIDDEN,
        "s15_span_f": _HIDDEN,
        "s15_acc": _HIDDEN,
        "s15_wa": _HIDDEN,
        "s15_f_x_acc": _HIDDEN,
        "s15_scores": _HIDDEN,
    },
)
