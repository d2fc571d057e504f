"""Two systems of which only the second has a document that the gold standard lacks."""

import json
import re

import pytest
from demos import arguments_of, lacking_a_document
from thorough import each_case

import clineval
from clineval.results.registry import NAMES, find_challenge
from clineval.workbench import build_workbench

STOPS = {(name, "official") for name in ("archehr_qa26", "n2c2_2022_sdoh", "gutbrainie26")}
"""What stops at such a document, as the released packages do."""
PROTOCOLS = [
    (name, protocol)
    for name in NAMES
    for protocol in find_challenge(name).protocols
    if (name, protocol) not in STOPS
]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize(("name", "protocol"), each_case(PROTOCOLS))
def test_they_are_shown_and_compared_as_compare_does(tmp_path, name, protocol):
    gold, *systems = lacking_a_document(name, tmp_path)
    systems = dict(zip(("first", "second"), systems, strict=True))
    _, options = arguments_of(name)
    bench = build_workbench(
        name, gold, systems, protocol=protocol, notes=options.get("records"), **options
    )
    compared = clineval.compare(name, systems, gold, protocol=protocol, **options)
    head = json.loads(re.search(r'id="head">(.*?)</script>', bench.to_html())[1])
    differences = compared.differences["second"]
    told = head["comparison"]["differences"]["second"]
    assert {key: found["p"] for key, found in told.items()} == {
        key: found.p for key, found in differences.items()
    }
    for system in head["systems"]:
        own = clineval.score(name, systems[system["name"]], gold, protocol=protocol, **options)
        assert system["scores"] == own.values
