"""Clinical TempEval 2015-2017: times, events and narrative containers in THYME.

Entities are times (TIMEX3) and events (EVENT). A time has a class; an event has its relation to the
document's time (DocTimeRel), a type, degree, polarity, contextual modality, contextual aspect and
permanence. Links (TLINK) go from a container to its content (CONTAINS). The tasks and their keys:

    TS, ES    spans of times and events           timex3_span, event_span
    TA        the class of times                  timex3_class, timex3_all
    EA        the attributes of events            event_type, event_degree, event_polarity,
                                                  event_contextualmodality, event_all
    DR        the relation to document time       event_doctimerel
    CR        narrative containers                links_as_written, links_written

Each row compares sets of units in each document, whose counts are added up over documents:

    span         (fragments)
    a property   (fragments, value); a missing value is no unit
    all          (fragments, all attributes of TA, or of EA); a missing value is a value
    links        (fragments of the source, fragments of the target)

    P = right predicted units / predicted units        R = right gold units / gold units
    F1 = 2 P R / (P + R)

A unit is right if the other side has it. ``links_written`` is CR with closure: a link is also right
if it follows from links of the other side, over a chain of CONTAINS. If links lead back to their
own source, they contradict each other: such links take no part in the closure, and are right only
if the other side has them, or if they follow there. ``links`` is the same for the links that do not
follow from others of their own side. The program has no such score, and no ``event_overlap`` and
``timex3_overlap``: spans with a character in common, paired one to one, equal ones first.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The order of annotations never
matters. Fragments are a set. Blanks around values do not count. Relations other than CONTAINS are
read and not scored. A link to an end that is not annotated is wrong, with a warning. Documents on
one side only count as all missed, or all spurious.

The configuration ``entities`` scores TS, ES, TA, EA and DR, ``links`` scores CR, and ``default``
all of them. In the second phase of the tasks, systems were given the entities; the scores are the
same.

Gold standards and systems are folders of Anafora's XML, one for each document; or JSON Lines with
mentions and relations, whose slots are the properties in lower case.

``protocol="official"`` gives the numbers of the released program, anafora.evaluate of anaforatools
1.2.0, for these rows. It divides 0 by 0 as 1.

Sources: Bethard et al. (2016, 2017); the tasks' pages; the behaviour of the program.
"""

from __future__ import annotations

from clineval.challenges.clinical_tempeval.anafora import FILES
from clineval.challenges.clinical_tempeval.files import CONTAINS, parse_pattern
from clineval.challenges.clinical_tempeval.official import Official
from clineval.challenges.clinical_tempeval.spec import ALL_SLOTS, Spec
from clineval.kinds.relations.outcomes import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

SPEC, OFFICIAL = Spec(), Official()
MEASURES = SPEC.measures.with_protocols({"official": OFFICIAL.measures})
CHALLENGE = Challenge(
    Task(
        name="clinical_tempeval",
        title="Clinical TempEval 2015-2017: Times, events and narrative containers",
        homepage="https://alt.qcri.org/semeval2017/task12/",
        citation="""\
@inproceedings{bethard-EtAl:2017:SemEval,
    title = "{SemEval-2017 Task 12: Clinical TempEval}",
    author = {Bethard, Steven and Savova, Guergana and Palmer, Martha and Pustejovsky, James},
    booktitle = "Proceedings of the 11th International Workshop on Semantic Evaluation
        (SemEval-2017)",
    year = "2017",
    address = "Vancouver, Canada",
    publisher = "Association for Computational Linguistics",
    pages = "565--572",
    url = "http://www.aclweb.org/anthology/S17-2093",
}""",
        configs={
            "default": "entities and links",
            "entities": "TS, ES, TA, EA, DR: times and events with their properties",
            "links": "CR: narrative containers",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=MEASURES,
    options=(
        Option(
            "xml_names",
            "A regular expression for the names of Anafora's files, if folders contain several.",
            FILES,
            parse=parse_pattern,
        ),
    ),
    differences=list_differences("""
        denominators of 0 (a09_no_prediction, a10_no_gold)
            spec: give 0
            official: give 1
        order of fragments (a05_fragments)
            spec: does not matter
            official: matters
        a missing or empty property (a13_property_missing, a14_property_empty)
            spec: is no unit of its row
            official: is a value, and missing and empty ones differ
        blanks around values (a15_blanks_count)
            spec: do not count
            official: count
        ends of links that are not annotated (a19_link_end_unknown)
            spec: make the link wrong
            official: are text, which can be equal, and stop the program with closure
        cycles of links (a20_self_link, c04_cycle)
            spec: take no part in the closure
            official: contain all of their members, and themselves
        links to relations (a21_self_reference_gold, a22_self_reference_system)
            spec: are rejected
            official: if they lead back, the gold document or the predictions are left out
        documents without gold standard (a25_document_extra)
            spec: count as all spurious
            official: are not read
        several files in a folder (a26_two_files)
            spec: are rejected
            official: only the first one is read
        overlapping spans (a37_overlap_counts_smaller_side)
            spec: are paired one to one
            official: has no such score; the program's --overlap counts without pairs
    """),
    demo=Demo(
        "Clinical TempEval: times, events and containers in invented notes",
        "gold",
        {"rules": "rules", "model": "model"},
    ),
    faces=Faces(
        page=MentionView(
            checks=MEASURES.checks,
            presets=MEASURES.presets,
            modes=("Strict", "Lenient"),
            matches=MATCHES,
            parts={"entities": (), "links": (CONTAINS,)},
        ),
        docs=DocView(
            "ct",
            {
                "default": MEASURES.ranking["default"],
                "entities": MEASURES.headline[:4],
                "links": MEASURES.ranking["links"],
            },
            MEASURES.short_names,
            slots=lambda _: ALL_SLOTS,
            format="anafora",
            take=list,
            relations="id",
        ),
        scripts=("anafora-evaluate",),
        printed="clineval.challenges.clinical_tempeval.printed",
        formats="clineval.challenges.clinical_tempeval.documents",
        notes_apart=True,
    ),
)
