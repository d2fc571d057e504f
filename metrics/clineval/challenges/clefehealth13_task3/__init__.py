"""ShARe/CLEF eHealth 2013 Task 3: ranked retrieval of web documents for patients' queries.

A run ranks documents for each topic, and relevance judgments list the relevant documents. The
measures and their names come from trec_eval. The lab's main measure is ``map``. The default
scores also include ``P_5``, ``P_10``, ``ndcg_cut_5``, ``ndcg_cut_10``, ``Rprec``, ``bpref`` and
``recip_rank``, and the counts ``num_q``, ``num_ret``, ``num_rel`` and ``num_rel_ret``. ``measures``
selects other measures: names as trec_eval prints or accepts them, ``official`` or ``all_trec``;
``P@10`` is ``P_10``. (``runid`` and ``relstring`` are left out because they are not numbers.
Coefficients of ``utility`` and gains of ``ndcg`` are left out because the binding does not support
them.)

Documents are ranked by score, compared as 32-bit numbers; ties are broken by document id, in
descending order. The rank in the run is ignored. A document without a judgment counts as not
relevant. Over all topics:

    <measure>      = sum of the topics' values / number of topics
    gm_<measure>   = exp(sum of the logarithms / number of topics), values of at least .00001
    num_<what>     = sum of the topics' values

A judged topic that is missing from the run scores 0, as with ``trec_eval -c``; ``complete=False``
averages over the run's topics instead. Topics without judgments do not count. ``relevance_level``
is the lowest judgment that counts as relevant, as in ``trec_eval -l``. With the lab's graded
judgments, 2 gives the same scores as its binary file. (With ``-c`` trec_eval itself prints a total
``num_rel`` that counts all judgments from 1 on, whatever ``-l`` is; here it is the sum of the
topics' values.) Judgments lie between -127 and 127. Each topic of the run needs at least one
judgment that is not negative, because trec_eval computes no other topics.

Both protocols use the numbers of trec_eval 9, the current version at the time. They come from its
binding pytrec-eval-terrier, with the rounding of x86-64. Version 10 differs in
``iprec_at_recall_*`` and ``11pt_avg``, where it rounds recall levels to the nearest document. It
also differs if scores are equal as 32-bit numbers. Its ``rbp``, ``rbp_resid`` and ``unj_*`` are not
available.

The protocols differ in how they read files. ``spec`` accepts only results: each line of a run has
six columns, does not begin with ``#``, and has a finite number as its score. Everything else is
rejected with file and line. ``protocol="official"`` reads a run as trec_eval 9 does with the labs'
options, ``-c -M1000``. Any line of six words or more is a result, such as the ``# EXCEPTION in
query ...`` that some retrieval programs write. Only the best 1,000 documents of a topic count.
Warnings report whatever is misread or does not count. Both protocols read UTF-8.

The counts have one row for each topic of the judgments. Under ``complete=False``, a topic that is
missing from the run has a row of zeros, including ``num_q``.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; http://trec.nist.gov/trec_eval/ and the
behaviour of its version 9.0.8.
"""

from __future__ import annotations

from clineval.challenges.clefehealth13_task3.official import Official
from clineval.challenges.clefehealth13_task3.runs import find_problems
from clineval.challenges.clefehealth13_task3.spec import MEASURES, Spec, parse_level
from clineval.challenges.clefehealth13_task3.trec_measures import name_measures
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import ListView

CHALLENGE = Challenge(
    Task(
        name="clefehealth13_task3",
        title="ShARe/CLEF eHealth 2013 Task 3: Retrieval for patients' queries",
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
        configs={"default": "a ranked run against relevance judgments"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    options=(
        Option(
            "measures",
            "Measures of trec_eval, separated by commas, or official, or all_trec.",
            kind="names",
            python="names of measures, as a list or separated by commas",
            parse=name_measures,
        ),
        Option(
            "complete",
            "Score judged topics that are missing from a run as 0, or leave them out.",
            default=True,
            kind="flag",
        ),
        Option(
            "relevance_level",
            "Lowest judgment that counts as relevant.",
            default=1,
            kind="number",
            parse=parse_level,
        ),
    ),
    differences=list_differences("""
        a line of a run that begins with # or has more than six words (exception)
            spec: is rejected with file and line
            official: is a result of the topic named by its first word; it does not count if that
                topic has no judgments
        a score that is not a number (words)
            spec: is rejected with file and line
            official: is the number at its start, or else 0
        a score that is not finite (infinite)
            spec: is rejected with file and line
            official: ranks above or below all others; nan ties with all
        documents of a topic after the best 1,000 (deep)
            spec: count
            official: do not count (-M1000)
        a document that is listed twice after the best 1,000 of a topic, or in a topic without
                judgments (twice)
            spec: is rejected with file and line
            official: is accepted
        a run without a judged topic (apart)
            spec: scores 0
            official: is rejected
        a relevance that is not a whole number (grades)
            spec: is rejected with file and line
            official: is the whole number at its start, or else 0
        a line of judgments that begins with # (hash_topic)
            spec: is rejected with file and line
            official: is a judgment if it has four words, and is rejected otherwise
        an empty line of judgments (empty_line)
            spec: is ignored
            official: is rejected
    """),
    demo=Demo(
        "ShARe/CLEF eHealth 2013 Task 3: two runs on 8 topics",
        "qrels.txt",
        {"run 1": "team.run1.txt", "run 2": "team.run2.txt"},
        headline=1,
    ),
    faces=Faces(
        page=ListView(
            "clineval.challenges.clefehealth13_task3.page",
            measures={"map": "MAP", "P_10": "P@10"},
        ),
        validate=find_problems,
        validation_options=(
            Option(
                "restricted",
                "Numbers of the runs that use only title and description, such as 2,5.",
                default=(),
                kind="numbers",
            ),
        ),
        needs=("pytrec_eval", "ir"),
    ),
)
