"""Evidence for answers, ready to be scored: graded sentences, and links from an answer to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from clineval.base.errors import warn
from clineval.base.ratios import Columns, Number, Totals, prf_keys, ratio
from clineval.formats.given.evidence import EvidenceFiles, read_evidence
from clineval.kinds.codes.averages import DocumentMeans, sum_scores
from clineval.kinds.codes.corpus import CODE, CodeCorpus, codes_of
from clineval.kinds.codes.evidence import (
    ANSWER,
    ESSENTIAL,
    LINK,
    NOT_RELEVANT,
    SUPPLEMENTARY,
    TO,
    EvidenceKind,
    split_code,
)
from clineval.kinds.codes.grades import has_grade, join_graded, keep_grades, rows_among
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.records.values import INVALID
from clineval.protocols.code_sets import CodeMeasure, CodePairing, CodeSets
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.kind import DocumentForm
from clineval.results.match import NONE, Match
from clineval.results.measures import Finish, Grid, Measure, Measures
from clineval.results.options import Option, check_name
from clineval.results.protocol import CountsT
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import ItemCheck, ListView

STRICT, LENIENT, LINKS = "strict_micro", "lenient_micro", "micro"
"""The matches of sentences, without and with mercy for supplementary ones, and of links."""
MEANS = {STRICT: "strict_macro", LENIENT: "lenient_macro", LINKS: "macro"}
"""Match to the beginning of the keys of its means over documents."""
_GRADES = {STRICT: ESSENTIAL, LENIENT: ESSENTIAL, LINKS: LINK}
"""Match to the grade of its gold annotations."""
OVERALL = "overall_score"
EVIDENCE_PAGE = ListView("clineval.kinds.codes.evidence_page", {OVERALL: "F1"})
_PREDICTED = "predicted"
"""The setting that names what a system predicts, if a configuration scores both."""
_WORDS = {ESSENTIAL: "sentences", LINK: "links"}
_NAMES = {ESSENTIAL: "{sentence|sentences}", LINK: "{link|links}"}
IGNORED = (NOT_RELEVANT, ANSWER)
"""The grades on which no score depends."""
_OTHER = "other"
"""The grade of predicted sentences that the gold standard does not grade."""


class Micro(CodeMeasure):
    """Precision, recall and F1 of all documents."""

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores; without any annotation they are 1 if the protocol says so."""
        scores = super().finish(totals, config)
        empty = totals.get(f"{self.name}_empty")
        if empty is None or not scores:
            return scores
        tp, fp, fn = (np.asarray(totals[key]) for key in prf_keys(self.name)[3:])
        nothing = (tp + fp + fn == 0) & (np.asarray(empty) > 0)
        ones = {key: np.where(nothing, 1.0, scores[key]) for key in prf_keys(self.name)[:3]}
        return {**scores, **{key: of if of.shape else float(of) for key, of in ones.items()}}


_EACH: Mapping[str, Sequence[Measure]] = {
    ESSENTIAL: (
        Micro(STRICT, "Sentences", heading="strict"),
        Micro(LENIENT, "Sentences", heading="lenient"),
        DocumentMeans(MEANS[STRICT], "sentences, strict"),
        DocumentMeans(MEANS[LENIENT], "sentences, lenient"),
    ),
    LINK: (
        Micro(LINKS, "Links", heading="links"),
        DocumentMeans(MEANS[LINKS], "links"),
    ),
}


