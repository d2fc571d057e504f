"""The metric cards: valid for the Hub, and in step with the code."""

import re

import evaluate
import pytest
from conftest import ROOT
from huggingface_hub import SpaceCard

from clineval.base.errors import InputError
from clineval.hf.cards import find_card
from clineval.hub.cards import renew_table
from clineval.results.registry import NAMES, find_challenge

PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
CARDS = {name: find_card(name).read_text("utf-8") for name in NAMES}
COLORS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
SECTIONS = [
    "# Metric Card for ", "## Metric Description", "## How to Use", "### Inputs",
    "### Output Values", "### Values from Popular Papers", "## The two protocols", "## Examples",
    "## Limitations and Bias", "## Citation", "## Further References",
]  # fmt: skip

pytestmark = pytest.mark.parametrize("name", NAMES)


def test_the_header_is_what_the_hub_takes(name):
    data = SpaceCard(CARDS[name]).data.to_dict()
    assert data["sdk"] == "gradio"
    assert data["app_file"] == "app.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", data["sdk_version"])
    # the Hub's own is older than what the package supports
    assert f'Programming Language :: Python :: {data["python_version"]}"' in PROJECT
    assert {data["colorFrom"], data["colorTo"]} <= COLORS
    assert len(data["short_description"]) <= 60
    assert {"evaluate", "metric"} <= set(data["tags"])
    assert data["license"] == "apache-2.0"
    assert find_challenge(name).task.title.startswith(data["title"].removesuffix(" B2"))
    assert data["description"].endswith(".")


def test_it_has_the_sections_of_a_metric_card(name):
    headings = re.findall(r"^#+ .*$", CARDS[name], re.MULTILINE)
    places = [next(k for k, h in enumerate(headings) if h.startswith(s)) for s in SECTIONS]
    assert places == sorted(places)


def test_the_table_of_protocols_is_that_of_the_rule_sets(name):
    assert renew_table(CARDS[name], find_challenge(name)) == CARDS[name]
    for difference in find_challenge(name).differences:
        assert f"| {difference.rule} |" in CARDS[name]


def test_a_card_without_a_place_for_the_table_is_refused(name):
    with pytest.raises(InputError, match=f"card of {name}"):
        renew_table("# Metric Card", find_challenge(name))


def test_it_cites_what_the_challenge_cites(name):
    assert find_challenge(name).task.citation.strip() in CARDS[name]


def test_the_evaluate_module_says_what_the_card_says(name):
    metric = evaluate.load(name)
    assert metric.description == SpaceCard(CARDS[name]).data.to_dict()["description"]
    assert metric.citation == find_challenge(name).task.citation
    for section in ("How to Use", "Inputs", "Output Values", "Examples"):
        text = re.search(rf"\n##+ {section}\n\n(.*?)\n\n?##", CARDS[name], re.DOTALL)[1]
        assert text in metric.inputs_description
    assert "### Values from Popular Papers" not in metric.inputs_description
    assert "\n## Limitations" not in metric.inputs_description
    links = metric.info.reference_urls
    assert links
    assert all(f"]({link})" in CARDS[name] for link in links)


def test_every_option_is_described(name):
    for option in find_challenge(name).options:
        assert f"**{option.name}**" in CARDS[name]
    assert (ROOT / "hub_cards" / name / "README.md").is_file()
