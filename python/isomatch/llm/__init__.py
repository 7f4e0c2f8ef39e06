"""The language model that the interpret and answer stations share."""

from __future__ import annotations

from isomatch.llm.call import Message, Retry
from isomatch.llm.client import ChatModel, Completion, StreamedCompletion, prompt
from isomatch.llm.reply import Usage

__all__ = ["ChatModel", "Completion", "Message", "Retry", "StreamedCompletion", "Usage", "prompt"]
