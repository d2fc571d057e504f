"""Scorers for a pipeline's configuration: ``@scorers = "spacy_clin.scorer.v1"``.

``spacy_clin.<challenge>_scorer.v1`` sets the challenge, and has the challenge's options as
settings. As spaCy requires, each is a function that makes a scorer.
"""

# do not turn annotations into strings: spaCy 3.7 reads the types of registered functions

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, Signature
from typing import Any
from warnings import catch_warnings, simplefilter

from spacy.tokens import Doc
from spacy.training import Example

from clineval.base.errors import InputError, listed, unknown_name, warn
from clineval.evaluation.evaluate import make_setup
from clineval.results.options import Option
from clineval.results.scores import Score
from clineval.results.views import COLUMN
from spacy_clin.annotation import USUAL, Annotation
from spacy_clin.guards import PREDICTIONS, REFERENCES
from spacy_clin.kinds import DEFAULT, find_annotation
from spacy_clin.scoring import score_examples
from spacy_clin.settings import Reader

Scorer = Callable[..., dict[str, object]]
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChallengeScorer:
    """Scores Examples by one challenge; can be pickled.

    Args:
        challenge: the module name.
        settings: arguments of :func:`spacy_clin.score_docs`.
        prefix: the prefix of the names of the scores; if empty, the challenge's own.
        table_key: also return the scores under the names that ``spacy evaluate --spans-key``
            prints.

    Raises:
        InputError: a challenge, configuration, protocol, option, preset, slot or label does not
            exist, or the prefix is too long for the training table.
    """

    challenge: str
    settings: Settings = field(default_factory=dict)
    prefix: str = ""
    table_key: str | None = None

    def __post_init__(self) -> None:
        names = self._annotation.view.names
        if not names:
            raise InputError(
                f"{self.challenge} declares no scores for the training table",
                remedy="Declare headline=, or docs=DocView(...) with names, in the challenge",
            )
        longest = max(map(len, names.values()))
        if len(self._prefix) + 1 + longest > COLUMN:
            problem = f"the prefix {self.prefix!r} is too long: the training table shows {COLUMN}"
            remedy = f"Use at most {COLUMN - 1 - longest}"
            raise InputError(f"{problem} characters", remedy=remedy)
        _check_settings(self._annotation, self.settings)

    @property
    def _annotation(self) -> Annotation:
        return find_annotation(self.challenge)

    @property
    def _prefix(self) -> str:
        return self.prefix or self._annotation.view.prefix

    @property
    def beginnings(self) -> set[str]:
        """The prefix of its scores, and the challenge's own prefix."""
        return {f"{self._prefix}_", f"{self._annotation.view.prefix}_"}

    @property
    def names(self) -> dict[str, str]:
        """A dict from the key of each score to its name."""
        return {key: f"{self._prefix}_{name}" for key, name in self._annotation.view.names.items()}

    @property
    def score_weights(self) -> dict[str, float | None]:
        """Name to weight in the choice of a model, for all scores; None if it is not shown.

        The score that ranks systems has weight 1. Several ranking scores have equal weights. If
        the challenge declares none, the first main score that the table shows has weight 1.
        """
        config, names = self.settings.get("config", "default"), self.names
        measures, columns = self._annotation.challenge.measures, self._annotation.view.columns
        keys = columns.get(config, columns["default"])
        usual = [key for key in (*measures.headline, *keys) if key in keys][:1]
        first = measures.ranking.get(config, measures.ranking.get("default", usual))
        shown: dict[str, float | None] = {
            names[key]: 1 / len(first) if key in first else 0.0 for key in keys
        }
        others = (f"{self._prefix}_scores", f"{self._prefix}_dataset")
        return {**shown, **{name: shown.get(name) for name in (*names.values(), *others)}}

    @property
    def produced(self) -> set[str]:
        """The names of the scores that the configuration returns."""
        with catch_warnings():
            simplefilter("ignore")
            of_any = {name: of for name, of in self.settings.items() if name != "dataset"}
            values = score_examples([], self.challenge, **of_any).values
        return {name for key, name in self.names.items() if key in values}

    def __call__(self, examples: Iterable[Example], **_: object) -> dict[str, object]:
        """Return the scores: floats under short names, and a dict with all scores.

        The dict contains the name of the gold standard, if it is known. All values are None if no
        reference is annotated, as in spaCy. Other keyword arguments are settings of the scorer's
        component, and are ignored.
        """
        known = list(examples)
        if known and not self._is_annotated([example.reference for example in known]):
            warn(
                "no reference is annotated, so there are no scores. Splitting references loses "
                "their spans: use spacy_clin.Corpus.v1, without gold_preproc and max_length; or "
                "set the place of the gold mentions, such as gold='spacy' for doc.ents"
            )
            return dict.fromkeys([*self.names.values(), f"{self._prefix}_scores"])
        score = score_examples(known, self.challenge, **self.settings)
        short = {n: float(score[key]) for key, n in self.names.items() if key in score.values}
        everything = {key: float(value) for key, value in score.values.items()}
        table = {} if self.table_key is None else _as_table(self.table_key, score)
        known_as = {f"{self._prefix}_dataset": score.dataset} if score.dataset else {}
        return {**short, f"{self._prefix}_scores": everything, **known_as, **table}

    def _is_annotated(self, docs: Sequence[Doc]) -> bool:
        """Return whether any reference has the annotation that is scored, even if it is empty."""
        given = self.settings.get("gold", USUAL[REFERENCES])
        return self._annotation.is_annotated(docs, given)


