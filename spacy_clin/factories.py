"""Pipeline components.

spaCy imports this file for every user of the environment whenever a pipeline is made, so it needs
nothing but spaCy, and imports the rest when a component is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example


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


class Converter:
    """Writes a Doc's annotation, wherever it is, to the span group that scorers read."""

    def __init__(self, challenge: str, getter: Any) -> None:
        self.challenge = challenge
        self.getter = getter

    def __call__(self, doc: Doc) -> Doc:
        """Write the span group."""
        from spacy_clin.converter import convert

        convert(doc, self.challenge, self.getter)
        return doc


def _make_converter(nlp: Language, name: str, challenge: str, getter: Any) -> Converter:  # noqa: ARG001
    return Converter(challenge, getter)


def _make_scoring(
    nlp: Language,  # noqa: ARG001 - what a factory is called with
    name: str,  # noqa: ARG001
    scorer: Callable[..., dict[str, Any]] | None,
) -> ScoringComponent:
    return ScoringComponent(scorer)


def _register_scoring(challenge: str, shown: dict[str, float], *hidden: str) -> Any:
    """Register the factory ``clin_<challenge>``.

    Args:
        challenge: the module name.
        shown: names of scores in the training table and their weights.
        hidden: names of scores that are computed and not shown.
    """
    weights: dict[str, Any] = {**shown, **dict.fromkeys(hidden)}
    return Language.factory(
        f"clin_{challenge}",
        default_config={"scorer": {"@scorers": f"spacy_clin.{challenge}_scorer.v1"}},
        default_score_weights=weights,
        func=_make_scoring,
    )


make_converter = Language.factory(
    "clin_converter",
    default_config={"challenge": "semeval15_task14", "getter": "spacy"},
    func=_make_converter,
)
make_semeval15_task14 = _register_scoring(
    "semeval15_task14",
    {"s15_strict_f": 0.0, "s15_relax_f": 0.0, "s15_f_x_wa": 1.0},
    "s15_strict_p",
    "s15_strict_r",
    "s15_relax_p",
    "s15_relax_r",
    "s15_span_p",
    "s15_span_r",
    "s15_span_f",
    "s15_acc",
    "s15_wa",
    "s15_f_x_acc",
    "s15_scores",
)
make_clefehealth13_task1 = _register_scoring(
    "clefehealth13_task1",
    {"c13t1_exact_f": 0.5, "c13t1_over_f": 0.0, "c13t1_acc": 0.5},
    "c13t1_exact_p",
    "c13t1_exact_r",
    "c13t1_over_p",
    "c13t1_over_r",
    "c13t1_acc_r",
    "c13t1_scores",
)
make_clefehealth13_task2 = _register_scoring(
    "clefehealth13_task2", {"c13t2_acc": 1.0, "c13t2_acc_r": 0.0}, "c13t2_scores"
)
make_i2b2_2009_medication = _register_scoring(
    "i2b2_2009_medication",
    {"i09_ex_f": 1.0, "i09_in_f": 0.0},
    "i09_ex_p",
    "i09_ex_r",
    "i09_in_p",
    "i09_in_r",
    "i09_ex_pat_f",
    "i09_in_pat_f",
    *(f"i09_{name}_f" for name in ("med", "dos", "mod", "fre", "dur", "rea")),
    "i09_scores",
)
make_clinais23_b2 = _register_scoring("clinais23_b2", {"ais_b2": 1.0, "ais_b": 0.0}, "ais_scores")
