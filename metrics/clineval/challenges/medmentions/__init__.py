"""MedMentions: mentions of UMLS concepts in abstracts, and the concepts of documents.

The corpus marks the concepts of UMLS in titles and abstracts of PubMed. A mention has semantic
types, such as T047, and a concept, such as C0010674. Papers count them in several ways, and each
compares sets of items:

    mentions     (fragments): a mention, whatever its type and concept
    typed        (fragments, type): a semantic type of a mention
    linked       (fragments, concept): a concept of a mention
    concepts     (concept): a concept of a document, however often the text mentions it

An item is right if the document has an equal item on the other side. Precision, recall and F1 are
computed over the items of all documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

All scores lie between 0 and 1; a score whose denominator is 0 is 0. ``linked_f1`` is the score at
the level of mentions of the corpus's authors, and ``concepts_f1`` the score at the level of
documents. Papers also count words with a tag. ``clinical_spans`` with the option ``tokens``
computes that score from the same files.

The concepts of a span are a set: lines with the same offsets are one mention with all their
concepts, and a repeated line counts once. A system that finds one of two concepts gets one true
positive and one false negative. The types of a span are a set too; in the full corpus a comma
separates them.

The configuration ``default`` scores the full corpus. ``st21pv`` keeps the mentions with one of the
21 semantic types of ST21pv, on both sides, and a warning counts the others. Score it with the files
of ST21pv: the full corpus has other types for the same mentions, and cannot be reduced without
UMLS.

The option ``pmids`` lists the documents to score, such as the authors' list of the test set. Other
documents are left out on both sides.

The default name space of concepts is UMLS, so C0010674 equals UMLS:C0010674. Case and surrounding
blanks do not matter. ``-1``, ``-`` and an empty string are not concepts. Documents on one side only
count too: their items are all missed, or all spurious, with a warning. Files are PubTator or BioC
XML. In Python a document is a list of mentions with ``spans``, ``label`` and ``concepts``.

With the option ``hierarchy``, concepts of mentions and of documents are also scored with their
ancestors (``linked_h_f1``, ``concepts_h_f1``), at each level (``concepts_level0_f1``, ...) and with
CoPHE's counts (``concepts_cophe_f1``); docs/hierarchies.md defines them.

There is one protocol, ``spec``, because no program was released with the corpus.

Sources: Mohan and Li, MedMentions: A Large Biomedical Corpus Annotated with UMLS Concepts, AKBC
2019; the readme files of the corpus; its issue 13, in which an author proposes sets of (start, end,
concept).
"""

from __future__ import annotations

from dataclasses import replace

from clineval.formats.pubtator.scheme import DOCUMENTS, LINKED, PLACES, TYPED, UMLS, Scheme
from clineval.protocols.item_sets import ItemSets
from clineval.results.challenge import Challenge, Configurations
from clineval.results.task import Demo, Task

ST21PV = (
    "T005 T007 T017 T022 T031 T033 T037 T038 T058 T062 T074 T082 T091 T092 T097 T098 T103 T168 "
    "T170 T201 T204"
)
SCHEME = Scheme(
    form=r"T\d{3}|UnknownType",
    example="T047 or UnknownType",
    between=",",
    kinds=(PLACES, TYPED, LINKED, DOCUMENTS),
    word=UMLS,
    name_space=UMLS,
)
FULL = ItemSets(SCHEME, ranking={"default": ("linked_f1",)}, short="mm", by_pmid=True)
REDUCED = replace(FULL, scheme=replace(SCHEME, kept=tuple(ST21PV.split())))
CHALLENGE = Challenge(
    Task(
        name="medmentions",
        title="MedMentions: UMLS concepts in abstracts",
        homepage="https://github.com/chanzuckerberg/MedMentions",
        citation="""\
@inproceedings{mohan-li-2019-medmentions,
    title = "{MedMentions}: A Large Biomedical Corpus Annotated with {UMLS} Concepts",
    author = "Mohan, Sunil and Li, Donghui",
    booktitle = "Proceedings of the 2019 Conference on Automated Knowledge Base Construction
        (AKBC 2019)",
    year = "2019",
    url = "https://arxiv.org/abs/1902.09476",
}""",
        configs={
            "default": "the full corpus: concepts of mentions and of documents",
            "st21pv": "ST21pv, with 21 semantic types",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Configurations(FULL, {"st21pv": REDUCED})},
    demo=Demo(
        "MedMentions: UMLS concepts of three invented abstracts",
        "gold.PubTator",
        {"dictionary": "dictionary.PubTator", "tagger": "tagger.PubTator"},
    ),
)
