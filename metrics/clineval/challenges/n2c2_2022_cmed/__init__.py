"""n2c2 2022 Track 1: contextualized medication events (CMED).

A clinical note mentions medications, and a medication can have events. An event is Disposition (a
change is discussed), NoDisposition or Undetermined. A Disposition has up to five attributes:
Action, Negation, Temporality, Certainty and Actor. A mention has one or more fragments, the type of
its event as its label, and the attributes as slots. A medication without an event has the label
Drug, and a medication with two events is listed twice. Mentions of a document that agree in
everything count once.

Under both modes, with tp, fp and fn summed over documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    strict      the same fragments
    lenient     at least one shared character (gaps between fragments do not count)

    drug            medications, ignoring their events; those with the same fragments count once
    disposition ... events of one type; events, those of all three types (micro)
    action ...      an attribute: right if the events are paired, and both have this value;
                    context, all five (micro)
    combined        all five together: right if the events are paired, at least one has an
                    attribute, and both agree in all five

``macro_events`` and ``macro_context`` are the means of P, of R and of F1 over the types, or the
attributes, that either side has. All scores lie between 0 and 1; a score whose denominator is 0 is
0.

Events of the same type are paired one to one within a document, so that as many as possible are
paired. Ties are broken by the number of shared characters, then by the number of correct
attributes, then by the number of events that agree in all five. Remaining ties are broken by the
number of correct values of Action, Negation, Temporality, Certainty and Actor, in this order.
Medications are paired in the same way, by number and shared characters. The order of lines
therefore never matters.

The file name identifies the document. If only one side has a document, everything in it counts as
missed or spurious, with a warning. Types and values are compared as written; unknown types of
events are rejected.

``protocol="official"`` gives the numbers of the released script, ``eval_script.py``, with all its
own rules.

Sources: Mahajan et al., Overview of the 2022 n2c2 shared task on contextualized medication event
extraction in clinical notes, Journal of Biomedical Informatics 144 (2023), abstract and call; for
the differences, the behaviour of the released script. We found no description of how spans are
paired or how duplicates are treated. Attributes are scored on paired events, because the challenge
classifies change events.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.n2c2_2022_cmed.official import OFFICIAL
from clineval.challenges.n2c2_2022_cmed.spec import MEASURES, SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="n2c2_2022_cmed",
        title="n2c2 2022 Track 1: Contextualized medication events (CMED)",
        homepage="https://n2c2.dbmi.hms.harvard.edu/2022-track-1",
        citation="""\
@article{mahajan-etal-2023-n2c2,
    title = "Overview of the 2022 n2c2 shared task on contextualized medication event extraction in
        clinical notes",
    author = {Mahajan, Diwakar and Liang, Jennifer J. and Tsou, Ching-Huei and Uzuner,
        {\\"O}zlem},
    journal = "Journal of Biomedical Informatics",
    volume = "144",
    year = "2023",
    pages = "104432",
    doi = "10.1016/j.jbi.2023.104432",
}""",
        configs={"default": "medications, events and their context"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=MEASURES,
    differences=list_differences("""
        documents on one side only (m40_documents_on_one_side)
            spec: count as missed or as spurious
            official: are skipped
        order of lines (m09a_greedy_loses)
            spec: does not matter; as many as possible are paired
            official: decides the pairs; each gold event in turn takes the first free prediction
        events with the same type and span (m13_attributes_of_repeats)
            spec: count once if they agree in all attributes
            official: count once; the attributes of all of them count
        attributes (m47_attribute_lenient_other_event)
            spec: count in paired events only
            official: may belong to any events whose type and span match
        a repeated attribute of an event (m20_attribute_twice)
            spec: is rejected, or counts once if the value is the same
            official: counts twice; the last value is used when all five are compared
        values with an underscore (m18b_combined_join_equal)
            spec: are ordinary values
            official: run into the next value when all five are compared
        other types of events (m31_event_type_outside)
            spec: are rejected
            official: count among all events; Drug is one more medication
        events without a medication (m30_event_without_T)
            spec: are rejected
            official: are dropped
        fragments (m33_discontiguous_hull)
            spec: all count; gaps do not
            official: are reduced to the first start and the last end; with four or more fragments,
                the offsets of the previous line are used
        types that neither side has (m43_macro)
            spec: are left out of the means
            official: count as 0 in the means
        malformed lines (m36_no_text_column)
            spec: are rejected
            official: take the values of the previous line, or stop the script
        empty and reversed spans (m44_zero_length)
            spec: are rejected
            official: match strictly but not leniently
        repeated ids (m37_T_id_twice)
            spec: are rejected
            official: count once, as in the last line
    """),
    demo=Demo(
        "n2c2 2022 Track 1: medications, and the changes to them",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=replace(
        SPEC.faces,
        scripts=("n2c2-2022-track1",),
        printed="clineval.challenges.n2c2_2022_cmed.printed",
    ),
)
