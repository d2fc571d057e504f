"""n2c2 2022 Track 2: social determinants of health (SHAC).

An event is a trigger with its arguments. Its type, the trigger's label, is Alcohol, Drug, Tobacco,
Employment or LivingStatus. *Labelled* arguments, StatusTime, StatusEmploy and TypeLiving, have a
value, such as current; of *span-only* ones, Amount, Duration, Frequency, History, Method and Type,
the place counts. Triggers and arguments have one or more fragments, ends exclusive. An argument may
be of several events, and counts in each; a trigger may be of several events.

Units, which are triggers and arguments, are counted: tp, fp and fn are summed over documents.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    trigger     right if the event is paired with one of its type: ``trigger="overlap"``, a
                character in common (a gap between fragments has none), ``"exact"``, the same
                fragments, or ``"min_dist"``, anywhere in the document
    labelled    right if its event is paired, and label and value are equal: ``labeled="label"``,
                wherever it stands; ``"exact"``, ``"overlap"``: the place counts too
    span        right if its event is paired, and label and place are equal: ``span="exact"``, the
                same fragments, or ``"overlap"``, a character in common

    overall     all units; trigger, labelled and span, those of each sort; alcohol ..., of one event
                type; alcohol_trigger, alcohol_statustime ..., of it one sort of unit, and
                alcohol_statustime_current ... those of one value

All scores lie between 0 and 1; one whose denominator is 0 is 0.

Events are paired one to one within a document, and so are the arguments of paired events. Of all
ways to pair them, the one counts that pairs most triggers; then the one with most right arguments,
then with most characters that triggers have in common; then most right arguments of each label and
value, in their order. So no order of lines or events matters. Repeated events and arguments count
one by one.

A file names its document; what only one side has counts as missed or as spurious, with a warning.
Names of roles and of attributes are not read, and values of triggers and of span-only arguments are
not either, with a warning. A labelled argument without a value has the same as another without.
Other labels are refused.

``protocol="official"`` gives the numbers of the released package, ``brat_scoring`` 0.2.0, with its
own rules throughout. Its criterion ``partial``, which counts tokens, is left out: it is not one to
one.

Sources: Lybarger, Yetisgen, Uzuner, The 2022 n2c2/UW shared task on extracting social determinants
of health, JAMIA 30 (2023); the package's ``docs/sdoh_scoring.pdf``, which says "aligned" and not
how: equivalence is not transitive, so the best alignment counts.
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
            spec: does not matter; most triggers are paired, then most arguments are right
            official: decides who is paired, gold ones in their order with the first that is free
        order of arguments that overlap (e47_argument_greedy)
            spec: does not matter; most are paired
            official: decides likewise
        fragments (e28_discontiguous_hull)
            spec: all count, and nothing in a gap
            official: only the first start and the last end; some stop the package
        triggers of other types, other labels (e39_unknown_types)
            spec: are refused
            official: count among all events
        values of triggers and of span-only arguments (e21_value_on_span_argument)
            spec: are not read
            official: have rows of their own in its table
        repeated ids of events (e37_E_id_twice)
            spec: are refused
            official: the last one counts
        empty spans (e44_zero_length_trigger)
            spec: are refused
            official: overlap nothing
        malformed lines (e34_other_lines_crash)
            spec: are refused with file and line
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
