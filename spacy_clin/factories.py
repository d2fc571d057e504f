"""Pipeline components: ``clin_scorer``, ``clin_<challenge>`` and ``clin_converter``.

spaCy imports this file for every user of the environment whenever a pipeline is built. So it
needs only spaCy, and imports everything else when a component is used.
"""

# do not turn annotations into strings: spaCy 3.7 reads the types of registered functions

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

Scorer = Callable[..., dict[str, object]]
_PREFIX, _SCORER = "make_", "clin_scorer"


class ScoringComponent:
    """A component that leaves Docs unchanged and scores: ``nlp.evaluate`` calls its ``score``."""

    def __init__(self, scorer: Scorer | None) -> None:
        self.scorer = scorer

    def __call__(self, doc: Doc) -> Doc:
        """Return the document unchanged."""
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:  # noqa: ARG002
        """Yield the documents unchanged."""
        yield from stream

    def initialize(self, get_examples: object = None, *, nlp: Language | None = None) -> None:  # noqa: ARG002
        """Reject weights of scores that no scorer returns, before training."""
        if nlp is not None:
            from spacy_clin.scorers import check_weights

            parts = [part for _, part in nlp.pipeline if isinstance(part, ScoringComponent)]
            check_weights([part.scorer for part in parts], nlp.config["training"]["score_weights"])

    def score(self, examples: Iterable[Example], **settings: object) -> dict[str, object]:
        """Score the predictions of the whole pipeline."""
        return self.scorer(examples, **settings) if self.scorer is not None else {}


class Converter:
    """Copies the annotation of a Doc from any place to the span group that scorers read."""

    def __init__(self, challenge: str, getter: Any) -> None:
        self.challenge = challenge
        self.getter = getter

    def __call__(self, doc: Doc) -> Doc:
        """Write the span group."""
        from spacy_clin.kinds import convert_doc

        convert_doc(doc, self.challenge, self.getter)
        return doc


def _make_converter(nlp: Language, name: str, challenge: str, getter: Any) -> Converter:  # noqa: ARG001
    from spacy_clin.kinds import DEFAULT, find_annotation

    find_annotation(challenge or DEFAULT).find_reader(getter, "getter")
    return Converter(challenge, getter)


def _make_clin_scorer(  # noqa: PLR0913, PLR0917 - the settings of the configuration
    nlp: Language,  # noqa: ARG001 - spaCy passes it to every factory
    name: str,  # noqa: ARG001
    challenge: str,
    config: str,
    protocol: str,
    gold: object,
    pred: object,
    options: dict[str, object],
    prefix: str,
    table_key: str | None,
) -> ScoringComponent:
    from spacy_clin.scorers import make_scorer

    scorer = make_scorer(
        challenge=challenge, config=config, protocol=protocol, gold=gold, pred=pred,
        options=options, prefix=prefix, table_key=table_key,
    )  # fmt: skip
    return _weighted(_SCORER, scorer, None)


def _weighted(factory: str, scorer: Scorer | None, challenge: str | None) -> ScoringComponent:
    """Return the component, after registering its scores and weights with the factory.

    spaCy keeps weights for each factory, but the scores depend on the scorer's configuration and
    prefix. A weight on a score that is never produced would select an arbitrary model. A pipeline
    reads the factory's weights as soon as the component is made.
    """
    from spacy_clin.scorers import make_scorer

    weights = getattr(scorer, "score_weights", None)
    if weights is None and challenge is not None:
        weights = getattr(make_scorer(challenge=challenge), "score_weights", {})
    meta = Language.get_factory_meta(factory)
    Language.set_factory_meta(
        factory, replace(meta, scores=list(weights or {}), default_score_weights=weights or {})
    )
    return ScoringComponent(scorer)


make_converter = Language.factory(
    "clin_converter",
    default_config={"challenge": "", "getter": "auto"},
    func=_make_converter,
)
make_clin_scorer = Language.factory(
    _SCORER,
    default_config={
        "config": "default", "protocol": "spec", "gold": "clin", "pred": "auto",
        "options": {}, "prefix": "", "table_key": None,
    },
    func=_make_clin_scorer,
)  # fmt: skip


def __getattr__(name: str) -> Callable[..., ScoringComponent]:
    """Return ``make_<challenge>``: the factory ``clin_<challenge>`` of the entry points."""
    if not name.startswith(_PREFIX):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _register(name.removeprefix(_PREFIX))


@cache
def _register(challenge: str) -> Callable[..., ScoringComponent]:
    factory = f"clin_{challenge}"

    def make_scoring(
        nlp: Language,  # noqa: ARG001
        name: str,  # noqa: ARG001
        scorer: Scorer | None,
    ) -> ScoringComponent:
        return _weighted(factory, scorer, challenge)

    usual = {"scorer": {"@scorers": f"spacy_clin.{challenge}_scorer.v1"}}
    registered: Callable[..., ScoringComponent] = Language.factory(
        factory, default_config=usual, func=make_scoring
    )
    return registered
