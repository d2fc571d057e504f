"""Relations of any scheme: typed links between two mentions, of data that belong to no challenge.

A relation has a type and leads from one mention, its source, to another one, its target. Mentions
have a label and one or more fragments. The option ``types`` lists the types to score; relations of
other types are left out. By default, all types on either side are scored (or on any side, if
several systems are compared).

Relations are paired one to one, and the two of a pair have the same type:

    strict     the same fragments at both ends, and the same labels of the mentions there
    spans      the same fragments at both ends, whatever the labels
    overlap    a character in common at both ends, whatever the labels

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

for all relations (micro), for each type, and as the mean over the types that either side has
(macro); in that mean, a type without a gold relation has F1 0. Each kind of match begins with the
pairs of the one before it, so ``strict`` is never higher than ``spans``, nor ``spans`` higher than
``overlap``. Further pairs follow in the order of shared characters at both ends, most first.

Source and target differ, unless the option ``symmetric`` lists the type, or ``undirected`` is set
for all types: then both ends may be swapped. Relations of a document with the same type between the
same mentions count once. Mentions with the same fragments and label are the same mention.

The mentions of all documents have scores of their own, with the same condition as the ends:

    mentions             the same fragments and label
    mentions_boundary    the same fragments, whatever the label
    mentions_shared      a character in common, whatever the label; paired one to one

Next to each kind of match stands the part of the errors that mentions cause: ``strict_fn_ends``
counts missed relations with an end that no prediction matches, ``strict_fp_ends`` counts spurious
relations with an end that no gold mention matches, and

    strict_ends_share = (fn_ends + fp_ends) / (fn + fp)

With ``mentions="given"`` systems receive the gold mentions and predict relations only; mentions
then have no scores.

Errors have kinds of their own: ``direction`` (the ends are swapped), ``type`` (another type),
``end`` (one end is another mention), and ``unlinked`` (the system found both ends, but no relation
between them).

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Documents on one side only
count as all missed, or all spurious. There is one protocol, ``spec``, because no challenge and no
script stands behind this module.
"""

from __future__ import annotations

from clineval.challenges.clinical_relations.spec import Spec, parse_symmetric, parse_types
from clineval.results.challenge import Challenge
from clineval.results.options import Option
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="clinical_relations",
        title="Relations of any scheme",
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
        configs={"default": "relations and mentions"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec()},
    options=(
        Option(
            "types",
            "The types of relations to score, separated by commas; all by default.",
            None,
            "names",
            python="the types of relations to score, as a list; if None, all on either side.",
            parse=parse_types,
        ),
        Option(
            "symmetric",
            "The types without direction, separated by commas; none by default.",
            None,
            "names",
            python="the types without direction, as a list.",
            parse=parse_symmetric,
        ),
        Option(
            "undirected",
            "No type has a direction: both ends may be swapped.",
            default=False,
            kind="flag",
        ),
        Option(
            "mentions",
            "Whether systems predict mentions, or receive the gold mentions (given), which then "
            "have no scores.",
            "predicted",
            "choice",
            choices=("predicted", "given"),
        ),
    ),
    demo=Demo(
        "Relations: drugs, their doses and what they treat or cause, in six notes",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
)