def _check_settings(annotation: Annotation, settings: Settings) -> None:
    """Reject unknown settings when a pipeline is loaded, before it is scored."""
    options, challenge = dict(settings), annotation.challenge
    sides = {"gold": USUAL[REFERENCES], "pred": USUAL[PREDICTIONS]}
    readers = [annotation.find_reader(options.pop(n, usual), n) for n, usual in sides.items()]
    config, protocol = options.pop("config", "default"), options.pop("protocol", "spec")
    dataset = options.pop("dataset", None)
    annotation.judge(config)
    kept = {n: value for n, value in options.items() if _is_at_hand(challenge.option(n), value)}
    setup = make_setup(challenge, config, protocol, dataset=dataset, **kept)
    for reader in readers if annotation.view.labels else ():
        _check_labels(reader, setup[annotation.view.labels])


def _is_at_hand(option: Option, value: object) -> bool:
    """Return whether a value can be checked; pipelines load even if an option's file is missing."""
    try:
        option.judge(value)
    except InputError as error:
        if option.kind == "choice" or not isinstance(value, str):
            raise
        warn(f"{option.name}: {error}")
        return False
    return True


def _check_labels(reader: Reader | str, labels: Sequence[str]) -> None:
    """Reject meanings of labels that the challenge does not have."""
    sources = reader.sources.values() if isinstance(reader, Reader) else ()
    for label in (value for source in sources if source for value in source.values.values()):
        if label and label not in labels:
            raise unknown_name("label", label, labels, where="labels")


def check_weights(scorers: Iterable[object], weights: Mapping[str, float | None]) -> None:
    """Reject weights of scores that no scorer returns, and weights that are all 0.

    With such weights, training could not choose the best model.
    """
    parts = [part for scorer in scorers for part in _parts_of(scorer)]
    ours = [part for part in parts if isinstance(part, ChallengeScorer)]
    produced = set[str]().union(*(scorer.produced for scorer in ours))
    # prefixes of scores that only these scorers return
    prefixes = tuple(name for scorer in ours for name in scorer.beginnings)
    lacking = [n for n, w in weights.items() if w and n.startswith(prefixes) and n not in produced]
    if prefixes and lacking:
        raise InputError(
            f"{listed(lacking)}: no scorer returns this score, only {listed(sorted(produced))}",
            where="[training.score_weights]",
            remedy="Weight an existing score, or delete score_weights and fill the configuration "
            "again",
        )
    if ours and not any(weights.values()):
        best = [name for scorer in ours for name, w in scorer.score_weights.items() if w]
        raise InputError(
            "all weights are 0, so no score chooses the best model",
            where="[training.score_weights]",
            remedy=f"Weight a score, such as {(best or sorted(produced))[0]} = 1.0",
        )


