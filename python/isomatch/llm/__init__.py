"""The language model that the interpret and answer stations share."""

from __future__ import annotations

from isomatch.llm.call import Message, Retry
from isomatch.llm.client import (
    ChatModel,
    Completion,
    StreamedCompletion,
    WeighedCompletion,
    continued,
    prompt,
)
from isomatch.llm.reply import Reply, Usage

__all__ = [
    "ChatModel",
    "Completion",
    "Message",
    "Reply",
    "Retry",
    "StreamedCompletion",
    "Usage",
    "WeighedCompletion",
    "continued",
    "prompt",
]
