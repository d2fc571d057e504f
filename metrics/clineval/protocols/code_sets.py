"""Codes of documents, ready to be scored as sets: a protocol that challenges parametrise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass

from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.base.ratios import Columns, prf_keys
from clineval.formats.code_forms import CodeForm
from clineval.formats.code_lists import CodeList
from clineval.formats.delimited.span_tables import ROWS, read_code_table
from clineval.formats.given.code_lists import Judge, ReadFiles, read_codes, take
from clineval.kinds.codes.corpus import CodeCorpus, codes_of, join_codes
from clineval.kinds.codes.hierarchical import HierarchyScores, check_gold, check_known
from clineval.kinds.codes.kind import CodeKind
from clineval.kinds.codes.placed import PlacedCodes
from clineval.kinds.codes.prefixes import AnyHierarchy
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.protocols.hierarchies import (
    HIERARCHY,
    HIERARCHY_SETTING,
    explain_by_hierarchy,
    find_hierarchy,
    judge_codes,
    list_by_hierarchy,
    name_hierarchy,
    place_in_documents,
)
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
from clineval.results.kind import DocumentForm
from clineval.results.match import Match
from clineval.results.measures import Measure, Measures
from clineval.results.options import Option
from clineval.results.protocol import Protocol
from clineval.results.settings import declare_settings
from clineval.results.table_rows import TableRows
from clineval.results.task import ClassSlot
from clineval.results.verdicts import Verdicts
from clineval.results.views import ItemCheck, ListView

CodePairing = Mapping[str, Pairs]
"""Name of a kind of match to the pairs of codes."""
CODE_PAGE = ListView("clineval.kinds.codes.page", {"micro_f1": "F1"})


def fold_code(code: str) -> str:
    """Return the form in which codes are compared: case and surrounding spaces are ignored."""
    return code.strip().lower()


@dataclass(frozen=True)
class CodeMeasure(Prf):
    """Precision, recall and F1 of the codes of all documents."""

    name: str = "micro"
    title: str = "Codes of all documents"
    heading: str = "codes"

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """All scores and counts."""
        return prf_keys(self.name)

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts."""
        for kind, item in (("tp", "right"), ("fp", "spurious"), ("fn", "missed")):
            yield ItemCheck(f"{self.name}_{kind}", "codes", (item,))


