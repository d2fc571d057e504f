"""A tokenizer and a tiny transformer, made here: nothing is downloaded."""

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast

from clineval.training import TagSet, Windows

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def make_tokenizer(texts):
    """WordPiece with all words and characters of the texts; the same in every process."""
    splitter = pre_tokenizers.BertPreTokenizer()
    words = sorted({word for text in texts for word, _ in splitter.pre_tokenize_str(text.lower())})
    characters = sorted({character for word in words for character in word})
    pieces = dict.fromkeys([*SPECIAL, *characters, *(f"##{c}" for c in characters), *words])
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = splitter
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    )


def encode(tokenizer, texts, annotations, tags: TagSet):
    """Windows of 64 tokens that overlap by 16, and the columns to train with."""
    encoding = tokenizer(
        list(texts),
        truncation=True,
        max_length=64,
        stride=16,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )
    windows = Windows.of(encoding, texts)
    labels = windows.encode(annotations, tags).tolist()
    rows = [
        {
            "input_ids": ids,
            "attention_mask": [1] * len(ids),
            "labels": row[: len(ids)],
        }
        for ids, row in zip(encoding["input_ids"], labels, strict=True)
    ]
    return windows, rows


def make_model(tokenizer, tags: TagSet):
    """Random weights."""
    return BertForTokenClassification(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=128,
            max_position_embeddings=64,
            hidden_dropout_prob=0.0,
            id2label=tags.id2label,
            label2id=tags.label2id,
        )
    )
