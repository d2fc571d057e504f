"""Whatever a command shows, it reads each file once and pairs each corpus once."""

import sys
from collections import Counter

import pytest
from commands import invoke
from demos import arguments_of
from thorough import each, each_module

from clineval.evaluation import evaluate as evaluation
from clineval.results.registry import NAMES, find_challenge

OPENED = []
sys.addaudithook(lambda event, given: OPENED.append(given[0]) if event == "open" else None)
GROUPED = [name for name in NAMES if find_challenge(name).steps.listed]
CODED = [name for name in GROUPED if find_challenge(name).kind.class_slot.none]
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture
def work(monkeypatch):
    """Runs a command; gives how often each file of a corpus was opened, and pairings."""
    paired, pair = [], evaluation._pair
    monkeypatch.setattr(evaluation, "_pair", lambda *given: paired.append(1) or pair(*given))

    def run(*arguments, of=None):
        OPENED.clear()
        done = invoke(arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        demo = str(find_challenge(of or arguments[1]).task.corpora)
        opened = [str(path) for path in OPENED if isinstance(path, str) and path.startswith(demo)]
        return Counter(opened), len(paired)

    return run


def arguments_for(name):
    """The sides of a demo's two systems, and its options as words."""
    (first, gold), options = arguments_of(name)
    (second, _), _ = arguments_of(name, 1)
    return gold, first, second, [w for k, v in options.items() for w in (f"--{k}", v)]


@each_module()
def test_score_and_compare(work, name):
    gold, first, second, options = arguments_for(name)
    opened, paired = work("score", name, gold, first, *options)
    assert set(opened.values()) == {1}
    assert paired == 1
    opened, paired = work("compare", name, gold, first, second, "--trials", 9, *options)
    assert set(opened.values()) == {1}
    assert paired == 1 + 2


@pytest.mark.parametrize("name", each(GROUPED))
def test_groups_errors_and_agreement(work, name):
    gold, first, _, options = arguments_for(name)
    runs = (
        ("score", name, gold, first, "--by", "document"),
        ("errors", name, gold, first),
        ("agreement", name, gold, first),
    )
    for at, arguments in enumerate(runs):
        opened, paired = work(*arguments, *options)
        assert set(opened.values()) == {1}, arguments[0]
        assert paired == at + 1, arguments[0]


@pytest.mark.parametrize("name", each(GROUPED))
def test_three_annotators(work, name):
    gold, first, second, options = arguments_for(name)
    opened, paired = work("agreement", name, gold, first, second, *options)
    assert set(opened.values()) == {1}
    assert paired == 3


def test_three_annotators_read_the_notes_once(work):
    gold, *_ = arguments_for("semeval15_task14")
    annotators = [gold.with_name("gold"), *(gold.with_name(n) for n in ("tagger", "dictionary"))]
    words = ("--overlap", "word", "--text", gold.with_name("text"))
    opened, _ = work("agreement", "semeval15_task14", annotators[0], *annotators[1:], *words)
    notes = {path: times for path, times in opened.items() if "/text/" in path}
    assert notes
    assert set(notes.values()) == {1}


@pytest.mark.parametrize("name", CODED)
def test_a_training_corpus(work, name):
    gold, first, second, _ = arguments_for(name)
    opened, paired = work("score", name, second, first, "--by", "seen", "--train", gold)
    assert set(opened.values()) == {1}
    assert paired == 2


def test_other_commands(work, tmp_path):
    gold, first, *_ = arguments_for("semeval15_task14")
    for words in (
        # without --from a look into one file tells which of two formats it has
        ("convert", first, tmp_path / "converted", "--from", "pipe", "--to", "clef"),
        ("validate", "semeval15_task14", first),
        ("prevalence", gold, "-o", tmp_path / "weights.json"),
    ):
        opened, paired = work(*words, of="semeval15_task14")
        assert set(opened.values()) == {1}, words[0]
        assert paired == 0, words[0]


@each_module()
def test_reports(work, name, tmp_path):
    gold, first, second, options = arguments_for(name)
    page = tmp_path / "page.html"
    opened, paired = work("report", name, gold, first, second, "--no-text", "-o", page, *options)
    assert set(opened.values()) == {1}
    assert paired == 2


def test_a_script_and_its_trace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gold, first, *_ = arguments_for("semeval15_task14")
    words = ("-n", "x", "-r", 1, "-input", first, "-gold", gold, "-trace", 1)
    OPENED.clear()
    assert invoke(["official", "semeval15-task1", *words]).exit_code == 0
    opened = Counter(p for p in OPENED if isinstance(p, str) and p.startswith(str(gold.parent)))
    assert set(opened.values()) == {1}