@dataclass(frozen=True)
class CodeSets(Protocol[Side, CodeCorpus, CodePairing]):
    """The set of codes of each document, compared with the gold standard's set.

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    for the codes of all documents. Documents on one side only count as all missed, or all spurious.

    Args:
        files: reads the challenge's format; by default a TSV file with the columns ``filename`` and
            ``code``. Lists of codes and mappings are always read.
        fold: returns the form in which two codes are compared; by default case and surrounding
            spaces are ignored.
        label: the slot that holds a code, for faces that use classes.
        scores: the measures.
        counted: the beginning of the names of the counts.
        phrases: whether a code may have several words.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> CodeSets().measures.headline, CodeSets().kind.class_slot.word
        (('micro_f1',), 'code')
    """

    widest = "micro"
    any_class = True

    files: ReadFiles = read_code_table
    fold: Callable[[str], str] = fold_code
    label: str = "code"
    scores: tuple[Measure, ...] = (CodeMeasure(),)
    _: KW_ONLY
    counted: str = "micro"
    phrases: bool = False

    def __post_init__(self) -> None:
        for name, function in (("files", self.files), ("fold", self.fold)):
            if not callable(function):
                raise InputError(f"expected a function, got {shown(function)}", where=name)
        check_words((self.label,), "label")
        check_class(self.scores, Measure, "scores", "Give measures such as Prf and Formula")

    def read_side(self, source: object, side: str, setup: Setup, /) -> Side:
        """Read files, lists of codes, or mappings of documents to these."""
        code_list = self.list_codes(setup)
        judge = self.judge_gold(setup) if side == "references" else take
        codes = read_codes(
            source, side, self.files, places=False, judge=judge, phrases=self.phrases
        )
        if code_list and side == "predictions":
            code_list.warn(codes_of(codes.mentions))
        return codes

    def check(self, source: Source, setup: Setup, /) -> None:
        """Check files of gold codes, also by the hierarchy if there is one."""
        gold = self.read_side(source, "references", setup)
        if hierarchy := self.find_hierarchy(setup):
            codes = PlacedCodes.of_documents(gold.mentions)
            check_gold(codes, gold.documents, hierarchy, self.find_fold(setup))

    def judge_gold(self, setup: Setup) -> Judge:
        """Return the judge of gold codes: the list of codes, and the hierarchy."""
        code_list = self.list_codes(setup)
        usual = code_list.judge if code_list else take
        return judge_codes(self.find_hierarchy(setup), self.find_fold(setup), usual, self.files)

    def find_hierarchy(self, setup: Setup) -> AnyHierarchy | None:
        """Return the hierarchy of codes, if there is one."""
        return find_hierarchy(setup)

    def find_fold(self, _setup: Setup) -> Callable[[str], str]:
        """Return the function that normalizes codes."""
        return self.fold

    def table_rows(self, _setup: Setup, /) -> TableRows | None:
        """Return how tables are written, unless the challenge reads others."""
        return ROWS if self.files is read_code_table else None

    def document_form(self, _setup: Setup, /) -> DocumentForm:
        """Return how files are written."""
        return CodeForm(self.files)

    def list_codes(self, _setup: Setup) -> CodeList | None:
        """Return the valid codes; other gold codes are errors, other predictions are wrong."""
        return None

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> CodeCorpus:
        """Join the codes of both sides."""
        return join_codes(gold, predicted, self.fold).labelled(self.label, str)

    def pair(self, block: CodeCorpus, _setup: Setup, /) -> CodePairing:
        """Pair the codes that both sides have."""
        same = block.find_same()
        return {"micro": same, "code": same}

    def list_matches(
        self, block: CodeCorpus, pairing: CodePairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all codes, and of their ancestors if there is a hierarchy."""
        return {
            "micro": block.rows_of(pairing["micro"], columns_of(self.counted)),
            **list_by_hierarchy(block, self.find_hierarchy(setup), self.find_fold(setup)),
        }

    def widen(
        self, corpus: CodeCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add the relations of wrong codes to gold codes, if there is a hierarchy."""
        hierarchy, fold = self.find_hierarchy(setup), self.find_fold(setup)
        return {**matches, **explain_by_hierarchy(corpus, matches, hierarchy, fold)}

    def complete(
        self, block: CodeCorpus, _pairing: CodePairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Check that codes are in the hierarchy, if there is one."""
        if hierarchy := self.find_hierarchy(setup):
            sides = place_in_documents(block)
            check_known(sides, block.documents, hierarchy, self.find_fold(setup))
        return counted

    own_settings = declare_settings(HIERARCHY_SETTING)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the hierarchy, if there is one."""
        return name_hierarchy(setup)

    @property
    def options(self) -> tuple[Option, ...]:
        """The hierarchy, unless codes have several words."""
        return () if self.phrases else (HIERARCHY,)

    def list_verdicts(self, side: MentionColumns, _setup: Setup, /) -> Verdicts | None:
        """Return the codes that documents have."""
        return Verdicts.presence(side, self.label, whole="all codes")

    def sides(self, corpus: CodeCorpus, _setup: Setup, /) -> Sides:
        """Return the codes of both sides."""
        return corpus.gold, corpus.prediction

    @property
    def measures(self) -> Measures:
        """Micro-averages over all codes, and scores by hierarchy."""
        return Measures.of(*self.scores, HierarchyScores())

    @property
    def kind(self) -> CodeKind:
        """Codes, in a slot of their own."""
        return CodeKind(ClassSlot(self.label, self.label), phrases=self.phrases)

    @property
    def faces(self) -> Faces:
        """A page of codes."""
        keys = self.measures.headline
        shown = {key: "F1" if key.endswith("_f1") else key for key in keys}
        page = ListView(CODE_PAGE.module, shown)
        return Faces(page=page, validation_options=tuple(o for o in self.options if o is HIERARCHY))
