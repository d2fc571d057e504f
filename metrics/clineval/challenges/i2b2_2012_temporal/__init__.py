"""2012 i2b2 temporal relations: events, times and their order in discharge summaries.

Events (EVENT) have a type, a polarity and a modality. Times (TIMEX3) have a type, a value and a
modifier. Links (TLINK) say that one entity comes BEFORE or AFTER another one, or that they OVERLAP.
Admission and Discharge are ends of links by name.

**Entities.** Events, and times, of a document are paired one to one if they share a character. The
pairing has most pairs; in ties most exact pairs, then most right attributes (of events type,
polarity, modality; of times value, type, modifier), then most shared characters, then the nearest
starts. A pair is exact if its words are the same, without punctuation marks; if the text is not
known, if its offsets are the same.

    P = pairs / predictions        R = pairs / gold        F1 = 2 P R / (P + R)

for all pairs (``event_f1``, ``timex3_f1``), for exact pairs (``event_exact_f1``), and with half
credit for the others (``event_partial_f1``). Attributes are counted over all gold entities, as in
the ranking, and over pairs:

    event_type = pairs with the right type / gold events
    event_type_accuracy = pairs with the right type / pairs of events

Values of durations and of frequencies are numbers of a unit: PT24H is P1D. A month has four weeks.
With a modifier on either side, they may differ by two of the gold value's units. Other values are
texts. Case does not count.

**Links.** An end is the place of a gold entity. A predicted entity stands for the place of its
partner, otherwise for its own place, which no gold entity has. AFTER is BEFORE from the other end.
OVERLAP has no direction and means that both ends are the same in the order of time, as in the
closures of the organizers. SIMULTANEOUS and DURING are OVERLAP. Equal links count once. A link
follows from others if a chain of them leads from its first end to its second one.

    P = predicted links that gold has or implies / predicted links
    R = gold links that the predictions have or imply / gold links

    links              links of the reduction: a BEFORE link is left out if it follows over an end
                       between its own ends
    links_written      all links
    links_as_written   all links, right only if the other side has them

Links that lead back to their own source contradict each other, and so do all links between ends of
such a chain. They take no part in the closure. A link of another type, or to an end that is no
entity, is wrong, with a warning.

In the configuration ``links`` systems receive the gold entities, and ends are compared by their
ids. ``entities`` scores events and times alone, ``default`` everything.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The order of lines never
matters. Documents on one side only count as all missed, or all spurious.

Sources: Sun, Rumshisky and Uzuner (2013); the words and the behaviour of the released program.
"""

from __future__ import annotations

from clineval.challenges.i2b2_2012_temporal.measures import MEASURES
from clineval.challenges.i2b2_2012_temporal.official.protocol import OPTIONS, Official
from clineval.challenges.i2b2_2012_temporal.spec import Spec
from clineval.challenges.i2b2_2012_temporal.tags import ALL_SLOTS, LINKS
from clineval.kinds.relations.outcomes import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

SPEC, OFFICIAL = Spec(), Official()
CHALLENGE = Challenge(
    Task(
        name="i2b2_2012_temporal",
        title="i2b2 2012: Temporal relations",
        homepage="https://www.i2b2.org/NLP/TemporalRelations/",
        citation="""\
@article{sun-etal-2013-evaluating,
    title = "Evaluating temporal relations in clinical text: 2012 i2b2 Challenge",
    author = {Sun, Weiyi and Rumshisky, Anna and Uzuner, {\\"O}zlem},
    journal = "Journal of the American Medical Informatics Association",
    volume = "20",
    number = "5",
    year = "2013",
    pages = "806--813",
    doi = "10.1136/amiajnl-2013-001628",
}""",
        configs={
            "default": "entities and links, end to end",
            "entities": "times and events with their attributes",
            "links": "links between given entities",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=SPEC.measures.with_protocols({"official": OFFICIAL.measures}),
    options=OPTIONS,
    differences=list_differences("""
        pairs of entities (i10_exact_robs)
            spec: are the largest one-to-one pairing
            official: are found twice, once for each side, in the order of lines
        overlapping spans without a right attribute (i11_half_match_needs_an_attribute)
            spec: are pairs
            official: are no pairs
        entities without a letter or digit (i07_no_word_character)
            spec: are compared by their spans
            official: match nothing
        values of durations in other units (v01_units)
            spec: are compared as numbers
            official: are compared with an hour of 2,400 seconds
        links that follow from others (l03_redundant_last)
            spec: are left out
            official: are left out if their line comes after them
        contradictory links (l06_contradiction)
            spec: take no part in the closure
            official: the last one takes no part
        what follows from links (l09c_reversed_is_right)
            spec: is what holds in every order of time
            official: can be the reverse of a gold link
        entities without a partner (l16_unmatched_keeps_its_id)
            spec: are ends that the other side does not have
            official: are taken for the entity with their id on the other side
        repeated links (l07_equal_link_twice)
            spec: count once
            official: count once, but twice in the mode oo
        ends that are no entity (l19_unknown_id)
            spec: make the link wrong
            official: make a gold link wrong, and leave a predicted link out
    """),
    demo=Demo(
        "i2b2 2012: events, times and their order in invented discharge summaries",
        "gold",
        {"rules": "rules", "model": "model"},
    ),
    faces=Faces(
        page=MentionView(
            checks=MEASURES.checks,
            presets=MEASURES.presets,
            modes=("Strict", "Lenient"),
            matches=MATCHES,
            parts={"entities": (), "links": LINKS},
        ),
        docs=DocView(
            "i12",
            {
                "default": MEASURES.headline,
                "entities": MEASURES.headline[3:],
                "links": MEASURES.headline[:3],
            },
            MEASURES.short_names,
            slots=lambda _: ALL_SLOTS[:-2],
            format="i2b2-2012",
            take=list,
            relations="id",
        ),
        formats="clineval.challenges.i2b2_2012_temporal.documents",
        printed="clineval.challenges.i2b2_2012_temporal.printed",
        scripts=("i2b2-2012",),
    ),
)
