"""ShARe/CLEF eHealth 2013 Task 3: ranked retrieval of web documents for patients' queries.

A run ranks documents for each topic, the judgments say which documents are relevant, and the
measures are those of trec_eval, by its own names. The lab's main measure is ``map``; by default
``P_5``, ``P_10``, ``ndcg_cut_5``, ``ndcg_cut_10``, ``Rprec``, ``bpref`` and ``recip_rank`` are
given too, with ``num_q``, ``num_ret``, ``num_rel`` and ``num_rel_ret``. ``measures`` asks for any
others: names as trec_eval prints or takes them, or ``official`` or ``all_trec``. (``runid`` and
``relstring`` are no numbers and are not there.)

Documents are ranked by score, compared as 32-bit numbers, ties by document id descending; the
rank that the run states is ignored. A document that is not judged is not relevant. Over topics

    <measure>      = sum of the topics' values / number of topics
    gm_<measure>   = exp(sum of the logarithms / number of topics), values of at least .00001
    num_<what>     = sum of the topics' values

A judged topic that is missing from the run counts 0, as with ``trec_eval -c``;
``complete=False`` averages over the run's topics instead. Topics that are not judged do not
count. ``relevance_level`` is the lowest judgment that is relevant, as ``trec_eval -l``; the
lab's graded judgments need 2 to be those of the binary file. (With ``-c`` trec_eval itself
prints a total ``num_rel`` that counts judgments from 1 on, whatever ``-l`` says; here it is the
sum of the topics' values.)

There is one protocol, which is trec_eval's; it is computed by the binding pytrec-eval-terrier,
and where trec_eval 10 has since changed as in that version. The counts are one row for each
topic.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; http://trec.nist.gov/trec_eval/.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from clineval.arrays import FloatArray
from clineval.challenge import Challenge, Grid
from clineval.counts import Counts
from clineval.digest import Hashes
from clineval.errors import InputError, InputWarning, listed, shown
from clineval.formats.trec import Qrels, Run, read_qrels, read_run
from clineval.retrieval.trec_measures import DEFAULT, evaluate_topics, name_measures
from clineval.scores import Number, Totals, ratio
from clineval.validation.trec import find_problems

_SUM, _LOGARITHM = "_sum", "gm_"


def count(  # noqa: PLR0913 - the options are trec_eval's
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    measures: str | Iterable[str] | None = None,
    complete: bool = True,
    relevance_level: int = 1,
) -> Counts:
    """Evaluate a run topic by topic.

    Args:
        predictions: the run: a path of a TREC file or its text, ``{topic: {document: score}}``,
            a dict of columns as evaluate's ``trec_eval`` takes it, or a list of these.
        references: the relevance judgments, in any of these forms.
        config: ``default``.
        protocol: ``spec``.
        measures: names of measures, as a list or with commas between them.
        complete: whether judged topics that the run lacks count 0, or not at all.
        relevance_level: the lowest judgment that is relevant.
    """
    if not isinstance(relevance_level, int) or relevance_level < 1:
        raise InputError(
            f"expected a whole number from 1 on, got {shown(relevance_level)}",
            where="relevance_level",
        )
    names = name_measures(measures)
    run, qrels = read_run(predictions), read_qrels(references)
    topics = choose_topics(run, qrels, complete=complete)
    evaluation = evaluate_topics(run, qrels, topics, names, relevance_level)
    columns: dict[str, FloatArray] = {"num_q": np.ones(len(topics))}
    columns |= {_column(name): evaluation.values[name] for name in names}
    return Counts(
        CHALLENGE.name,
        config,
        {
            "protocol": protocol,
            "topics": "judged" if complete else "retrieved",
            "level": str(relevance_level),
            "measures": "default" if names == DEFAULT else "+".join(names),
        },
        tuple(columns),
        tuple(topics),
        np.column_stack([*columns.values()]).astype(np.float64),
        _digest_topics(qrels, topics),
    )


def choose_topics(run: Run, qrels: Qrels, *, complete: bool) -> Sequence[str]:
    """The topics that count, in the order of the judgments."""
    _warn("topics of the run are not judged and do not count", [t for t in run if t not in qrels])
    missing = [topic for topic in qrels if topic not in run]
    effect = "count 0" if complete else "do not count"
    _warn(f"judged topics are missing from the run and {effect}", missing)
    return list(qrels) if complete else [topic for topic in qrels if topic in run]


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
    scores: dict[str, Number] = {}
    for column, total in totals.items():
        name = column.removesuffix(_SUM)
        scores[name] = total if name == column else ratio(total, totals["num_q"])
        if name.startswith(_LOGARITHM):
            scores[name] = _exponential(scores[name], totals["num_q"])
    return scores


def _column(measure: str) -> str:
    return measure if measure.startswith("num_") else f"{measure}{_SUM}"


def _exponential(mean: Number, topics: Number) -> Number:
    power = np.exp(mean) * (np.asarray(topics) > 0)
    return power if np.ndim(power) else float(power)


def _warn(problem: str, topics: Sequence[str]) -> None:
    if topics:
        warnings.warn(f"{len(topics)} {problem}: {listed(topics)}", InputWarning, stacklevel=3)


def _digest_topics(qrels: Qrels, topics: Sequence[str]) -> Hashes:
    digests = [_digest_topic(qrels[topic]) for topic in topics]
    return np.array(digests, np.uint64)


def _digest_topic(judgments: Mapping[str, int]) -> int:
    lines = sorted(f"{document} {judgment}" for document, judgment in judgments.items())
    return int.from_bytes(blake2b("\n".join(lines).encode(), digest_size=8).digest(), "little")


CHALLENGE = Challenge(
    name="clefehealth13_task3",
    title="ShARe/CLEF eHealth 2013 Task 3: Retrieval for patients' queries",
    configs={"default": "a ranked run against relevance judgments"},
    protocols={"spec": "trec_eval"},
    differences=(),
    count=count,
    finish=finish,
    grids=(
        Grid("Task 3: retrieval", ("value",), {measure: (measure,) for measure in DEFAULT}),
        Grid("Task 3: other measures", ("value",), {}),
    ),
    homepage="https://sites.google.com/site/shareclefehealth/",
    citation="""\
@inproceedings{goeuriot-etal-2013-task3,
    title = "{ShARe/CLEF} eHealth Evaluation Lab 2013, Task 3: Information Retrieval to Address
        Patients' Questions when Reading Clinical Reports",
    author = "Goeuriot, Lorraine and Jones, Gareth J. F. and Kelly, Liadh and Leveling, Johannes
        and Hanbury, Allan and M{\\"u}ller, Henning and Salanter{\\"a}, Sanna and Suominen, Hanna
        and Zuccon, Guido",
    booktitle = "Working Notes for CLEF 2013 Conference",
    series = "CEUR Workshop Proceedings",
    volume = "1179",
    year = "2013",
}""",
    headline=("map", "P_10", "ndcg_cut_10"),
    validate=find_problems,
)
