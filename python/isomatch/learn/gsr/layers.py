"""The layers of the networks of chain and program models: needs torch."""

# mypy: allow-subclassing-any

from __future__ import annotations

import torch
from torch import Tensor, nn

NEVER = -1e9
_DROPOUT = 0.1


def narrowing(wide: int, width: int) -> nn.Module:
    """Fewer numbers for a state; orthogonal, so that states which are alike stay so."""
    linear = nn.Linear(wide, width)
    nn.init.orthogonal_(linear.weight)
    nn.init.zeros_(linear.bias)
    return nn.Sequential(linear, nn.LayerNorm(width))


class EncoderLayer(nn.Module):
    """Self-attention over the text, and a feed-forward part."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.of_text = nn.Linear(width, 3 * width)
        self.from_text = nn.Linear(width, width)
        self.feed = _feed(width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, hidden: Tensor, attention_mask: Tensor) -> Tensor:
        """One layer: (texts, tokens, width) → the same."""
        width = hidden.shape[-1]
        ask, kept = self.of_text(self.norms[0](hidden)).split([width, 2 * width], dim=-1)
        mixed = _attend(ask, kept, attention_mask[:, None, None, :].bool(), self.heads)
        hidden = hidden + self.dropout(self.from_text(mixed))
        fed: Tensor = self.feed(self.norms[1](hidden))
        return hidden + self.dropout(fed)


class DecoderLayer(nn.Module):
    """Self-attention over the chain, cross-attention to the text, and a feed-forward part."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.of_chain = nn.Linear(width, 3 * width)
        self.from_chain = nn.Linear(width, width)
        self.ask_text = nn.Linear(width, width)
        self.of_text = nn.Linear(width, 2 * width)
        self.from_text = nn.Linear(width, width)
        self.feed = _feed(width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(
        self, hidden: Tensor, text: Tensor, seen: Tensor, past: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """One layer.

        Args:
            hidden: (texts * chains, places, width); one place where ``past`` is given.
            text: keys and values of the text, as ``of_text`` makes them.
            seen: (texts, 1, 1, tokens), true except for padding.
            past: keys and values of the places before, (texts * chains, places, 2 * width).

        Returns:
            As ``hidden``; and keys and values of all places.
        """
        rows, places, width = hidden.shape
        ask, kept = self.of_chain(self.norms[0](hidden)).split([width, 2 * width], dim=-1)
        earlier = None
        if past is None:
            earlier = torch.ones(places, places, dtype=torch.bool, device=hidden.device).tril()
        else:
            kept = torch.cat([past, kept], dim=1)
        mixed = _attend(ask, kept, earlier, self.heads)
        hidden = hidden + self.dropout(self.from_chain(mixed))
        # All chains of a text at once, so that its keys and values are not copied.
        ask = self.ask_text(self.norms[1](hidden)).reshape(text.shape[0], -1, width)
        mixed = _attend(ask, text, seen, self.heads).reshape(rows, -1, width)
        hidden = hidden + self.dropout(self.from_text(mixed))
        fed: Tensor = self.feed(self.norms[2](hidden))
        return hidden + self.dropout(fed), kept


def _feed(width: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))


def _attend(ask: Tensor, kept: Tensor, seen: Tensor | None, heads: int) -> Tensor:
    """Attention of several heads; ``kept`` has keys and values."""
    batch, places, width = ask.shape
    parts = [
        t.reshape(batch, -1, heads, width // heads).transpose(1, 2)
        for t in (ask, *kept.chunk(2, dim=-1))
    ]
    scores = parts[0] @ parts[1].transpose(2, 3) / (width // heads) ** 0.5
    if seen is not None:
        scores = scores.masked_fill(~seen, NEVER)
    return (scores.softmax(dim=-1) @ parts[2]).transpose(1, 2).reshape(batch, places, width)
