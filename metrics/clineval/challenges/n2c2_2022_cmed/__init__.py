"""n2c2 2022 Track 1: contextualized medication events (CMED).

A note mentions medications. What it says of one is an event: Disposition (a change is discussed),
NoDisposition, or Undetermined; a Disposition has attributes, of which any may be absent: Action,
Negation, Temporality, Certainty and Actor. A mention has one or more fragments, an event's type as
its label, and the attributes as slots; a medication without an event has the label Drug. One with
two events is there twice. Mentions of a note that agree in all are one.

Under both modes, with tp, fp and fn summed over documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    strict      the same fragments
    lenient     a character in common (a gap between fragments has none)

    drug            medications, whatever their events; those of the same fragments are one
    disposition ... events of one type; events, those of all three types (micro)
    action ...      an attribute: right if the events are paired, and both have this value;
                    context, all five (micro)
    combined        all five together: right if the events are paired, one has an attribute, and
                    both have the same in all five

``macro_events`` and ``macro_context`` are the means of P, of R and of F1 over the types, or the
attributes, that either side has. All scores lie between 0 and 1; one whose denominator is 0 is 0.

Events are paired one to one within a document, with their own type. Of all ways to pair them, the
one counts that pairs most; then the one with most characters in common, then with most right
attributes, with most events that are right in all five, and with most right values of Action, then
of Negation, Temporality, Certainty and Actor. Medications are paired likewise, by number and
characters. So no order of lines matters.

A file names its document; what only one side has counts as missed or as spurious, with a warning.
Types and values are compared as they are written; other types of events are refused.

``protocol="official"`` gives the numbers of the released script, ``eval_script.py``, with its own
rules throughout.

Sources: Mahajan et al., Overview of the 2022 n2c2 shared task on contextualized medication event
extraction in clinical notes, Journal of Biomedical Informatics 144 (2023), abstract and call; for
the differences, what the released script does. How spans are paired, and what a repeat is, was not
found in words: attributes are those of paired events, as the challenge classifies change events.
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
            spec: does not matter; most are paired
            official: decides who is paired, gold ones in their order with the first that is free
        events of one type and span (m13_attributes_of_repeats)
            spec: are one if they agree in all attributes
            official: are one; the attributes of all of them count
        attributes of other events (m47_attribute_lenient_other_event)
            spec: count in paired events only
            official: may be of any events whose type and span match
        an attribute that is there twice (m20_attribute_twice)
            spec: is refused, or counts once if it has the same value
            official: counts twice; the last value counts among all five
        values with an underscore (m18b_combined_join_equal)
            spec: are values
            official: run into the next one where all five are compared
        other types of events (m31_event_type_outside)
            spec: are refused
            official: count among all events; Drug is one more medication
        events without a medication (m30_event_without_T)
            spec: are refused
            official: are dropped
        fragments (m33_discontiguous_hull)
            spec: all count, and nothing in a gap
            official: only the first start and the last end; from four fragments on those of the
                line before
        means of types that neither side has (m43_macro)
            spec: leave them out
            official: count them as 0
        malformed lines (m36_no_text_column)
            spec: are refused
            official: are taken for the line before, or stop the script
        empty and reversed spans (m44_zero_length)
            spec: are refused
            official: match strictly and not leniently
        repeated ids (m37_T_id_twice)
            spec: are refused
            official: the last one counts
    """),
    demo=Demo(
        "n2c2 2022 Track 1: medications, and what is said of changes to them",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=replace(
        SPEC.faces,
        scripts=("n2c2-2022-track1",),
        printed="clineval.challenges.n2c2_2022_cmed.printed",
    ),
)
