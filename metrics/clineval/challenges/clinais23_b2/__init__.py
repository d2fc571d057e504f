"""ClinAIS 2023, sections of Spanish clinical notes: B2 of their boundaries.

The unit is a boundary: the token with which a section begins, and the section's label. Sections
follow one another and can begin inside a sentence. On both sides, each note is a list with one
label or None per token. Sections can also be given as character offsets with the text. The tokens
are then separated by white space, and the first token of a section carries its label. In the task's
JSON, the items are the tokens.

Fournier's boundary edit distance aligns the two sides of a note. M are boundaries that match. T are
transpositions: boundaries with the right label that are 1 to ``n_t - 1`` tokens off (n_t = 40). S
are substitutions: another label at the same token. A are additions, which are missed gold
boundaries, and deletions, which are spurious predictions. The search is greedy: nearest
transpositions first, then from left to right. A transposition that would undo two substitutions is
not made, so two sections in the wrong order are two substitutions.

In the formulas for a note, |A| is the number of additions and deletions together, and d the
displacement of a transposition in tokens:

    w_A(n) = n (0.75 + tanh((n - 1.5) - 2) / 4)          0 for n = 0
    w_S(n) = 1.3 n
    w_t(d) = 0.35 + tanh((d - 15) / 10) / 3              0 for d <= 2;    w_T = sum of w_t
    E  = w_A(|A|) + w_S(|S|) + w_T
    D  = |A| + |S| + |T| + |M| + (|T| - w_T)
    b2 = max(0, D - E) / D                               1 for D = 0

    b  = (|M| + |A| + |S| + |T| - e) / (|M| + |A| + |S| + |T|)      1 if there is no boundary

Here e is the number of edits (Fournier's B with unweighted edits). With ``b_weights="scaled"``, e
is |A| + |S| + sum of d / n_t, as segeval weights transpositions; labels have no order, so a
substitution counts 1. Both scores lie between 0 and 1.

The score of a corpus is the mean over its notes, weighted by their numbers of gold boundaries. A
note without a gold boundary has no weight. If no note has a gold boundary, all notes have the same
weight.

The released code differs from the published text, and this metric follows the code:

- Reach: a boundary can move by up to n_t = 40 tokens in the text, and by n_t - 1 = 39 in the code.
  A boundary that is 40 tokens off counts as an addition and a deletion. ``n_t=41`` gives the text's
  reach.
- Small moves: in the text, the weight of a transposition approaches 0 with its displacement; in the
  code, moving a boundary by 1 or 2 tokens is free. ``weights={"transposition_free": 0}`` gives the
  text's weights.
- w_A: the published formula omits the factor n.
- Lower limit: no publication mentions that b2 is never below 0.

There is one protocol. ``protocol="official"`` is accepted and gives the same numbers, because the
definition follows the released code. The code stops with an error in three cases: a note has no
boundary on either side, no note has a gold boundary, or a note has no prediction. Here a note
without boundaries scores 1, as defined above, and in a note without a prediction all boundaries are
missed. The code ignores predicted notes that are missing from the gold standard; here they have no
gold boundary and so no weight. The code calls spurious boundaries "additions" and missed ones
"deletions"; here both have their right names under either protocol.

Sources: ClinAIS@IberLEF 2023, Evaluation Scripts; De la Iglesia et al., Overview of ClinAIS at
IberLEF 2023; Fournier, Evaluating Text Segmentation using Boundary Edit Distance, ACL 2013.
"""

from __future__ import annotations

from clineval.challenges.clinais23_b2.printed import format_report
from clineval.challenges.clinais23_b2.spec import (
    LABELS,
    NUMBERS,
    Numbers,
    Spec,
    mean,
    parse_labels,
    parse_n_t,
    validate,
)
from clineval.challenges.clinais23_b2.weights import read_weights
from clineval.results.challenge import Challenge
from clineval.results.faces import Faces
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, ListView

_LABELS = Option(
    "labels",
    "All labels, separated by commas.",
    default=LABELS,
    kind="names",
    python="the labels that sections can have; the task's seven by default",
    parse=parse_labels,
)


MEASURES = Measures.of(
    mean("b2", "B2"),
    mean("b", "B"),
    Numbers(),
    shown_per_document=("b2", "b", *NUMBERS),
    layouts={"clinais": format_report},
)
CHALLENGE = Challenge(
    Task(
        name="clinais23_b2",
        title="ClinAIS 2023: Identification of Sections in Clinical Documents in Spanish",
        homepage="https://ixa2.si.ehu.eus/clinais/",
        citation="""\
@article{delaiglesia-etal-2023-clinais,
    title = "Overview of {ClinAIS} at {IberLEF} 2023: Automatic Identification of Sections in
        Clinical Documents in {S}panish",
    author = "De la Iglesia, Iker and Viv{\\'o}, Mar{\\'i}a and Chocr{\\'o}n, Paula and
        de Maeztu, Gabriel and Gojenola, Koldo and Atutxa, Aitziber",
    journal = "Procesamiento del Lenguaje Natural",
    volume = "71",
    pages = "289--299",
    doi = "10.26342/2023-71-22",
    year = "2023",
}
@inproceedings{fournier-2013-evaluating,
    title = "Evaluating Text Segmentation using Boundary Edit Distance",
    author = "Fournier, Chris",
    booktitle = "Proceedings of the 51st Annual Meeting of the Association for Computational
        Linguistics (Volume 1: Long Papers)",
    year = "2013",
    pages = "1702--1712",
}""",
        configs={"default": "section boundaries"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Spec()},
    measures=MEASURES,
    options=(
        Option(
            "n_t",
            "Boundaries can move by fewer tokens than this.",
            default=40,
            kind="number",
            flag="--n-t",
            python="a transposition has a displacement of at most n_t - 1 tokens",
            parse=parse_n_t,
        ),
        Option(
            "weights",
            "clinais, or a JSON file of weights.",
            default="clinais",
            python="clinais, a Weights, or a mapping (or the path of a JSON file) from names "
            "of fields to their new values",
            parse=read_weights,
        ),
        Option(
            "b_weights",
            "Weights of edits in B: unweighted or scaled.",
            default="unweighted",
            kind="choice",
            choices=("unweighted", "scaled"),
            python="what a transposition counts in B",
        ),
        _LABELS,
    ),
    demo=Demo(
        "ClinAIS 2023: a classifier of windows and a tagger on 6 notes in Spanish",
        "gold.json",
        {"windows": "windows.json", "tagger": "tagger.json"},
    ),
    faces=Faces(
        page=ListView(
            "clineval.challenges.clinais23_b2.page",
            measures={"b2": "B2", "b": "B"},
        ),
        docs=DocView(
            prefix="ais",
            columns={"default": MEASURES.headline},
            group="clin_sections",
            labels="labels",
        ),
        validate=validate,
        validation_options=(
            _LABELS,
            Option("gold", "Gold standard; checks that predictions have its tokens.", kind="file"),
        ),
        one_file=True,
    ),
)
