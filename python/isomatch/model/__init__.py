"""The language model that the interpret and answer stations share."""

from __future__ import annotations

from isomatch.model.call import Message, Retry
from isomatch.model.client import ChatModel
from isomatch.model.conversation import aconverse, converse, prompt

__all__ = ["ChatModel", "Message", "Retry", "aconverse", "converse", "prompt"]
