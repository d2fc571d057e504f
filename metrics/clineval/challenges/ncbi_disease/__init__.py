"""NCBI Disease: mentions of diseases in abstracts, and their concepts.

The corpus marks the mentions of diseases in titles and abstracts of PubMed. A mention has one or
more concepts of MeSH or OMIM. Papers count them in three ways, and each compares sets of items:

    mentions     (fragments): a mention, whatever its concepts
    linked       (fragments, concept): a concept of a mention
    concepts     (concept): a concept of a document, however often the text mentions it

An item is right if the document has an equal item on the other side. Precision, recall and F1 are
computed over the items of all documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Papers also count words with a
tag. ``clinical_spans`` with the option ``tokens`` computes that score from the same files.

The types of mentions are SpecificDisease, DiseaseClass, Modifier and CompositeMention. Papers count
all of them as diseases, so the type does not matter. Systems may write Disease instead. Mentions of
a document with the same fragments are one mention with all their concepts.

The concepts of a mention are a set, and each is an item. Two characters separate them: ``|`` the
diseases of a composite mention (breast and ovarian cancer), and ``+`` the concepts that describe a
disease together (inherited neuromuscular disease). A system that finds one of two concepts gets one
true positive and one false negative.

A concept is a name space and an identifier, such as MESH:D003110 or OMIM:215600. The default name
space is MESH. Case and surrounding blanks do not matter. ``-1``, ``-`` and an empty string are not
concepts. A mention without a concept counts only among the mentions.

Documents on one side only count too: their items are all missed, or all spurious, with a warning.
Files are PubTator or BioC XML. If a file has two entries with the same PMID, as the training set
has, they are one document. In Python a document is a list of mentions with ``spans``, ``label`` and
``concepts``.

With the option ``hierarchy``, concepts of mentions and of documents are also scored with their
ancestors (``linked_h_f1``, ``concepts_h_f1``), at each level (``concepts_level0_f1``, ...) and with
CoPHE's counts (``concepts_cophe_f1``); docs/hierarchies.md defines them.

There is one protocol, ``spec``, because no program was released with the corpus.

Sources: Doğan, Leaman and Lu, NCBI disease corpus: a resource for disease name recognition and
concept normalization, Journal of Biomedical Informatics, 2014; the files of the corpus; for the
separators, Table 1 of doi:10.1186/s13326-017-0173-6.
"""

from __future__ import annotations

from clineval.formats.pubtator.scheme import DOCUMENTS, LINKED, PLACES, Scheme
from clineval.protocols.item_sets import ItemSets
from clineval.results.challenge import Challenge
from clineval.results.task import Demo, Task

SCHEME = Scheme(
    ("SpecificDisease", "DiseaseClass", "Modifier", "CompositeMention", "Disease"),
    kinds=(PLACES, LINKED, DOCUMENTS),
    word="Disease",
    joint="+",
)
CHALLENGE = Challenge(
    Task(
        name="ncbi_disease",
        title="NCBI Disease: Diseases in abstracts, and their concepts",
        homepage="https://www.ncbi.nlm.nih.gov/CBBresearch/Dogan/DISEASE/",
        citation="""\
@article{dogan-etal-2014-ncbi,
    title = "{NCBI} disease corpus: A resource for disease name recognition and concept
        normalization",
    author = "Do{\\u{g}}an, Rezarta Islamaj and Leaman, Robert and Lu, Zhiyong",
    journal = "Journal of Biomedical Informatics",
    volume = "47",
    pages = "1--10",
    year = "2014",
    doi = "10.1016/j.jbi.2013.12.006",
}""",
        configs={"default": "mentions, their concepts, and the concepts of documents"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": ItemSets(SCHEME, short="ncbi")},
    demo=Demo(
        "NCBI Disease: diseases of four invented abstracts, with concepts",
        "gold.PubTator",
        {"dictionary": "dictionary.PubTator", "tagger": "tagger.PubTator"},
    ),
)
