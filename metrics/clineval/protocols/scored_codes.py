"""Codes of documents with optional scores, ready to be scored: sets, ranks and areas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from clineval.base.errors import TotalsWarning, warn_user
from clineval.base.files import Source
from clineval.base.subjects import name_subject
from clineval.formats.code_lists import VALID_CODES, CodeList, describe
from clineval.formats.code_score_tables import ROWS
from clineval.formats.delimited.code_tables import read_valid
from clineval.formats.given.code_lists import take
from clineval.formats.given.scored_code_files import CodeFilesForm, read_code_files
from clineval.formats.given.scored_codes import GOLD, ScoredForm, read_scored
from clineval.kinds.codes.areas import CodeAreas
from clineval.kinds.codes.averages import DocumentCodes, MacroCodes
from clineval.kinds.codes.corpus import CODE, CodeCorpus, codes_of
from clineval.kinds.codes.kind import CodeKind
from clineval.kinds.codes.ranking import RankedScores
from clineval.kinds.codes.scored import ScoredCorpus, ScoredSide, join_scored, list_labels
from clineval.kinds.mentions.columns import Side
from clineval.protocols.code_sets import CODE_PAGE, CodeMeasure, CodeSets
from clineval.protocols.ranked_codes import CUTOFFS
from clineval.protocols.thresholds import parse_threshold
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.label_rows import LabelRows
from clineval.results.measures import Measure
from clineval.results.options import Option
from clineval.results.settings import Setting, declare_settings
from clineval.results.table_rows import TableRows
from clineval.results.task import ClassSlot

_POINT, _HEADING = ".", "code"
SIDES = (GOLD, "predictions")


@dataclass(frozen=True)
class ScoredCodes(CodeSets):
    """The codes of each document: sets, ranked lists, or codes with scores.

    Codes with a score above the ``threshold`` are predicted; codes without scores are predicted
    too. All measures compare predicted codes, except two: :class:`RankedScores` uses the ranks of
    all codes, and :class:`CodeAreas` their scores. Codes are ranked by score; with ``ranked``,
    codes without scores are ranked by their order.

    Args:
        files: reads the challenge's format, as :func:`read_code_files` does; by default tables
            (CSV, TSV) with a row for each code, JSON Lines, and files of training codes.
        fold: see :class:`CodeSets`. With the option ``ignore_points``, codes are also compared
            without points.
        label: see :class:`CodeSets`.
        scores: the measures.
        counted: not used here.
        phrases: not used here.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> ScoredCodes().measures.headline
        ('micro_f1', 'macro_f1')
        >>> [option.name for option in ScoredCodes().options]
        ['codes', 'threshold', 'cutoffs', 'ranked', 'ignore_points', 'hierarchy']
    """

    label_match = "micro"

    files: Callable[..., ScoredSide] = read_code_files
    scores: tuple[Measure, ...] = field(
        default_factory=lambda: (
            CodeMeasure(),
            MacroCodes(),
            DocumentCodes(),
            RankedScores(),
            CodeAreas(),
        )
    )

    @property
    def options(self) -> tuple[Option, ...]:
        """The label set, the threshold, how codes are ranked and compared, and the hierarchy."""
        return (*OPTIONS, *super().options)

    @property
    def kind(self) -> CodeKind:
        """Codes with scores, in a slot of their own."""
        return CodeKind(ClassSlot(self.label, self.label), scored=True)

    def read_side(self, source: object, side: str, setup: Setup, /) -> Side:
        """Read tables, JSON Lines, lists of codes, or mappings of documents to these."""
        valid = self.list_codes(setup)
        judge = self.judge_gold(setup) if side == GOLD else take
        codes = read_scored(source, side, judge, self.files)
        if valid and side != GOLD:
            valid.warn(codes_of(codes.mentions))
        return codes

    def check(self, source: Source, setup: Setup, /) -> None:
        """Check files of either side, so that scores can be any numbers from 0 to 1."""
        self.files(source, side="", judge=self.judge_gold(setup))

    def table_rows(self, _setup: Setup, /) -> TableRows | None:
        """Return how tables are written, unless the challenge reads others."""
        return ROWS if self.files is read_code_files else None

    def document_form(self, _setup: Setup, /) -> ScoredForm:
        """Return how files are written."""
        return CodeFilesForm()

    def list_codes(self, setup: Setup) -> CodeList | None:
        """Return the codes of the option ``codes``, in the form in which codes are compared."""
        if setup["codes"] is None:
            return None
        fold = self.find_fold(setup)
        return CodeList(frozenset(map(fold, setup["codes"])), lambda code: [fold(code)])

    def find_fold(self, setup: Setup) -> Callable[[str], str]:
        """Return the function that normalizes codes, with or without points."""
        return _drop_points(self.fold) if setup["ignore_points"] else self.fold

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> ScoredCorpus:
        """Join the codes of both sides."""
        if not setup["ignore_points"]:
            self.warn_of_points(gold, predicted)
        sides = ScoredSide.of(gold), ScoredSide.of(predicted)
        corpus = join_scored(*sides, self.find_fold(setup), setup["threshold"])
        return corpus.labelled(self.label, str)

    def warn_of_points(self, gold: Side, predicted: Side) -> None:
        """Warn if the codes of one side have points, and no code of the other side has one."""
        numbers = {
            name: (len(side.mentions), count_points(side))
            for name, side in zip(SIDES, (gold, predicted), strict=True)
        }
        for without, other in (SIDES, SIDES[::-1]):
            problem = (
                f"the codes of the {other} have points, and the codes of the {without} have "
                "none. To compare them without points, pass ignore_points="
            )
            (codes, points), (others, other_points) = numbers[without], numbers[other]
            warn_user(
                _PointsWarning(
                    name_subject(problem),
                    codes=codes,
                    others=others,
                    points=points,
                    other_points=other_points,
                )
            )

    def as_gold(self, _gold: Side, side: Side, setup: Setup, /) -> Side:
        """Return the codes that a system predicts as a gold standard."""
        return ScoredSide.of(side).decide(setup["threshold"])

    def list_labels(self, corpus: CodeCorpus, setup: Setup, /) -> LabelRows | None:
        """List the codes of both sides with scores or ranks."""
        if not isinstance(corpus, ScoredCorpus):
            return None
        valid = self.list_codes(setup)
        return list_labels(
            corpus,
            ordered=setup["ranked"],
            cutoffs=setup["cutoffs"],
            valid=valid.valid if valid else (),
        )

    own_settings = declare_settings(
        VALID_CODES,
        Setting("threshold", "the score above which a code is predicted", option="--threshold"),
        Setting("k", "the cutoffs of MAP, or of scores at k", option="--cutoffs", literal=False),
        Setting(
            "ranked", "`order` if codes without scores are ranked", option="--ranked", literal=False
        ),
        Setting(
            "points",
            "`ignored` if codes are compared without points",
            option="--ignore-points",
            literal=False,
        ),
        *CodeSets.own_settings,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that affect the numbers."""
        other = {"ranked": setup["ranked"], "points": setup["ignore_points"]}
        words = {"ranked": "order", "points": "ignored"}
        return {
            "codes": describe(setup["codes"]),
            "threshold": f"{setup['threshold']:g}",
            "k": "+".join(map(str, setup["cutoffs"])),
            **{name: words[name] for name, chosen in other.items() if chosen},
            **super().settings(setup),
        }

    @property
    def faces(self) -> Faces:
        """A page of codes."""
        return replace(super().faces, page=CODE_PAGE)


