"""Rewards of a language model's completions: a document's own score, and never an error."""

import json
import subprocess
import sys
from types import SimpleNamespace
from typing import ClassVar

import laws
import pytest
from answer_cases import CASES, answers_of
from canary import CANARIES, everywhere
from hypothesis import given
from hypothesis import strategies as st
from outside_cases import TEXT
from pages import code_of
from thorough import crossed

from clineval.answers import Alignment, Reward, reward, score
from clineval.answers.options import takes_answers
from clineval.cli.demo import copy_corpora
from clineval.results.registry import find_challenge

MODULE = "semeval15_task14"
NOTE = "No edema, but pain of the left knee."
GOLD = [
    {"spans": [[3, 8]], "cui": "C0013604", "negation": "yes"},
    {"spans": [[14, 18]], "cui": "C0030193"},
]
ITEM = {"text": "edema", "cui": "C0013604", "negation": "yes"}
RECORDS = [{"id": "5", "value": "F"}, {"id": "8", "value": ["a", "b"]}]
GOLDS = {MODULE: GOLD, "mediqa_synur26": RECORDS, "codiesp20": ["I10", "E11.9"]}
NOTES = {MODULE: NOTE}
HEADS = ("", "I found these: ", "<think>[]</think>", "```json\n")
WRITTEN = st.one_of(
    st.text(max_size=40),
    st.builds("{}{}".format, st.sampled_from(HEADS), st.just(json.dumps([ITEM]))),
    st.lists(st.sampled_from([ITEM, "pain", {}, None, 3, [ITEM]]), max_size=3).map(json.dumps),
)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(st.lists(WRITTEN, min_size=1, max_size=4))
def test_it_is_the_score_of_the_document_alone(completions):
    size = len(completions)
    alone = [score(MODULE, [one], [GOLD], texts=[NOTE]) for one in completions]
    for keys in (("strict_f1",), ("strict_f1", "relaxed_recall")):
        found = reward(MODULE, completions, [GOLD] * size, texts=[NOTE] * size, keys=keys)
        assert found == [sum(one[key] for key in keys) / len(keys) for one in alone]


@pytest.mark.parametrize("case", CASES)
def test_a_batch_gives_each_completion_what_it_gets_alone(case):
    gold, found, options, _ = CASES[case]
    name = case.partition(" ")[0]
    answers = [*answers_of([*gold, *found]), "I cannot say", "[]", "[" * 2000]
    pairs = [(answer, each) for each in gold for answer in answers]
    if isinstance(gold[0], dict) and "id" not in gold[0] and "classes" not in options:
        pairs += [(answer, {**each, "id": "the same prompt"}) for answer, each in pairs]

    def reward_of(rows):
        completions, known = zip(*rows, strict=True)
        return reward(name, completions, known, texts=[TEXT] * len(rows), **options)

    assert reward_of(pairs) == [value for pair in pairs for value in reward_of([pair])]


def test_what_is_no_json_is_worth_nothing_and_the_gold_standard_all():
    quoted = [ITEM, {"text": "pain", "cui": "C0030193"}]
    assert say(MODULE, quoted) == 1.0
    assert say("mediqa_synur26", RECORDS) == 1.0
    assert say("codiesp20", ["I10", "E11.9"]) == 1.0
    assert [say(name, "no JSON") for name in GOLDS] == [0, 0, 0]


def say(module, completion, gold=None, **options):
    written = completion if isinstance(completion, str) else json.dumps(completion)
    gold = GOLDS[module] if gold is None else gold
    [value] = reward(module, [written], [gold], texts=[NOTES.get(module, "")], **options)
    return value


@pytest.mark.parametrize("name", GOLDS)
def test_where_there_is_nothing_to_find_silence_is_right(name):
    assert say(name, [], gold=[]) == 1.0
    assert say(name, {}, gold=[]) == 1.0
    assert say(name, "Nothing", gold=[]) == 0.0
    assert say(name, ["I10"], gold=[]) == 0.0


@pytest.mark.parametrize(("name", "kind"), crossed([*GOLDS], sorted(CANARIES, key="deep".__ne__)))
def test_no_completion_raises_and_no_warning_disturbs(name, kind):
    canary = CANARIES[kind]
    told = [canary, *map(json.dumps, everywhere(GOLDS[name], canary))]
    told += ["[" * depth + "]" * depth for depth in (10, 400, 900, 990, 2000)]
    told += ["9" * 5000, "[1e999]", "[NaN]", f"[{'9' * 4000}]", '[{"text": NaN}]', "\ud800"]
    for completion in (*told, *everywhere(GOLDS[name], canary), None, 3, b"x", {1: 2}, object()):
        [value] = reward(name, [completion], [GOLDS[name]], texts=[NOTES.get(name, "")])
        assert 0 <= value <= 1


