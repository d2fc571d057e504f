"""A tokenizer and a tiny transformer, made here: nothing is downloaded."""

import random

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertForTokenClassification,
    DataCollatorForTokenClassification,
    PreTrainedTokenizerFast,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)
from transformers.modeling_outputs import TokenClassifierOutput

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
    """Random weights, for tags of tokens."""
    return BertForTokenClassification(_configure(tokenizer, tags.id2label))


def make_classifier(tokenizer, labels):
    """Random weights, for classes of texts."""
    return BertForSequenceClassification(_configure(tokenizer, dict(enumerate(labels))))


def _configure(tokenizer, id2label):
    return BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=64,
        hidden_dropout_prob=0.0,
        id2label=id2label,
        label2id={label: number for number, label in id2label.items()},
    )


class TaggerByHeart(torch.nn.Module):
    """Gives a token the tag that it has most often, but for some places of a window.

    All its numbers are small integers and no two tags tie. So every processor computes the same
    outputs, however the windows are put into batches, which no trained model can promise.
    """

    def __init__(self, tokenizer, tags: TagSet, rows):
        super().__init__()
        chance, size = random.Random(3), len(tags.tags)
        counts = torch.zeros(len(tokenizer), size)
        for row in rows:
            for token, tag in zip(row["input_ids"], row["labels"], strict=True):
                if tag >= 0:
                    counts[token, tag] += 1
        doubts = torch.tensor([[chance.choice((0, 0, 0, 9)) for _ in tags.tags] for _ in range(64)])
        self.of_token = torch.nn.Embedding.from_pretrained(
            counts * size + torch.arange(size), freeze=False
        )
        self.of_place = torch.nn.Embedding.from_pretrained(doubts.float() * size, freeze=False)

    def forward(self, input_ids, attention_mask=None, labels=None):  # noqa: ARG002 - the Trainer's
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        logits = self.of_token(input_ids) + self.of_place(places)
        return TokenClassifierOutput(loss=logits.new_zeros(()), logits=logits)


class Spoiler(TrainerCallback):
    """Turns the outputs around after the last epoch: whoever keeps the last checkpoint is wrong."""

    def on_epoch_end(self, args, state, *_, model=None, **__):
        if state.epoch >= args.num_train_epochs:
            with torch.no_grad():
                model.classifier.weight.neg_()


def make_trainer(tokenizer, tags: TagSet | None, rows, *, compute_metrics, **options):
    """Learns the rows and evaluates on them after each epoch; without ``model=`` tags of tokens."""
    set_seed(7)
    model = options.pop("model", None) or make_model(tokenizer, tags)
    collate = options.pop("data_collator", None) or DataCollatorForTokenClassification(tokenizer)
    arguments = TrainingArguments(
        num_train_epochs=12,
        learning_rate=3e-3,
        per_device_train_batch_size=8,
        per_device_eval_batch_size=16,
        eval_strategy="epoch",
        save_strategy="epoch",
        load_best_model_at_end=True,
        use_cpu=True,
        report_to=[],
        disable_tqdm=True,
        logging_strategy="no",
        **options,
    )
    return Trainer(
        model=model,
        args=arguments,
        train_dataset=rows,
        eval_dataset=rows,
        data_collator=collate,
        compute_metrics=compute_metrics,
        callbacks=[Spoiler()],
    )
