"""Networks for tests, small enough to be made and trained in seconds, and what they learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.unit.learn.toy import DIRECTED, STARRED, WRITTEN

from isomatch.chains.graph import Chain, Step
from isomatch.learn.config import GsrConfig
from isomatch.learn.examples import Example
from isomatch.learn.report import Watch, ignore
from isomatch.trained.artifact import ArtifactConfig
from isomatch.trained.masking import MASK
from isomatch.trained.vocabulary import StepVocabulary

VOCABULARY = StepVocabulary(
    tuple(Step(r, back) for r in (DIRECTED, STARRED, WRITTEN) for back in (False, True)),
    tuple(t for t in ("directed by", "starred actors", "written by") for _ in range(2)),
)
DIRECTOR = (Step(DIRECTED),)
WRITER = (Step(WRITTEN),)
FILMS = (Step(STARRED, True),)
OTHERS = (Step(DIRECTED), Step(DIRECTED, True))
DIRECTORS = (Step(STARRED, True), Step(DIRECTED))

FORMS: dict[Chain, tuple[str, ...]] = {
    DIRECTOR: ("who directed {}", "the director of {}", "who is the director of {}"),
    WRITER: ("who wrote {}", "the writer of {}", "who is the writer of {}"),
    FILMS: ("what films did {} star in", "films with {}", "which films is {} in"),
    OTHERS: ("what other films has the director of {} made", "other films by the one behind {}"),
    DIRECTORS: ("who directed films with {}", "directors of {}", "for which directors did {} act"),
}


def examples() -> list[Example]:
    """A question for each form, and each relation's words as indexing data."""
    questions = [
        Example("retrieval", form.format(MASK), ((chain, 1.0),), "weak", f"{i} {j}")
        for i, (chain, forms) in enumerate(FORMS.items())
        for j, form in enumerate(forms)
    ]
    index = [
        Example("index", f"{text} {MASK}", (((step,), 1.0),), "index", f"{step}")
        for step, text in zip(VOCABULARY.steps, VOCABULARY.texts, strict=True)
        if not step.back
    ]
    return [*questions, *index]


def train(
    taught: Sequence[Example],
    vocabulary: StepVocabulary,
    out: Path,
    *,
    fingerprint: str = "",
    initial: Path | None = None,
    resume: bool = False,
    watch: Watch = ignore,
    **options: Any,
) -> ArtifactConfig:
    """Train a chain model with some options of `GsrConfig`."""
    from isomatch.learn.gsr import training

    return training.train(
        taught,
        vocabulary,
        out,
        GsrConfig.of(**options),
        record=ArtifactConfig(kind="gsr", fingerprint=fingerprint),
        initial=initial,
        resume=resume,
        watch=watch,
    )


def _words() -> list[str]:
    texts = [form for forms in FORMS.values() for form in forms] + list(VOCABULARY.texts)
    words = {word for text in texts for word in text.replace("{}", "").split()}
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", MASK, "</s>", "[", "]")
    return [*special, *sorted(words | {"index", "retrieval"})]


def _tokenizer(ends: tuple[str, ...]) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    words = {word: number for number, word in enumerate(_words())}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single=" ".join(["$A", *ends]), special_tokens=[(end, words[end]) for end in ends]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token=MASK,
        eos_token="</s>",
    )


def bert(folder: Path) -> str:
    """A BERT encoder with random weights, as transformers keeps it; its folder."""
    import torch
    from transformers import BertConfig, BertModel

    with torch.random.fork_rng():
        torch.manual_seed(1)
        network = BertModel(
            BertConfig(
                vocab_size=len(_words()),
                hidden_size=32,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=64,
                max_position_embeddings=80,
            ),
            add_pooling_layer=False,
        )
    network.save_pretrained(folder)
    _tokenizer(("[SEP]",)).save_pretrained(folder)
    return str(folder)


def t5(folder: Path) -> str:
    """A T5 with random weights; its name as a backbone."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    with torch.random.fork_rng():
        torch.manual_seed(1)
        network = T5ForConditionalGeneration(
            T5Config(
                vocab_size=len(_words()),
                d_model=32,
                d_kv=16,
                d_ff=64,
                num_layers=2,
                num_heads=2,
                decoder_start_token_id=0,
                pad_token_id=0,
                eos_token_id=_words().index("</s>"),
            )
        )
    network.save_pretrained(folder)
    _tokenizer(("</s>",)).save_pretrained(folder)
    return f"seq2seq:{folder}"
