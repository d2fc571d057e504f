"""Read, evaluate and count CLEF eHealth 2013 Task 3 as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from clineval.base.arrays import Coded, FloatArray
from clineval.base.errors import InputError, shown
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.clefehealth13_task3.corpus import (
    Qrels,
    RankingCorpus,
    Rows,
    Run,
    choose_topics,
    index_rows,
)
from clineval.challenges.clefehealth13_task3.trec import (
    LARGEST_RELEVANCE,
    QRELS,
    RUN,
    read_qrels,
    read_rows,
)
from clineval.challenges.clefehealth13_task3.trec_measures import DEFAULT, evaluate_topics
from clineval.kinds.runs.kind import RunKind
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.kind import ItemGroup
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.views import ItemCheck

RETRIEVED = ("relevant", "judged", "unjudged")
"""Names of the kinds of documents of a run on a page."""
_SUM, _LOGARITHM = "_sum", "gm_"


@dataclass(frozen=True, slots=True)
class Side:
    """The rows of a run, or the judgments."""

    rows: Rows[float]
    qrels: Qrels


class Spec(Protocol[Side, RankingCorpus, Mapping[str, FloatArray]]):
    """The strict reading of runs and judgments; all retrieved documents count."""

    kind = RunKind()

    listed = False  # measures of rankings are not counts of annotations

    runs: ClassVar = RUN
    judgments: ClassVar = QRELS

    def read_side(self, given: object, side: str, _setup: Setup, /) -> Side:
        """Read the judgments, or the rows of a run."""
        if side == "references":
            return Side({}, read_qrels(given, self.judgments))
        return Side(read_rows(given, self.runs), {})

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> RankingCorpus:
        """Join a run and the judgments."""
        run, qrels = self.index(predicted.rows, gold.qrels), gold.qrels
        topics = choose_topics(run, qrels, complete=setup["complete"])
        return RankingCorpus(run, qrels, topics, setup["relevance_level"])

    def index(self, rows: Rows[float], _qrels: Qrels) -> Run:
        """Map topics and documents to scores; reject a document that is in two rows."""
        return {topic: index_rows(topic, of_topic) for topic, of_topic in rows.items()}

    def group_items(self, corpus: RankingCorpus, _setup: Setup, /) -> Sequence[ItemGroup]:
        """Return the judged documents with their relevance, and the retrieved ones."""
        levels = [[str(level) for level in of.values()] for of in corpus.qrels.values()]
        retrieved = [[""] * len(of) for of in corpus.run.values()]
        return [ItemGroup("ranked documents", (_tabulate(levels), _tabulate(retrieved)), "level")]

    def name_documents(self, side: Side, /) -> Sequence[str]:
        """Return the topics."""
        return list(side.qrels or side.rows)

    def whole(self, _setup: Setup, /) -> str:
        """Return the reason why parts of a run cannot be counted alone."""
        return "the rows of a topic can be anywhere in a run. Count each run at once"

    own_settings = declare_settings(
        Setting(
            "topics",
            "the topics that count: `judged` or `retrieved`",
            option="--complete",
            literal=False,
        ),
        Setting("level", "the lowest judgment that counts as relevant", option="--relevance-level"),
        Setting("measures", "the measures", option="--measures", literal=False),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        names = setup["measures"]
        return {
            "topics": "judged" if setup["complete"] else "retrieved",
            "level": str(setup["relevance_level"]),
            "measures": "default" if names == DEFAULT else "+".join(names),
        }

    def pair(self, corpus: RankingCorpus, setup: Setup, /) -> Mapping[str, FloatArray]:
        """Return the values of the topics for each measure."""
        return evaluate_topics(corpus.run, corpus.qrels, setup["measures"], corpus.level)

    def complete(
        self,
        corpus: RankingCorpus,
        values: Mapping[str, FloatArray],
        _counted: Columns,
        setup: Setup,
        /,
    ) -> Columns:
        """Return the summands of each topic; topics that do not count add 0."""
        counted = set(corpus.topics)
        counts = np.array([topic in counted for topic in corpus.documents], np.bool_)
        columns: dict[str, FloatArray] = {"num_q": np.ones(len(corpus.documents))}
        for name in setup["measures"]:
            columns[name if name.startswith("num_") else f"{name}{_SUM}"] = values[name]
        return {name: np.where(counts, column, 0.0) for name, column in columns.items()}


class TrecMeasures(Measure):
    """The requested measures of trec_eval; the package's docstring has the formulas."""

    headline = ("map", "P_10", "ndcg_cut_10")
    signed = ("gm_map_sum", "gm_bpref_sum", "utility_sum")

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute means over topics, and add up counts."""
        scores: dict[str, Number] = {}
        for column, total in totals.items():
            name = column.removesuffix(_SUM)
            scores[name] = total if name == column else ratio(total, totals["num_q"])
            if name.startswith(_LOGARITHM):
                power = np.exp(scores[name]) * (np.asarray(totals["num_q"]) > 0)
                scores[name] = power if np.ndim(power) else float(power)
        return scores

    def tables(self) -> Iterable[Grid]:
        """Lay out the lab's measures, then the others."""
        yield Grid("Task 3: retrieval", ("value",), {measure: (measure,) for measure in DEFAULT})
        yield Grid("Task 3: other measures", ("value",), {})

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts of documents."""
        yield ItemCheck("num_ret", "ranks", RETRIEVED)
        yield ItemCheck("num_rel_ret", "ranks", ("relevant",))
        yield ItemCheck("num_rel", "ranks", ("relevant", "missed"))


MEASURES = Measures.of(TrecMeasures())


def parse_level(level: object) -> int:
    """Parse the option ``relevance_level``."""
    if type(level) is not int or not 1 <= level <= LARGEST_RELEVANCE:
        raise InputError(
            f"expected a whole number from 1 to {LARGEST_RELEVANCE}, got {shown(level)}",
            where="relevance_level",
        )
    return level


def _tabulate(levels: Sequence[Sequence[str]]) -> MentionColumns:
    """Return a row for each document of the topics, with its relevance."""
    topics = np.repeat(np.arange(len(levels)), list(map(len, levels)))
    values = list(chain.from_iterable(levels))
    return MentionColumns.of(topics, [()] * len(values), {"level": Coded.of(values)})
