"""The prose check: it finds what is hard to read, and where; plain sentences pass."""

import pytest
from prose import find_problems, list_texts, main

HARD = [
    "Relations, of which there is a warning, are left out.",
    "All names are slots, but for `id`.",
    "What helps most is a number that is wrong.",
    "Whoever has the corpus prints its digest.",
    "Those of the normal distribution are too narrow.",
    "The label is of the second mention.",
    "They do not tell which one it is.",
    "The row counts, as pandas has it.",
    "`compare` and `errors` likewise.",
    "An unknown name is refused.",
    "It turns texts into windows of what the tokenizer makes of the words.",
    "Most of these corpora are warned of.",
    "Strict boundaries are another thing than equal labels.",
    "The error names the file; whose lines are numbered.",
    "It counts the pairs; in which some are wrong.",
    " ".join(["word"] * 41) + ".",
]
PLAIN = [
    "What is a slot?",
    "Relations (with a warning), events and notes are ignored.",
    "If you misspell a name, the error suggests the closest matches.",
    "It uses the words that it was given, and tells the user.",
    "Use `of which` and ``refuse`` in code, [but not](of-which-but-for.md) in text.",
    " ".join(["word"] * 40) + ".",
]


@pytest.mark.parametrize("sentence", HARD)
def test_a_sentence_that_must_be_read_twice_is_found(sentence):
    text = f"# Heading\n\nA plain sentence.\n{sentence} Another one.\n"
    assert [line for line, _, _ in find_problems(text)] == [3]


@pytest.mark.parametrize("sentence", PLAIN)
def test_a_plain_sentence_passes(sentence):
    assert list(find_problems(f"{sentence} Another one.\n\n- {sentence}\n")) == []


def test_code_is_no_prose():
    front, fenced = "---\nx: of which\n---\n", "```sh\nof which\n```\n"
    example = ">>> 'of which'\n'of which'\n"
    text = f"{front}\n{fenced}\n    of which\n\n{example}"
    assert list(find_problems(text)) == []


def test_docstrings_and_comments_are_read_with_their_lines(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        'NAME = "of which"\n\n\ndef f():\n    """Return one, of which."""\n    # refuse\n'
    )
    found = [
        (line, words)
        for first, text in list_texts(path)
        for line, words, _ in find_problems(text, first)
    ]
    assert found == [(5, "of which"), (6, "refuse")]


def test_the_files_that_make_lint_checks_are_clean():
    assert main() == 0
