"""ChemProt (BioCreative VI Track 5, 2017): groups of relations between given chemicals and genes.

Systems receive abstracts with their chemicals and genes, and predict how these interact. A relation
has a group: CPR:3 (upregulator), CPR:4 (downregulator), CPR:5 (agonist), CPR:6 (antagonist) or
CPR:9 (substrate). The unit is (abstract, group, chemical, gene), and each side is a set of units:
repeats count once, and the order of lines and of the two arguments does not matter.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    micro_<score>     all relations; ``micro_f1`` is the main metric of the task
    <group>_<score>   each group, such as cpr_3_f1
    macro_<score>     the mean over the groups that the gold standard has

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

The corpus also has the groups CPR:1, 2, 7, 8 and 10, which are not scored. Relations of these
groups are left out on both sides, with a warning that counts them. Predictions with any other
group, with an id that the abstract does not have, or between two chemicals or two genes are false
positives, with a warning. In the gold standard these are errors, as are malformed lines. Predicted
abstracts that the gold standard does not have count as spurious, with a warning.

Files are the challenge's tables: a file of gold relations (``gold_standard.tsv``) and a file of
predicted ones, with or without a file of entities. In Python a document is a dict with ``id``,
``mentions`` and ``relations``, whose ends are ids of mentions; predictions may leave out
``mentions``.

There is one protocol, ``spec``, because the released program is a Java archive that was not
available to us. Its readme defines true positives as predictions in common with the gold standard.

Sources: Krallinger et al., Overview of the BioCreative VI chemical-protein interaction track,
Proceedings of the BioCreative VI workshop, 2017; the readme of the evaluation kit.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.formats.argument_tables import GOLD, RELATIONS
from clineval.kinds.relations.given import Roles
from clineval.protocols.given_relations import GivenRelations
from clineval.results.challenge import Challenge
from clineval.results.task import Demo, Task

GROUPS = ("CPR:3", "CPR:4", "CPR:5", "CPR:6", "CPR:9")
OTHERS = ("CPR:1", "CPR:2", "CPR:7", "CPR:8", "CPR:10")
"""The groups that are not scored."""
SPEC = GivenRelations(
    GROUPS,
    roles=Roles(("CHEMICAL",), ("GENE-Y", "GENE-N", "GENE")),
    ignored=OTHERS,
    tables=(GOLD, RELATIONS),
    bare=True,
    short="cp",
)
CHALLENGE = Challenge(
    Task(
        name="chemprot17",
        title="ChemProt: groups of relations between chemicals and genes",
        homepage="https://biocreative.bioinformatics.udel.edu/tasks/biocreative-vi/track-5/",
        citation="""\
@inproceedings{krallinger-etal-2017-chemprot,
    title = "Overview of the {BioCreative} {VI} chemical-protein interaction Track",
    author = "Krallinger, Martin and others",
    booktitle = "Proceedings of the {BioCreative} {VI} Workshop",
    year = "2017",
}""",
        definition=__doc__,
        file=__file__,
    ),
    {"spec": SPEC},
    demo=Demo(
        "ChemProt: groups of relations of three invented abstracts",
        "gold",
        {"rules": "rules", "model": "model"},
    ),
    faces=replace(SPEC.faces, formats="clineval.formats.argument_documents"),
)
