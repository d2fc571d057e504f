"""Names that are chosen from a set: what was given is shown, and what is nearest to it."""

import laws
import pytest
from demos import arguments_of

import clineval
from clineval.base.errors import unknown_name
from clineval.evaluation.analysis.breakdown import break_down
from clineval.hub.results import to_eval_results
from clineval.stats.confidence import Confidence

NAME = "semeval15_task14"
GOLD = [[{"spans": [[0, 4]], "cui": "C1"}]] * 2


def score(**options):
    return clineval.score(NAME, GOLD, GOLD, **options)


def card_results(key):
    pytest.importorskip("huggingface_hub")
    return to_eval_results(score(), dataset="me/notes", keys=[key])


def demo(name):
    from clineval.cli.demo import demo as command

    return command(name)


CHOSEN = {
    "metric": (lambda name: clineval.score(name, GOLD, GOLD), "semeval15-tsk14", NAME),
    "demo": (demo, "semeval15_tsk14", NAME),
    "config": (lambda name: score(config=name), "tsk1", "task1"),
    "protocol": (lambda name: score(protocol=name), "oficial", "official"),
    "option": (lambda name: score(**{name: "share"}), "wieghts", "weights"),
    "overlap": (lambda name: score(overlap=name), "wrod", "word"),
    "interval": (lambda name: Confidence(interval=name), "binomail", "binomial"),
    "score": (card_results, "strict_f2", "strict_f1"),
    "grouping": (
        lambda name: break_down(clineval.evaluate(NAME, GOLD, GOLD).outcomes, name),
        "slot.negation",
        "slot:negation",
    ),
    "slot": (lambda name: score(weights={name: {}}), "negatoin", "negation"),
    "weight": (
        lambda name: clineval.score(
            "clinais23_b2", *arguments_of("clinais23_b2")[0], weights={name: 1}
        ),
        "substituton",
        "substitution",
    ),
}


@pytest.mark.parametrize("kind", CHOSEN)
def test_a_misspelt_name_is_shown_with_the_nearest(kind):
    choose, misspelt, nearest = CHOSEN[kind]
    said = laws.refuses(lambda: choose(misspelt), f"unknown {kind} {misspelt!r}", "Did you mean ")
    assert nearest in said.partition("Did you mean ")[2]


@pytest.mark.parametrize("kind", CHOSEN)
def test_what_could_be_of_a_note_is_not_shown(kind):
    laws.refuses(lambda: CHOSEN[kind][0]("Szymanowski has fever"), text=["Szymanowski"])


def test_of_many_names_only_the_nearest_three_are_shown():
    known = [f"score_{k}" for k in range(99)]
    said = str(unknown_name("score", "SCORE_1x", known))
    assert said.startswith("unknown score 'SCORE_1x', expected one of 99. Did you mean score_")
    assert said.count("score_") == 3
    assert "one of a, A. Did you mean" in str(unknown_name("score", "aa", ["a", "A"]))
    assert ", ".join(known) in str(unknown_name("score", "quite other", known))


@pytest.mark.parametrize("name", [None, 3, ["a"], b"a"])
def test_what_is_no_name_has_no_nearest(name):
    assert str(unknown_name("score", name, ["a"])).endswith("expected one of a")
