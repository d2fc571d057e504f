"""The scores of cohort selection: of each criterion, pooled, and as means over criteria."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.ratios import Number, Totals, prf_keys
from clineval.kinds.classes.measures import ClassScores
from clineval.kinds.classes.question_scores import QuestionMeans
from clineval.results.averages import PRF, label_key
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.views import ItemCheck

VALUES = ("met", "not met")
CRITERIA = (
    *("ABDOMINAL", "ADVANCED-CAD", "ALCOHOL-ABUSE", "ASP-FOR-MI", "CREATININE", "DIETSUPP-2MOS"),
    *("DRUG-ABUSE", "ENGLISH", "HBA1C", "KETO-1YR", "MAJOR-DIABETES", "MAKES-DECISIONS", "MI-6MOS"),
)
KEYS = {criterion: label_key(criterion) for criterion in CRITERIA}
CLASSES = {value: label_key(value) for value in VALUES}
PATIENTS = "patients"
"""The number of patients, which the released program needs for true negatives."""
_POOLED = ClassScores(VALUES)
_OVERALL, _BALANCED = OVER_CLASSES = ("overall_f1", "balanced_accuracy")


@dataclass(frozen=True, slots=True)
class Cohort(Measure):
    """The scores of ``met`` and ``not met``.

    Args:
        absent: whether a class or criterion that neither side has counts as 0 in means, as in the
            released program; if not, it is left out. Patients are only counted for this program.
    """

    absent: bool = False

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute all scores."""
        if f"{_POOLED.micro}_tp" not in totals:
            return {}
        absent = self.absent or PATIENTS in totals
        pooled, scores = _score("", len(KEYS), totals, absent=absent), dict[str, Number]()
        for key in KEYS.values():
            scores |= _score(f"{key}_", 1, totals, absent=absent)
        means: dict[str, Number] = {}
        for mean in _list_means(absent=absent):
            means |= mean.average(scores)
        return {f"micro_{_OVERALL}": pooled.pop(_OVERALL), **pooled, **means, **scores}

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of all criteria."""
        rows = {f"{value}, pooled": prf_keys(key) for value, key in CLASSES.items()}
        yield Grid("All criteria", PRF_HEADINGS, {**rows, "both classes": prf_keys("micro")})
        means = {
            f"{value}, mean over criteria": tuple(f"macro_{key}_{name}" for name in PRF)
            for value, key in CLASSES.items()
        }
        yield Grid("All criteria, means", PRF_HEADINGS[:3], means)
        overall = {
            "pooled": (f"micro_{_OVERALL}", _BALANCED),
            "mean over criteria": (f"macro_{_OVERALL}", f"macro_{_BALANCED}"),
        }
        yield Grid("Both classes", ("overall F1", "balanced accuracy"), overall)

    def details(self) -> Iterable[Grid]:
        """Lay out each criterion."""
        rows = {c: (f"{key}_{_OVERALL}", f"{key}_{_BALANCED}") for c, key in KEYS.items()}
        yield Grid("Criteria", ("overall F1", "balanced accuracy"), rows)
        for value, key in {**CLASSES, "both classes": "micro"}.items():
            of_class = {criterion: prf_keys(f"{name}_{key}") for criterion, name in KEYS.items()}
            yield Grid(f"Criteria, {value}", PRF_HEADINGS, of_class)

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean over criteria to the scores that it averages."""
        parts: dict[str, Sequence[str]] = {}
        for mean in _list_means(absent=self.absent):
            parts |= mean.list_parts(scores)
        return parts

    @property
    def headline(self) -> tuple[str, ...]:
        """The pooled and the mean overall F1, and the balanced accuracy."""
        return (f"micro_{_OVERALL}", f"macro_{_OVERALL}", _BALANCED)

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The counts of all answers."""
        return _POOLED.shown_per_document

    @property
    def short_names(self) -> Mapping[str, str]:
        """The main scores."""
        return dict(zip(self.headline, ("micro_f", "macro_f", "bal_acc"), strict=True))

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts that a page recounts."""
        return _POOLED.item_checks()


def _score(begin: str, criteria: int, totals: Totals, *, absent: bool) -> dict[str, Number]:
    """Compute the scores of a criterion, or of all.

    The released program averages the recall and the specificity of ``met``, even without gold
    answers. The specificity is the recall of ``not met`` if all answers are one of the classes.

    Args:
        begin: the beginning of its keys.
        criteria: the number of criteria.
        totals: the counts.
        absent: whether absent classes count as 0.
    """
    if PATIENTS in totals:
        totals = {**totals, f"{begin}questions": totals[PATIENTS] * criteria}
    scores = ClassScores(VALUES, prefix=begin).finish(totals, "")
    overall, balanced = scores[f"{begin}macro_f1"], scores[f"{begin}{_BALANCED}"]
    if absent:
        met, other = (f"{begin}{key}" for key in CLASSES.values())
        overall = (scores[f"{met}_f1"] + scores[f"{other}_f1"]) / 2
        balanced = (scores[f"{met}_recall"] + scores[f"{met}_specificity"]) / 2
    kept = [key for of in ("micro", *CLASSES.values()) for key in prf_keys(f"{begin}{of}")]
    over_classes = {f"{begin}{_OVERALL}": overall, f"{begin}{_BALANCED}": balanced}
    return over_classes | {key: scores[key] for key in kept}


def _list_means(*, absent: bool) -> Iterable[QuestionMeans]:
    """Yield the means over the criteria, of both classes and of each."""
    begins = tuple(f"{key}_" for key in KEYS.values())
    yield QuestionMeans("macro_", begins, OVER_CLASSES, absent=absent)
    for key in CLASSES.values():
        names = tuple(f"{key}_{name}" for name in PRF)
        yield QuestionMeans("macro_", begins, names, key, absent)


MEASURES = Measures.of(Cohort())
