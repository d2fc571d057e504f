"""Offsets of real fast tokenizers: blanks in front, bytes of one letter, windows, padding."""

import pytest
from needs import need

from clineval.training import Annotation, TagSet, Windows

tokenizers = need("tokenizers", "training")
transformers = need("transformers", "training")
SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]
TEXTS = [
    "Atrium is  dilated.\n\nNo  edema \u2013 na\u00efve \u201cok\u201d \U0001fa7a knee\tache. ",
    "Short: asthma",
    "",
    "   \n",
]
WORDS = [
    [("Atrium", "dilated"), ("edema",), ("na\u00efve",), ("\U0001fa7a knee\tache",)],
    [("asthma",)],
    [],
    [],
]
ANNOTATIONS = [
    [
        Annotation(tuple((text.index(w), text.index(w) + len(w)) for w in words), "Disorder")
        for words in mentions
    ]
    for text, mentions in zip(TEXTS, WORDS, strict=True)
]


def train(tokenizer, trainer, post_processor):
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    tokenizer.post_processor = post_processor
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    )


def make_bytes(*, trim_offsets, add_prefix_space):
    """As RoBERTa's and ModernBERT's: tokens are bytes, a blank belongs to the word after it."""
    pre = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = pre
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300, special_tokens=SPECIAL, initial_alphabet=pre.alphabet()
    )
    processor = tokenizers.processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 1), trim_offsets=trim_offsets, add_prefix_space=add_prefix_space
    )
    return train(tokenizer, trainer, processor)


def make_unigram():
    """As XLM-RoBERTa's and DeBERTa's: pieces of a normalized text.

    Which pieces it learns depends on sums that threads add up in any order, so punctuation is split
    off before: else "dilated." could become one piece, which no mention ends in.
    """
    pre = tokenizers.pre_tokenizers
    tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram())
    tokenizer.normalizer = tokenizers.normalizers.NFKC()
    tokenizer.pre_tokenizer = pre.Sequence([pre.Metaspace(), pre.Punctuation()])
    trainer = tokenizers.trainers.UnigramTrainer(
        vocab_size=80, special_tokens=SPECIAL, unk_token="<unk>"
    )
    processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    return train(tokenizer, trainer, processor)


TOKENIZERS = {
    "bytes": make_bytes(trim_offsets=False, add_prefix_space=False),
    "bytes, prefixed": make_bytes(trim_offsets=False, add_prefix_space=True),
    "bytes, trimmed": make_bytes(trim_offsets=True, add_prefix_space=True),
    "unigram": make_unigram(),
}
IN_WINDOWS = {
    "truncation": True, "max_length": 12, "stride": 4, "return_overflowing_tokens": True,
}  # fmt: skip
CALLS = {
    "whole": {},
    "windows": IN_WINDOWS,
    "padded": {**IN_WINDOWS, "padding": True},
    "tensors": {**IN_WINDOWS, "padding": "max_length", "return_tensors": "pt"},
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
def test_mentions_come_back_as_they_were(tokenizer, call):
    encoding = tokenizer(TEXTS, return_offsets_mapping=True, **call)
    windows = Windows.of(encoding, TEXTS)
    assert (len(windows) > len(TEXTS)) is bool(call)
    tags = TagSet.of(["Disorder"], "biohd")
    labels = windows.encode(ANNOTATIONS, tags)
    assert windows.decode(labels, tags) == ANNOTATIONS
    assert windows.decode(tags_as_outputs(labels, tags), tags) == ANNOTATIONS
    ids = encoding["input_ids"]
    for row, of_row in zip(labels.tolist(), ids, strict=True):
        special = {tokenizer.convert_tokens_to_ids(token) for token in SPECIAL[:3]}
        assert all(tag == -100 for tag, token in zip(row, of_row, strict=False) if token in special)


def tags_as_outputs(labels, tags):
    """What a model that is sure of all would put out; of padding it is sure too, of nonsense."""
    torch = need("torch", "training")
    ids = torch.tensor(labels)
    return torch.nn.functional.one_hot(ids.where(ids >= 0, 1), len(tags.tags)).float()