class _PointsWarning(TotalsWarning):
    """Codes without points on one side, and with points on the other side."""

    @property
    def holds(self) -> bool:
        """Whether both sides have codes, and only the other side has points."""
        number = {name: int(value) for name, value in self.values.items()}
        both = number["codes"] > 0 and number["others"] > 0
        return both and number["points"] == 0 < number["other_points"]


@cache
def _drop_points(fold: Callable[[str], str]) -> Callable[[str], str]:
    return lambda code: fold(code).replace(_POINT, "")


def count_points(side: Side) -> int:
    """Return how many different codes of a side have points."""
    return sum(_POINT in code for code in side.mentions.attributes[CODE].values)


def lacks_points(gold: Side, predicted: Side) -> str:
    """Return the side whose codes have no points, if codes of the other side have; else empty."""
    pointed = [count_points(side) for side in (gold, predicted)]
    if all(len(side.mentions) for side in (gold, predicted)) and min(pointed) == 0 < max(pointed):
        return SIDES[pointed.index(0)]
    return ""


def read_label_set(given: object) -> frozenset[str] | None:
    """Read the codes that exist, without a heading; see :func:`read_valid`."""
    codes = read_valid(given)
    return codes and frozenset(code for code in codes if code.strip().lower() != _HEADING)


OPTIONS = (
    Option(
        "codes",
        "The codes that exist: a file with a code at the beginning of each line. Other codes are "
        "errors in the references, and wrong in predictions.",
        kind="file",
        python="the codes that exist, or the path of a file with a code at the beginning of each "
        "line; other codes are errors in the references, and wrong in predictions",
        parse=read_label_set,
    ),
    Option(
        "threshold",
        "A code with a score is predicted if its score is above this number.",
        default=0.5,
        parse=parse_threshold,
    ),
    replace(
        CUTOFFS,
        default=(5, 8, 15),
        help="The values of k for precision, recall and MAP at k, separated by commas.",
        python="the values of k for precision, recall and MAP at k, as a list or separated by "
        "commas",
    ),
    Option(
        "ranked",
        "Codes without scores are ranked by their order, the best first.",
        default=False,
        kind="flag",
    ),
    Option(
        "ignore_points",
        "Compare codes without points: J45.0 is the same as J450.",
        default=False,
        kind="flag",
        flag="--ignore-points",
    ),
)
"""The options of codes with scores."""
