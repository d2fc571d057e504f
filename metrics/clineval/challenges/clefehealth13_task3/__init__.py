"""ShARe/CLEF eHealth 2013 Task 3: ranked retrieval of web documents for patients' queries.

A run ranks documents for each topic, the judgments say which documents are relevant, and the
measures are those of trec_eval, by its own names. The lab's main measure is ``map``; by default
``P_5``, ``P_10``, ``ndcg_cut_5``, ``ndcg_cut_10``, ``Rprec``, ``bpref`` and ``recip_rank`` are
given too, with ``num_q``, ``num_ret``, ``num_rel`` and ``num_rel_ret``. ``measures`` asks for any
others: names as trec_eval prints or takes them, or ``official`` or ``all_trec``; ``P@10`` is
``P_10``. (``runid`` and ``relstring`` are not numbers and are left out, as are coefficients of
``utility`` and gains of ``ndcg``, which the binding does not bear.)

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
sum of the topics' values.) Judgments lie between -127 and 127; of a topic that the run has one
at least is not negative, as trec_eval calculates no other.

The numbers of both protocols are those of trec_eval 9, the version of the time: all come from
its binding pytrec-eval-terrier, with the rounding of x86-64. Version 10 differs in
``iprec_at_recall_*`` and ``11pt_avg``, where it rounds recall levels to the nearest document, and
wherever scores are equal as 32-bit numbers; its ``rbp``, ``rbp_resid`` and ``unj_*`` are not there.

The protocols differ in what they read. ``spec`` wants results and nothing else: a line of a run
has six columns, does not begin with ``#``, and its score is a finite number; all else is refused
with file and line. ``protocol="official"`` takes a run as trec_eval 9 does when called as the labs
called it, ``-c -M1000``: a line of six words or more is a result whatever it says, such as the
``# EXCEPTION in query ...`` that retrieval programs leave behind, and only the best 1,000 documents
of a topic count. What is taken for something else, or does not count, is warned about. Files are
UTF-8 under both.

The counts are one row for each topic of the judgments. Under ``complete=False`` the row of a topic
that the run lacks is 0 throughout, ``num_q`` too.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; http://trec.nist.gov/trec_eval/,
what its version 9.0.8 does.
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
            "Measures of trec_eval with commas between them, official, or all_trec.",
            kind="names",
            python="names of measures, as a list or with commas between them",
            parse=name_measures,
        ),
        Option(
            "complete",
            "Whether judged topics that a run lacks count 0, or not at all.",
            default=True,
            kind="flag",
        ),
        Option(
            "relevance_level",
            "Lowest judgment that is relevant.",
            default=1,
            kind="number",
            parse=parse_level,
        ),
    ),
    differences=list_differences("""
        a line of a run that begins with # or has more than six words (exception)
            spec: is refused with file and line
            official: is a result of the topic that its first word names, and does not count where
                that topic is in no judgment
        a score that is not a number (words)
            spec: is refused with file and line
            official: is the number that it begins with, else 0
        a score that is not finite (infinite)
            spec: is refused with file and line
            official: is above or below all others; nan ties with all
        documents of a topic after the best 1,000 (deep)
            spec: count
            official: do not count (-M1000)
        a document that is listed twice in a topic after the best 1,000, or in a topic that is not
                judged (twice)
            spec: is refused with file and line
            official: is not noticed
        a run without a judged topic (apart)
            spec: scores 0
            official: is refused
        a relevance that is not a whole number (grades)
            spec: is refused with file and line
            official: is the whole number that it begins with, else 0
        a line of judgments that begins with # (hash_topic)
            spec: is refused with file and line
            official: is a judgment if it has four words, else is refused
        an empty line of judgments (empty_line)
            spec: is passed over
            official: is refused
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
