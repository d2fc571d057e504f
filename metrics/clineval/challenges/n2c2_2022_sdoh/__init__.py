"""n2c2 2022 Track 2: social determinants of health (SHAC).

An event is a trigger with its arguments. Its type, the label of the trigger, is Alcohol, Drug,
Tobacco, Employment or LivingStatus. *Labelled* arguments (StatusTime, StatusEmploy and TypeLiving)
have a value, such as current. *Span-only* arguments (Amount, Duration, Frequency, History, Method
and Type) count by their span. Triggers and arguments have one or more fragments, ends exclusive. An
argument may belong to several events, and counts in each. A trigger may belong to several events.

The units are triggers and arguments. tp, fp and fn are summed over documents.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    trigger     right if the event is paired with one of its type. ``trigger="overlap"`` requires a
                shared character (gaps between fragments do not count), ``"exact"`` the same
                fragments; ``"min_dist"`` accepts any place in the document
    labelled    right if its event is paired, and label and value are equal. ``labeled="label"``
                ignores spans; ``"exact"`` and ``"overlap"`` compare them too
    span        right if its event is paired, and label and span are equal. ``span="exact"``
                requires the same fragments, ``"overlap"`` a shared character

    overall     all units; trigger, labelled and span: the units of each sort; alcohol ...: the
                units of one event type; alcohol_trigger, alcohol_statustime ...: one sort of unit
                of that type; alcohol_statustime_current ...: those with one value

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Events are paired one to one within a document, and so are the arguments of paired events. As many
triggers as possible are paired. Ties are broken by the number of correct arguments, then by the
number of characters that triggers share, then by the number of correct arguments of each label and
value, in their order. The order of lines or events therefore never matters. Repeated events and
arguments count separately.

The file name identifies the document. If only one side has a document, everything in it counts as
missed or spurious, with a warning. The names of roles and of attributes are ignored. Values of
triggers and of span-only arguments are ignored with a warning. Two labelled arguments without a
value have equal values. Other labels are rejected.

``protocol="official"`` gives the numbers of the released package, ``brat_scoring`` 0.2.0, with all
its own rules. Its criterion ``partial`` is left out, because it counts tokens and does not pair one
to one.

Sources: Lybarger, Yetisgen, Uzuner, The 2022 n2c2/UW shared task on extracting social determinants
of health, JAMIA 30 (2023); the package's ``docs/sdoh_scoring.pdf``. The latter says that events are
"aligned", but not how. Equivalence is not transitive, so this definition uses the best alignment.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.n2c2_2022_sdoh.official import OFFICIAL
from clineval.challenges.n2c2_2022_sdoh.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="n2c2_2022_sdoh",
        title="n2c2 2022 Track 2: Social determinants of health (SHAC)",
        homepage="https://n2c2.dbmi.hms.harvard.edu/2022-track-2",
        citation="""\
@article{lybarger-etal-2023-n2c2,
    title = "The 2022 n2c2/{UW} shared task on extracting social determinants of health",
    author = {Lybarger, Kevin and Yetisgen, Meliha and Uzuner, {\\"O}zlem},
    journal = "Journal of the American Medical Informatics Association",
    volume = "30",
    number = "8",
    year = "2023",
    pages = "1367--1378",
    doi = "10.1093/jamia/ocad012",
}""",
        configs={"default": "events with their arguments"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    differences=list_differences("""
        documents on one side only (e38_document_missing_crash)
            spec: count as missed or as spurious
            official: stop the package
        order of events (e11a_greedy_order)
            spec: does not matter; as many triggers as possible are paired, then the most arguments
                are right
            official: decides the pairs; each gold event in turn takes the first free prediction
        order of arguments that overlap (e47_argument_greedy)
            spec: does not matter; as many as possible are paired
            official: decides the pairs in the same way
        fragments (e28_discontiguous_hull)
            spec: all count; gaps do not
            official: are reduced to the first start and the last end; some stop the package
        triggers of other types, other labels (e39_unknown_types)
            spec: are rejected
            official: count among all events
        values of triggers and of span-only arguments (e21_value_on_span_argument)
            spec: are ignored
            official: have their own rows in its table
        repeated ids of events (e37_E_id_twice)
            spec: are rejected
            official: count once, as in the last line
        empty spans (e44_zero_length_trigger)
            spec: are rejected
            official: overlap nothing
        malformed lines (e34_other_lines_crash)
            spec: are rejected with file and line
            official: stop the package
    """),
    demo=Demo(
        "n2c2 2022 Track 2: substance use, work and housing",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=replace(
        SPEC.faces,
        scripts=("n2c2-2022-track2",),
        printed="clineval.challenges.n2c2_2022_sdoh.printed",
        notes_apart=True,
    ),
)
