"""The scores of the clinical NLP challenges, computed once, the same everywhere.

Examples:
    >>> import clineval
    >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720", "severity": "moderate"}]]
    >>> found = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
    >>> score = clineval.score("semeval15_task14", found, gold)
    >>> score["strict_f1"], round(score["weighted_accuracy"], 3)
    (1.0, 0.678)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clineval.base.exports import import_later

if TYPE_CHECKING:
    from clineval.base.errors import InputError, InputWarning
    from clineval.base.ratios import ratio
    from clineval.base.version import __version__ as __version__
    from clineval.evaluation.analysis.agreements import Agreements, agreement
    from clineval.evaluation.compare import compare, compare_counts
    from clineval.evaluation.comparison import Comparison
    from clineval.evaluation.convert import read, write
    from clineval.evaluation.counting import count, score
    from clineval.evaluation.datasets import count_dataset
    from clineval.evaluation.evaluate import Evaluation, evaluate
    from clineval.evaluation.power import plan
    from clineval.evaluation.runs import Runs
    from clineval.formats.given.evidence import EvidenceFiles
    from clineval.formats.tables.arrow import Column
    from clineval.kinds.mentions.mention import Document, Mention, Relation
    from clineval.kinds.records.fields import Field
    from clineval.kinds.relations.linked import Closure
    from clineval.protocols.classes import Classes
    from clineval.protocols.code_sets import CodeSets
    from clineval.protocols.coded_spans import CodedSpans
    from clineval.protocols.events import Events
    from clineval.protocols.evidence import Evidence
    from clineval.protocols.evidence_entries import EvidenceEntries
    from clineval.protocols.fitting_records import FittingRecords
    from clineval.protocols.found_classes import FoundClasses
    from clineval.protocols.found_events import FoundEvents
    from clineval.protocols.labelled_spans import LabelledSpans
    from clineval.protocols.ranked_codes import RankedCodes
    from clineval.protocols.records import Records
    from clineval.protocols.related_sets import RelatedSets
    from clineval.protocols.relations import Relations
    from clineval.protocols.rule import Rule
    from clineval.protocols.scored_codes import ScoredCodes
    from clineval.protocols.shaped_records import ShapedRecords
    from clineval.protocols.tuple_sets import TupleSets
    from clineval.results.averages import Averages
    from clineval.results.challenge import Challenge, Configurations
    from clineval.results.formulas import Formula, Prf
    from clineval.results.item import Item
    from clineval.results.measures import Measures
    from clineval.results.options import Option
    from clineval.results.scheme import Argument
    from clineval.results.scorable import Counts
    from clineval.results.scores import Score
    from clineval.results.signature import Signature
    from clineval.results.slots import Slot
    from clineval.results.task import Demo, Task
    from clineval.stats.clusters import clusters_by

__all__ = [
    "Agreements",
    "Argument",
    "Averages",
    "Challenge",
    "Classes",
    "Closure",
    "CodeSets",
    "CodedSpans",
    "Column",
    "Comparison",
    "Configurations",
    "Counts",
    "Demo",
    "Document",
    "Evaluation",
    "Events",
    "Evidence",
    "EvidenceEntries",
    "EvidenceFiles",
    "Field",
    "FittingRecords",
    "Formula",
    "FoundClasses",
    "FoundEvents",
    "InputError",
    "InputWarning",
    "Item",
    "LabelledSpans",
    "Measures",
    "Mention",
    "Option",
    "Prf",
    "RankedCodes",
    "Records",
    "RelatedSets",
    "Relation",
    "Relations",
    "Rule",
    "Runs",
    "Score",
    "ScoredCodes",
    "ShapedRecords",
    "Signature",
    "Slot",
    "Task",
    "TupleSets",
    "agreement",
    "clusters_by",
    "compare",
    "compare_counts",
    "count",
    "count_dataset",
    "evaluate",
    "plan",
    "ratio",
    "read",
    "score",
    "write",
]

# import names on first use: the help of the command line must not wait for NumPy
__getattr__, __dir__ = import_later(
    __name__,
    {
        "base.ratios": ("ratio",),
        "results.options": ("Option",),
        "results.averages": ("Averages",),
        "results.formulas": ("Prf", "Formula"),
        "results.measures": ("Measures",),
        "results.item": ("Item",),
        "protocols.coded_spans": ("CodedSpans",),
        "protocols.ranked_codes": ("RankedCodes",),
        "protocols.scored_codes": ("ScoredCodes",),
        "protocols.shaped_records": ("ShapedRecords",),
        "protocols.tuple_sets": ("TupleSets",),
        "protocols.found_classes": ("FoundClasses",),
        "protocols.found_events": ("FoundEvents",),
        "protocols.rule": ("Rule",),
        "base.errors": ("InputError", "InputWarning"),
        "base.version": ("__version__",),
        "results.signature": ("Signature",),
        "protocols.classes": ("Classes",),
        "protocols.code_sets": ("CodeSets",),
        "formats.given.evidence": ("EvidenceFiles",),
        "protocols.evidence": ("Evidence",),
        "protocols.evidence_entries": ("EvidenceEntries",),
        "protocols.events": ("Events",),
        "protocols.fitting_records": ("FittingRecords",),
        "protocols.labelled_spans": ("LabelledSpans",),
        "protocols.records": ("Records",),
        "protocols.related_sets": ("RelatedSets",),
        "protocols.relations": ("Relations",),
        "kinds.relations.linked": ("Closure",),
        "evaluation.analysis.agreements": ("Agreements", "agreement"),
        "evaluation.compare": ("compare", "compare_counts"),
        "evaluation.comparison": ("Comparison",),
        "evaluation.convert": ("read", "write"),
        "evaluation.counting": ("count", "score"),
        "evaluation.datasets": ("count_dataset",),
        "evaluation.evaluate": ("Evaluation", "evaluate"),
        "evaluation.power": ("plan",),
        "evaluation.runs": ("Runs",),
        "formats.tables.arrow": ("Column",),
        "results.scheme": ("Argument",),
        "kinds.mentions.mention": ("Document", "Mention", "Relation"),
        "results.slots": ("Slot",),
        "kinds.records.fields": ("Field",),
        "results.challenge": ("Challenge", "Configurations"),
        "results.scorable": ("Counts",),
        "results.scores": ("Score",),
        "results.task": ("Demo", "Task"),
        "stats.clusters": ("clusters_by",),
    },
)