def test_conversations_end_with_the_answer():
    answer = json.dumps([ITEM])
    thought = [{"role": "assistant", "content": "Let me see."}]
    last = {"role": "assistant", "content": answer}
    for completion in (
        answer, [last], [*thought, last], [{"content": answer}],
        [{"role": "assistant", "content": [{"type": "text", "text": answer}]}],
        [{"role": "assistant", "reasoning_content": "[]", "content": answer}],
    ):  # fmt: skip
        assert reward(MODULE, [completion], [GOLD], texts=[NOTE]) == [say(MODULE, answer)]
    silent = [{"role": "assistant", "content": None}]
    assert reward(MODULE, [silent], [GOLD], texts=[NOTE]) == [0.0]


def test_columns_have_any_name_and_others_do_no_harm():
    judge = Reward(MODULE, ["strict_f1"], "gold", "note", alignment=Alignment(match="fold"))
    columns = {"note": [NOTE], "gold": [json.dumps(GOLD)], "trainer_state": object()}
    assert judge(prompts=["..."], completions=['["EDEMA"]'], completion_ids=[[1]], **columns)
    assert judge.__name__ == "semeval15_task14_strict_f1"
    words = Reward(MODULE, ["strict_f1"], alignment=Alignment(match="text"))
    assert words([json.dumps([ITEM])], references=[[ITEM]]) == [1.0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: Reward("clinais23_b2"),
            "clinais23_b2 does not support rewards, expected one of semeval15",
        ),
        (lambda: Reward(MODULE, config="x"), "unknown config"),
        (lambda: reward(MODULE, ["[]"], [GOLD], texts=[NOTE], keys=["f2"]), "unknown score"),
        (lambda: reward(MODULE, ["[]"], [GOLD] * 2, texts=[NOTE]), "references: expected a list"),
        (lambda: reward(MODULE, ["[]"], [GOLD], texts=NOTE), "texts: expected a list of 1"),
        (
            lambda: reward(MODULE, ["[]"], [GOLD]),
            "completion 0: 1 document has answers, but no text",
        ),
        (lambda: reward(MODULE, ["[]"] * 2, [GOLD, "{"], texts=[NOTE] * 2), "completion 1: ref"),
        (lambda: reward(MODULE, ["x"], [[{"cui": "C1"}]], texts=[NOTE]), "'spans'"),
        (lambda: Reward("clinical_classes"), "the classes. Pass classes="),
        (lambda: Reward("clinical_records"), "the fields. Pass schema="),
    ],
)
def test_what_users_get_wrong_is_said(call, said):
    laws.refuses(call, said)


@pytest.mark.parametrize("name", ["i2b2_2010", "bc5cdr"])
def test_what_has_relations_takes_no_quotes(name):
    assert not takes_answers(find_challenge(name))
    laws.refuses(lambda: score(name, [[]], [[]], texts=[""]), "does not accept answers")


class Trainer:
    """Calls rewards as ``trl.GRPOTrainer`` 1.16 does, of completions that a script gives."""

    logged: ClassVar = {}

    def __init__(self, *, model, reward_funcs, args, train_dataset):
        assert model
        self.data, self.rewards, self.samples = train_dataset, reward_funcs, args["num_generations"]

    def train(self):
        rows = [row for row in self.data for _ in range(self.samples)]
        columns = {name: [row[name] for row in rows] for name in rows[0] if name != "prompt"}
        prompts = [row["prompt"] for row in rows]
        found = [{"spans": m["spans"], **m} for m in json.loads(rows[0]["gold"])]
        quotes = [[rows[0]["note"][a:b] for a, b in m["spans"]] for m in found]
        items = [{"text": of, "cui": m["cui"]} for m, of in zip(found, quotes, strict=True)]
        said = [json.dumps(items), *["Nothing."] * (len(rows) - 1)]
        completions = [[{"role": "assistant", "content": words}] for words in said]
        for judge in self.rewards:
            given = {"prompts": prompts, "completions": completions, "completion_ids": [[1]]}
            self.logged[judge.__name__] = judge(**given, trainer_state=None, **columns)


def test_the_manual_shows_a_reward_that_a_trainer_can_call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copy_corpora(tmp_path / "demo")
    trl = SimpleNamespace(GRPOTrainer=Trainer, GRPOConfig=dict)
    monkeypatch.setitem(sys.modules, "trl", trl)
    [block] = code_of("metrics/clineval/answers/README.md", "python")
    exec(compile(block, "README.md", "exec"), {})
    rewards = Trainer.logged["semeval15_task14_strict_f1"]
    assert rewards[0] == 1.0
    assert set(rewards[1:]) <= {0.0}
    assert len(rewards) == 8 * len(list((tmp_path / "demo/semeval15_task14/gold").iterdir()))


def test_it_needs_numpy_alone():
    program = (
        "import sys; from clineval.answers import reward; "
        "print(reward('codiesp20', ['[1', '[\"I10\"]'], [['I10']] * 2)); "
        "print({'rapidfuzz', 'datasets', 'torch', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"[0.0,", b"1.0]", b"set()"]
