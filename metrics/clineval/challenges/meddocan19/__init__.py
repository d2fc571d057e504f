"""MEDDOCAN 2019 (IberLEF): De-identification of Spanish clinical cases.

Mentions of what identifies patients have a span and one of 29 labels, such as FECHAS; labels are
compared as they are written. Mentions of a case that agree in fragments and label are one.

Sub-track 1, *NER offset and entity type classification* (``ner``): ``strict``, the same fragments
and the same label; of each label too, such as ``fechas_strict_f1``, and ``macro_``, the mean over
the labels that either side has (one without a gold mention has F1 0). With the number of sentences
(``sentences``)

    leak = strict_fn / number of sentences of the gold documents

Sub-track 2, *sensitive span detection* (``spans``), without labels; every fragment is a span:

    span      the same start and end
    merged    the same after merging on each side: in the order of the text, a span joins the one
              before it if it starts no later than that ends, or if no character between them is
              a letter or a digit (``str.isalnum``); the joined span has the greater end of both

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. Documents of one side count: all
missed, or all spurious. The text is needed for merging; without it only overlapping and touching
spans merge, and a warning says so. The texts of both sides must be the same. A line end is one
character.

What no prediction covers, in all and of each label (see :mod:`clineval.kinds.mentions.leak`):
``leaked_characters``, ``leaked_mentions`` and ``leaked_whole_mentions``, with ``_share``. Where
``spans`` are scored alone the mentions are these spans.

``protocol="official"`` gives the numbers of the released evaluate.py. It scores documents that both
sides have, counts hits before and after merging together, and misses by the spans before merging;
lets the end of a nested span replace that of the outer one; takes each side's own text; divides by
all lines of the sentence files of scored documents; and in XML compares elements, and offsets as
they are written.

Sources: Marimon et al. (2019); https://temu.bsc.es/meddocan/, Evaluation and Examples;
https://github.com/PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.meddocan19.official import OFFICIAL
from clineval.challenges.meddocan19.sentences import parse_sentences
from clineval.challenges.meddocan19.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="meddocan19",
        title="MEDDOCAN 2019: Medical Document Anonymization",
        homepage="https://temu.bsc.es/meddocan/",
        citation="""\
@inproceedings{marimon-etal-2019-meddocan,
    title = "Automatic De-identification of Medical Texts in {S}panish: the {MEDDOCAN} Track,
        Corpus, Guidelines, Methods and Evaluation of Results",
    author = "Marimon, Montserrat and Gonzalez-Agirre, Aitor and Intxaurrondo, Ander and
        Rodr{\\'i}guez, Heidy and Lopez Martin, Jose and Villegas, Marta and Krallinger, Martin",
    booktitle = "Proceedings of the Iberian Languages Evaluation Forum (IberLEF 2019)",
    series = "CEUR Workshop Proceedings",
    volume = "2421",
    year = "2019",
    pages = "618--638",
    url = "http://ceur-ws.org/Vol-2421/MEDDOCAN_overview.pdf",
}""",
        configs={
            "default": "both sub-tracks",
            "ner": "NER offset and entity type classification",
            "spans": "sensitive span detection",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=Measures.of(
        *SPEC.usual.scores,
        ranking={"default": ("strict_f1", "span_f1"), "ner": ("strict_f1",), "spans": ("span_f1",)},
        headline=("strict_f1", "span_f1", "merged_f1", "leaked_mentions_share"),
    ),
    options=(
        Option(
            "sentences",
            "Directory of a file for each document, with a line for each sentence, for leak.",
            kind="file",
            python="for leak: documents to their numbers of sentences, or the path of a directory "
            "of files with a line for each.",
            parse=parse_sentences,
        ),
    ),
    differences=list_differences("""
        a document on one side only (documents_on_one_side)
            spec: counts: all missed, or all spurious
            official: is ignored
        merged spans (merged_counts_parts_and_whole)
            spec: are compared with merged spans
            official: count beside those before merging; misses are those before merging that are in
                no hit
        a span inside of another one, merged (merged_nested_shrinks)
            spec: changes nothing
            official: ends the outer one where it ends itself
        the text for merging (texts_differ_changes_merging)
            spec: is the document's; two that differ are refused
            official: is each side's own
        sentences (leak_counts_every_line)
            spec: are the lines of annotations in the files, of all gold documents
            official: are all lines of the files, of scored documents
        a mention in XML (xml_element_is_compared)
            spec: is its TYPE and its offsets
            official: is its element, its TYPE and its offsets as they are written; in sub-track 2
                numbers
        a discontiguous mention in brat's files (brat_discontinuous_kills)
            spec: has fragments
            official: is refused
        a line of brat's that cannot be read (brat_line_without_tab)
            spec: is refused with file and line
            official: is passed over if a word is missing
        an empty span (zero_length_span)
            spec: is refused
            official: is a span
    """),
    demo=Demo(
        "MEDDOCAN 2019: rules and a tagger on 6 cases in Spanish",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        headline=2,
    ),
    faces=replace(
        SPEC.usual.faces,
        scripts=("meddocan-2019",),
        printed="clineval.challenges.meddocan19.printed",
    ),
)
