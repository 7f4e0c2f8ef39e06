"""The language model that the interpret and answer stations share."""

from __future__ import annotations

from isomatch.model.call import Message, Retry
from isomatch.model.client import ChatModel
from isomatch.model.conversation import aconverse, converse, prompt
from isomatch.model.usage import Usage

__all__ = ["ChatModel", "Message", "Retry", "Usage", "aconverse", "converse", "prompt"]