def _as_table(key: str, score: Score) -> Mapping[str, object]:
    """Return precision, recall and F1 under the names that spaCy's own command prints."""
    rows = {
        row: dict(zip("prf", map(float, map(score.__getitem__, keys[:3])), strict=True))
        for grid in score.challenge.measures.grids
        for row, keys in grid.rows.items()
        if grid.columns[:3] == ("P", "R", "F1") and set(keys) <= score.values.keys()
    }
    if not rows:
        raise InputError(
            f"table_key needs precision, recall and F1, and {score.metric} has none",
            remedy="Remove table_key",
        )
    first = next(iter(rows.values()))
    return {
        **{f"spans_{key}_{letter}": value for letter, value in first.items()},
        f"spans_{key}_per_type": rows,
    }


def make_scorer(  # noqa: PLR0913 - the settings of the configuration
    *,
    challenge: str = DEFAULT,
    config: str = "default",
    protocol: str = "spec",
    gold: object = USUAL[REFERENCES],
    pred: object = USUAL[PREDICTIONS],
    options: dict[str, object] = {},  # noqa: B006 - spaCy 3.7 rejects None here
    prefix: str = "",
    table_key: str | None = None,
    dataset: str | None = None,
) -> Scorer:
    """Make a scorer for any challenge.

    Args:
        challenge: the module, such as ``clefehealth13_task1``.
        config: the part of the challenge.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        gold: the place of the gold annotation: a preset, or settings of a reader.
        pred: the place of the predicted annotation.
        options: the challenge's own options, by name.
        prefix: the prefix of the names of the scores; if empty, the challenge's own.
        table_key: also return the rows that ``spacy evaluate --spans-key <table_key>`` prints.
        dataset: the name of the gold standard, such as ``meddocan19/test``; other references
            are rejected.
    """
    settings = {"config": config, "protocol": protocol, "gold": gold, "pred": pred, **options}
    if dataset is not None:
        settings["dataset"] = dataset
    return ChallengeScorer(challenge, settings, prefix, table_key)


def __getattr__(name: str) -> Callable[..., Scorer]:
    """Return ``make_<challenge>_scorer``, with the settings of the challenge's declaration."""
    challenge = name.removeprefix("make_").removesuffix("_scorer")
    try:
        declared = find_annotation(
            challenge if name == f"make_{challenge}_scorer" else ""
        ).challenge
    except InputError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None

    def make(**settings: Any) -> Scorer:
        options = {o.name: settings.pop(o.name) for o in declared.options if o.name in settings}
        return make_scorer(challenge=challenge, options=options, **settings)

    usual = Signature.from_callable(make_scorer).parameters.values()
    kept = [parameter for parameter in usual if parameter.name not in ("challenge", "options")]
    taken = [o for o in declared.options if not o.holds_texts and o.kind != "column"]
    make.__signature__ = Signature([*kept, *map(_as_parameter, taken)])  # type: ignore[attr-defined]
    make.__doc__ = (
        f"A scorer for {declared.task.title}, with the settings of make_scorer and these:\n\n"
        + ("\n".join(f"{option.name}: {option.help}" for option in declared.options))
    )
    return make


def _as_parameter(option: Option) -> Parameter:
    """Return an option as a parameter with a default that a configuration file can contain."""
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=default, annotation=Any)


def make_combined_scorer(*scorers: Scorer) -> Scorer:
    """Combine several scorers for one component.

    Raises:
        InputError: when scoring, two scorers return a score with the same name.
    """
    return CombinedScorer(tuple(part for each in scorers for part in _parts_of(each)))


def _parts_of(scorer: object) -> Sequence[Any]:
    return scorer.scorers if isinstance(scorer, CombinedScorer) else (scorer,)


@dataclass(frozen=True, slots=True)
class CombinedScorer:
    """The scores of several scorers together."""

    scorers: tuple[Scorer, ...]

    @property
    def score_weights(self) -> dict[str, float | None]:
        """The weights of all scorers that have any; spaCy normalizes them."""
        known = [getattr(scorer, "score_weights", {}) for scorer in self.scorers]
        return {name: weight for weights in known for name, weight in weights.items()}

    def __call__(self, examples: Iterable[Example], **settings: object) -> dict[str, object]:
        """Return all scores."""
        known = list(examples)
        result: dict[str, object] = {}
        for scorer in self.scorers:
            scores = scorer(known, **settings)
            shared = sorted(result.keys() & scores.keys())
            if shared:
                raise InputError(
                    f"two scorers return {', '.join(shared)}",
                    remedy="Give one of them another prefix",
                )
            result |= scores
        return result
