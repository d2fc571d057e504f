"""Lists of gold standards of other packages: each has its own, and a broken one stops no other."""

import pytest
from commands import invoke
from outside import CASES, install

import clineval
from clineval.evaluation.gold import describe_gold
from clineval.results.registry import find_challenge

WOUNDS, CONCEPTS = CASES
ENTRY = '[part]\nabout = "ours"\naccess = "open"\ndigests.default = "{digest}"\n'
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture
def site(tmp_path):
    with install(tmp_path) as folder:
        yield folder


def test_packages_of_one_file_have_lists_of_their_own(site):
    gold = describe_gold(WOUNDS.name, WOUNDS.gold, config="default", protocol="spec")
    [digest] = gold.digests.values()
    path = find_challenge(WOUNDS.name).task.datasets
    assert path == site / "wound_findings.datasets.toml"
    path.write_text(ENTRY.format(digest=digest))
    assert clineval.score(WOUNDS.name, WOUNDS.found, WOUNDS.gold).dataset == "wound_findings/part"
    assert not clineval.score(CONCEPTS.name, CONCEPTS.found, CONCEPTS.gold).dataset
    listed = invoke(["datasets", "--format", "json"]).stdout
    assert "wound_findings/part" in listed
    assert "trial_concepts/part" not in listed


@pytest.mark.parametrize("content", [b"[part", b"[part]\naboot = 'x'", b"\xff\xfe"])
def test_a_broken_list_is_left_out_with_a_warning(site, content):
    (site / "trial_concepts.datasets.toml").write_bytes(content)
    with pytest.warns(clineval.InputWarning, match="trial_concepts are left out"):
        done = invoke(["datasets"])
    assert done.exit_code == 0, done.exception
    assert "meddocan19/test" in done.stdout
    alone = invoke(["datasets", "--module", "trial_concepts"])
    assert isinstance(alone.exception, clineval.InputError)
    assert "trial_concepts.datasets.toml" in str(alone.exception)
