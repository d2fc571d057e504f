"""What a page recounts of modules whose kinds of items share one column of classes."""

import csv
import io
from collections import Counter

import pytest
from conftest import DATA
from demos import arguments_of

import clineval
from clineval.base.errors import InputError
from clineval.workbench.measures import measures_csv
from clineval.workbench.mentions import list_checks
from clineval.workbench.pairs import pair_mentions

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
ORACLES = DATA / "oracle"
CORPORA = [
    *[("i2b2_2010", arguments_of("i2b2_2010", system)[0]) for system in (0, 1)],
    *[("bc5cdr", arguments_of("bc5cdr", system)[0]) for system in (0, 1)],
    *[
        ("i2b2_2010", (folder / "system", folder / "reference"))
        for folder in sorted((ORACLES / "i2b2_2010").glob("random_*"))
    ],
    *[
        ("bc5cdr", (folder / "pred.PubTator", folder / "gold.PubTator"))
        for folder in sorted((ORACLES / "bc5cdr" / "random").iterdir())
    ],
]


def recount(check, rows):
    """The counts of a check from the table of outcome measures, which the page's classes are."""
    wanted = {name.lower() for name in check.classes}
    counts = Counter()
    for row in rows:
        if (row["match"], row["criterion"], row["class"].lower() in wanted) == (
            check.match,
            check.criterion,
            True,
        ):
            counts += Counter({name: int(row[name]) for name in ("tp", "fp", "fn")})
    return counts


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(("module", "sides"), CORPORA, ids=lambda value: str(value)[-60:])
def test_every_count_of_the_core_is_the_sum_of_classes_of_the_page(module, sides, protocol):
    try:
        evaluation = clineval.evaluate(module, *sides, protocol=protocol)
    except InputError:
        pytest.skip("the protocol refuses this input")
    view, score = evaluation.challenge.faces.page, evaluation.score()
    paired = pair_mentions(evaluation, view)
    rows = list(csv.DictReader(io.StringIO(measures_csv({"system": paired}))))
    checks = [check for check in list_checks(view, [score]) if check.measure in ("tp", "fp", "fn")]
    told = {key for key in score.values if key.split("_")[-1] in ("tp", "fp", "fn")}
    kinds = ("concepts", "assertions", "relations", "mentions")
    typed = ("disease", "chemical") if protocol == "spec" else ()
    moved = {"concepts_lenient_fn"} if protocol == "official" else set()
    assert {c.key for c in checks} == {k for k in told if k.startswith((*kinds, *typed))} - moved
    for check in checks:
        assert score[check.key] == recount(check, rows)[check.measure], check.key
