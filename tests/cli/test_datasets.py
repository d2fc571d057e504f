"""``clineval datasets``: the list, and what can be told of a gold standard."""

import json
import tomllib

from commands import invoke
from demos import arguments_of

from clineval.results.registry import NAMES, find_challenge

(FOUND, GOLD), _ = arguments_of("pharmaconer19")


def run(*arguments):
    return invoke([*map(str, arguments)])


def test_the_list_is_a_table_json_or_markdown():
    table = run("datasets")
    assert table.exit_code == 0
    assert all(f"{name}/demo" in table.stdout for name in NAMES)
    assert "unknown" in table.stdout
    assert "portal.dbmi.hms.harvard.edu" in table.stdout
    listed = json.loads(run("datasets", "--format", "json").stdout)
    assert {entry["name"] for entry in listed} >= {"meddocan19/test", "n2c2_2018_track2/test"}
    [official] = [entry for entry in listed if entry["name"] == "meddocan19/test"]
    assert (official["documents"], official["annotations"]) == (250, 5661)
    assert not official["verified"]
    markdown = run("datasets", "--module", "bc5cdr", "--format", "markdown").stdout
    assert "| bc5cdr/test | 500 | 14,297 | en | public domain |" in markdown
    assert "meddocan19" not in markdown


def test_a_gold_standard_is_told_by_numbers_and_digests():
    shown = run("datasets", "digest", "pharmaconer19", GOLD)
    assert shown.exit_code == 0
    assert "pharmaconer19/demo" in shown.stdout
    told = json.loads(run("datasets", "digest", "pharmaconer19", GOLD, "--format", "json").stdout)
    assert told["dataset"] == "pharmaconer19/demo"
    assert (told["documents"], told["annotated"], told["annotations"]) == (6, 5, 19)
    assert "document_digests" not in told
    arguments = ("datasets", "digest", "pharmaconer19", GOLD, "--format", "json", "--documents")
    more = json.loads(run(*arguments).stdout)
    assert len(more["document_digests"]["default"]) == 5
    other = run("datasets", "digest", "pharmaconer19", FOUND)
    assert "none that is known by name" in other.stdout


def test_an_entry_of_the_list_is_printed():
    entry = run("datasets", "digest", "bc5cdr", arguments_of("bc5cdr")[0][1], "--format", "toml")
    part = tomllib.loads(entry.stdout)["PART"]
    assert part["documents"] == 4
    assert part["digests"].keys() == {"default", "mentions", "concepts", "relations"}


def test_it_takes_the_options_of_the_challenge():
    (_, gold), options = arguments_of("i2b2_2009_medication")
    arguments = ("datasets", "digest", "i2b2_2009_medication", gold)
    assert "i2b2_2009_medication/demo" in run(*arguments, "--records", options["records"]).stdout
    assert "--records" in run("datasets", "digest", "i2b2_2009_medication", "--help").stdout


def test_documents_need_json():
    refused = run("datasets", "digest", "pharmaconer19", GOLD, "--documents")
    assert refused.exit_code == 2


def test_score_says_the_name_and_takes_the_gold_standard_by_it():
    score = run("score", "pharmaconer19", GOLD, FOUND)
    assert "refs:a822d7 (pharmaconer19/demo)|" in score.stdout
    by_name = run("score", "pharmaconer19", FOUND, "--dataset", "pharmaconer19/demo")
    assert by_name.stdout == score.stdout
    stated = json.loads(run("score", "pharmaconer19", GOLD, FOUND, "--format", "json").stdout)
    assert stated["dataset"] == "pharmaconer19/demo"
    assert "(" not in stated["signature"]
    latex = run("score", "pharmaconer19", GOLD, FOUND, "--format", "latex").stdout
    assert "% pharmaconer19|default" in latex
    assert "(pharmaconer19/demo)" in latex
    groups = ("score", "pharmaconer19", GOLD, FOUND, "--by", "label")
    assert "(pharmaconer19/demo)" in run(*groups).stdout
    assert json.loads(run(*groups, "--format", "json").stdout)["dataset"] == "pharmaconer19/demo"


def test_score_takes_what_goes_with_the_gold_standard():
    (found, gold), options = arguments_of("codiesp20")
    by_name = run("score", "codiesp20", found, "--dataset", "codiesp20/demo")
    assert (
        by_name.stdout == run("score", "codiesp20", gold, found, "--codes", options["codes"]).stdout
    )


def test_another_gold_standard_is_refused():
    for command in ("score", "compare", "report"):
        systems = [GOLD, FOUND] if command == "compare" else [GOLD]
        more = ["--no-text"] if command == "report" else []
        asked = [*systems, *more, "--dataset", "pharmaconer19/demo"]
        refused = run(command, "pharmaconer19", FOUND, *asked)
        assert "the gold standard is not pharmaconer19/demo" in str(refused.exception), command


def test_what_is_under_an_agreement_is_not_here():
    refused = run("score", "i2b2_2014_deid", FOUND, "--dataset", "i2b2_2014_deid/test")
    assert "data use agreement" in str(refused.exception)


def test_the_digest_names_the_configuration_that_reads_the_files():
    corpora = find_challenge("livingner22").task.corpora
    error = str(run("datasets", "digest", "livingner22", corpora / "gold_app.tsv").exception)
    assert "The configuration app can read it: pass --config app" in error
    assert run(
        "datasets", "digest", "livingner22", corpora / "gold_app.tsv", "--config", "app"
    ).stdout
    (_, bad), _ = arguments_of("semeval15_task14")
    assert "configuration" not in str(run("datasets", "digest", "livingner22", bad).exception)
