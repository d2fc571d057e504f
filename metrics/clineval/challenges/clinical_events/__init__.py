"""Events of any scheme: triggers with arguments, of data that belong to no challenge.

An event is a trigger with its arguments. Its type is the label of the trigger. *Labelled* arguments
have a value, such as the status of a treatment, and count by it. *Span* arguments count by their
span. Triggers and arguments have one or more fragments, ends exclusive. An argument may belong to
several events, and counts in each. The trigger of an event may be an argument of another event.

The data show the types and the arguments. In brat's files, the lines ``E`` list them; in JSON, an
event contains its arguments. In mentions with relations, such as Documents or Docs, events are the
mentions whose label is a type; types are the labels of mentions from which relations lead. The name
of an argument is its role in the event, or with ``argument_names="mention"`` the label of its
mention.

Attributes of an argument are its value: the value of its only attribute, or all attributes with
their names. Attributes of an event, or of its trigger, are labelled arguments in the place of the
trigger; their name is in lower case. A label is that of labelled arguments if half of its gold
arguments, or more, have a value. The option ``labeled_arguments`` lists these labels instead.

The option ``events`` lists the types to score; events of other types are left out. It may also be a
whole scheme, with the arguments of each type and their values; arguments with other labels are then
left out.

The units are triggers and arguments. tp, fp and fn are summed over documents.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    trigger     right if the event is paired with one of its type. ``trigger="overlap"`` requires a
                shared character (gaps between fragments do not count), ``"exact"`` the same
                fragments; ``"min_dist"`` accepts any place in the document
    labelled    right if its event is paired, and label and value are equal. ``labeled="label"``
                ignores spans; ``"exact"`` and ``"overlap"`` compare them too
    span        right if its event is paired, and label and span are equal. ``span="exact"``
                requires the same fragments, ``"overlap"`` a shared character

    overall     all units; trigger, labelled and span: the units of each sort; start: the units of
                one event type; start_trigger, start_status: one sort of unit of that type;
                start_status_planned: those with one value
    macro_overall, macro_trigger    means over the event types that either side has; a type without
                a gold event has F1 0

An argument with more than 20 values has no scores of single values. Values without a letter or
digit have none either.

Errors have kinds of their own: ``value`` (another value of the argument), ``event`` (the argument
of another event), and ``trigger`` (an event with this argument, but another trigger).

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Documents on one side only
count as all missed, or all spurious.

Events are paired one to one within a document, and so are the arguments of paired events. As many
triggers as possible are paired. Ties are broken by the number of right arguments, then by the
number of characters that triggers share, then by the number of right arguments of each label and
value, in their order. The order of lines or events therefore never matters. Repeated events and
arguments count separately.

There is one protocol, ``spec``, because no challenge and no script stands behind this module. With
the events of ``n2c2_2022_sdoh`` as the scheme, and ``argument_names="mention"``, all its scores are
the same.
"""

from __future__ import annotations

from clineval.kinds.events.found import Scorers
from clineval.protocols.found_events import FoundEvents
from clineval.results.challenge import Challenge
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="clinical_events",
        title="Events of any scheme",
        homepage="https://brat.nlplab.org/standoff.html",
        citation="""\
@inproceedings{stenetorp-etal-2012-brat,
    title = "brat: a Web-based Tool for {NLP}-Assisted Text Annotation",
    author = "Stenetorp, Pontus and Pyysalo, Sampo and Topi{\\'c}, Goran and Ohta, Tomoko and
        Ananiadou, Sophia and Tsujii, Jun'ichi",
    booktitle = "Proceedings of the Demonstrations at the 13th Conference of the European Chapter
        of the Association for Computational Linguistics",
    year = "2012",
    pages = "102--107",
    url = "https://aclanthology.org/E12-2021/",
}""",
        configs={"default": "events with their arguments"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": FoundEvents(Scorers("clinical_spans", "clinical_relations"))},
    demo=Demo(
        "Events: treatments that start, stop and change, in six notes",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
)