@dataclass(frozen=True)
class EvidenceMeasure(Measure):
    """The scores of sentences and of links, and the mean of their main scores.

    If a configuration scores both, and there are predictions for only one of them, the other's
    scores are left out.

    Args:
        scored: configuration to the grades of its annotations; others have both.
        predicted: what a system predicts; empty for everything.
    """

    scored: Mapping[str, Sequence[str]]
    predicted: str = ""

    def under(self, settings: Mapping[str, str], /) -> Measure:
        """Return the measure for what a system predicts."""
        predicted = settings.get(_PREDICTED, "")
        return self if predicted == self.predicted else replace(self, predicted=predicted)

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores."""
        given = [grade for grade, word in _WORDS.items() if word in self.predicted.split("+")]
        scores: dict[str, Number] = {}
        for grade in self.scored.get(config, given or _EACH):
            for measure in _EACH[grade]:
                scores |= measure.finish(totals, config)
        main = [scores[key] for key in (f"{STRICT}_f1", f"{LINKS}_f1") if key in scores]
        return {**scores, OVERALL: ratio(sum(main), len(main))} if main else scores

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores."""
        yield from chain.from_iterable(measure.tables() for measure in _list_all())
        yield Grid("Overall", ("score",), {"overall": (OVERALL,)})

    @property
    def headline(self) -> tuple[str, ...]:
        """F1 of sentences, strict and lenient, and of links."""
        return tuple(chain.from_iterable(measure.headline for measure in _list_all()))

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """F1 and the counts."""
        shown = (measure.shown_per_document[2:] for measure in _list_all())
        return tuple(chain.from_iterable(shown))

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts."""
        kinds = {
            STRICT: (("right",), ("spurious", SUPPLEMENTARY), ("missed",)),
            LENIENT: (("right",), ("spurious",), ("missed",)),
            LINKS: (("link right",), ("link spurious",), ("link missed",)),
        }
        for name, counted in kinds.items():
            for verdict, each in zip(("tp", "fp", "fn"), counted, strict=True):
                yield ItemCheck(f"{name}_{verdict}", "codes", each)


def _list_all() -> Sequence[Measure]:
    return [*chain.from_iterable(_EACH.values())]


@dataclass(frozen=True)
class Evidence(CodeSets):
    """Sentences of a note with grades, and links from sentences of an answer to them.

    Essential sentences are gold annotation. A lenient match counts as if supplementary sentences
    had not been predicted.

    Args:
        form: the format of files.
        scored: configuration to what it scores: ``essential`` for sentences, ``link`` for links.
            Other configurations score whatever a system predicts.
        files: not used; ``form`` reads files.
        fold: not used; codes are compared as written, without outer blanks.
        label: see :class:`CodeSets`.
        scores: not used; see :class:`EvidenceMeasure`.
        counted: not used here.
        phrases: not used here.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> Evidence(scored={"sentences": ("essential",)}).measures.headline
        ('strict_micro_f1', 'lenient_micro_f1', 'micro_f1')
    """

    widest = "code"

    form: EvidenceFiles = field(default=EvidenceFiles(), kw_only=True)
    scored: Mapping[str, Sequence[str]] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_class((self.form,), EvidenceFiles, "form", "Name the keys of the files in one")
        for config, grades in self.scored.items():
            check_words(grades, f"scored, {config}", least=1)
            for grade in grades:
                check_name(f"grade of {config}", grade, _EACH)

    @property
    def options(self) -> tuple[Option, ...]:
        """None: sentences have no hierarchy."""
        return ()

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read files, lists of sentences and links, or mappings to these."""
        return read_evidence(given, side, self.form, self.list_scored(setup))

    def list_scored(self, setup: Setup) -> Sequence[str]:
        """Return the grades of the annotations of a configuration."""
        return self.scored.get(setup.config, (*_EACH,))

    def document_form(self, _setup: Setup, /) -> DocumentForm:
        """Return how files are written."""
        return self.form

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join the sentences and links of both sides that the configuration scores."""
        scored = self.list_scored(setup)
        for grade in () if predicted is gold else _EACH.keys() - {*scored}:
            problem = f"{{n}} predicted {_NAMES[grade]} {{does|do}} not count in {setup.config}"
            warn(problem, n=len(keep_grades(predicted, (grade,)).mentions))
        aligned = align_documents(gold, predicted)
        corpus = join_graded((gold, predicted), aligned, scored, find_usual, IGNORED)
        problem = "{n} predicted {sentence or link is|sentences and links are} not in the gold"
        unknown = count_unknown(corpus, gold)
        warn(f"{problem} standard's lists, and {{counts|count}} as wrong", n=unknown)
        return corpus

    def list_verdicts(self, _side: MentionColumns, _setup: Setup, /) -> None:
        """Return no verdicts: sentences of different notes that have the same name differ."""
        return

    def list_matches(
        self, block: CodeCorpus, pairing: CodePairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of sentences and links, and the outcomes of all annotations."""
        linked = has_grade(block.gold, (LINK,)), has_grade(block.prediction, (LINK,))
        neutral = has_grade(block.prediction, (SUPPLEMENTARY,))
        kept = {
            STRICT: (~linked[0], ~linked[1]),
            LENIENT: (~linked[0], ~linked[1] & ~neutral),
            LINKS: linked,
        }
        matches = {
            name: rows_among(block, pairing["micro"], kept[name], columns_of(name))
            for name, grade in _GRADES.items()
            if grade in self.list_scored(setup)
        }
        return {**matches, "code": block.rows_of(pairing["code"], {})}

    def sides(self, corpus: CodeCorpus, setup: Setup, /) -> Sides:
        """Return the sentences or links of both sides; gold ones only if the system predicts any.

        If a configuration scores both, a system may predict only sentences, or only links.
        """
        shown = has_grade(corpus.gold, self._list_shown(setup))
        return corpus.gold.take(np.flatnonzero(shown)), corpus.prediction

    def _list_shown(self, setup: Setup) -> Sequence[str]:
        words = self.settings(setup).get(_PREDICTED, "+".join(_WORDS.values())).split("+")
        return [grade for grade, word in _WORDS.items() if word in words]

    def widen(
        self, corpus: CodeCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Leave out the gold sentences, or links, if the system predicts none."""
        grades = self._list_shown(setup)
        shown = np.append(has_grade(corpus.gold, grades), True)
        places = np.append(np.cumsum(shown[:-1]) - 1, NONE)
        found = {}
        for name, match in matches.items():
            if _GRADES.get(name, grades[0]) in grades:
                kept = match.take(np.flatnonzero(shown[match.gold]), match.columns)
                found[name] = replace(kept, gold=places[kept.gold])
        return found

    def complete(
        self, _block: CodeCorpus, _pairing: CodePairing, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the columns for means."""
        columns = dict(counted)
        for name, means in MEANS.items():
            if f"{name}_tp" in counted:
                columns |= self.sum_scores(counted, name, means)
        return columns

    def resolve(self, corpus: CodeCorpus, setup: Setup, /) -> Setup:
        """Set what the system predicts, if the configuration scores both."""
        if setup.config in self.scored:
            return setup
        linked = has_grade(corpus.prediction, (LINK,))
        found = ((ESSENTIAL, ~linked), (LINK, linked))
        words = [_WORDS[grade] for grade, rows in found if rows.any()]
        return setup.with_options(**{_PREDICTED: "+".join(words)})

    own_settings = declare_settings(
        Setting(
            "predicted",
            "what a system predicts, `sentences` or `links`, if the configuration scores both",
        ),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return what the system predicts, if the configuration scores both."""
        predicted = setup.options.get(_PREDICTED)
        return {_PREDICTED: str(predicted)} if predicted else {}

    def unite(self, parts: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Unite what the system predicts in each part."""
        words = {word for of in parts for word in of.settings.get(_PREDICTED, "").split("+")}
        known = "+".join(word for word in _WORDS.values() if word in words)
        return (
            [part.only(part.columns, **{_PREDICTED: known}) for part in parts] if known else parts
        )

    def finish(self, setup: Setup, /) -> Finish:
        """Return the function that computes the scores of a group of rows."""
        return setup.challenge.measures.under(self.settings(setup)).finish

    def sum_scores(self, counted: Columns, name: str, means: str) -> Columns:
        """Return the columns for means over the documents with annotations on either side."""
        return sum_scores(counted, name, means)

    @property
    def measures(self) -> Measures:
        """The scores of sentences and links."""
        main = {ESSENTIAL: f"{STRICT}_f1", LINK: f"{LINKS}_f1"}
        ranking = {config: (main[grades[0]],) for config, grades in self.scored.items()}
        return Measures.of(EvidenceMeasure(self.scored), ranking={"default": (OVERALL,), **ranking})

    @property
    def kind(self) -> EvidenceKind:
        """Codes that are sentences and links."""
        lists = self.form.lists
        return EvidenceKind(ClassSlot(CODE, CODE), grades=self.scored, lists=lists)

    @property
    def faces(self) -> Faces:
        """A page of sentences and links, with the scores of the configuration."""
        headings = {
            ESSENTIAL: {f"{STRICT}_f1": "Strict F1", f"{LENIENT}_f1": "Lenient F1"},
            LINK: {f"{LINKS}_f1": "F1"},
        }
        pages = {
            config: ListView(
                EVIDENCE_PAGE.module,
                {k: v for grade in grades for k, v in headings[grade].items()},
            )
            for config, grades in self.scored.items()
        }
        return Faces(page=EVIDENCE_PAGE, pages=pages)


def find_usual(code: str) -> str:
    """Return the grade of a predicted code that the gold standard lacks."""
    return LINK if TO in code else _OTHER


def count_unknown(corpus: CodeCorpus, gold: Side) -> int:
    """Count the predicted sentences and links that are not in the gold standard's lists.

    Documents without a sentence that is not relevant may not list all sentences and are left out.
    """
    documents = gold.mentions.document.tolist()
    known = {*zip(documents, codes_of(gold.mentions), strict=True)}
    listed = {*keep_grades(gold, (NOT_RELEVANT,)).mentions.document.tolist()}
    predicted = zip(corpus.prediction.document.tolist(), codes_of(corpus.prediction), strict=True)
    return sum(
        not known.issuperset((at, part) for part in split_code(code))
        for at, code in predicted
        if at in listed and not code.startswith(INVALID)
    )
