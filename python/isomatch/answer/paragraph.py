"""Answers to open questions as paragraphs, each sentence with the facts that carry it.

The three forms of evidence are shown to the model in prompts of their own (OKGQA, Sui and
Hooi 2025, section 4.2, has the forms; the prompts are isomatch's).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.answer.evidence import key_of, line, without_citations
from isomatch.answer.support import SupportCheck
from isomatch.answer.types import MISSING, REFUSAL, UNSUPPORTED
from isomatch.flows import Flow
from isomatch.llm import ChatModel, Completion, Message, StreamedCompletion, continued, prompt
from isomatch.llm.reply import without_thoughts
from isomatch.phrasing import bound_words, clean

if TYPE_CHECKING:
    from isomatch.answer.readers import Sheet
    from isomatch.answer.types import Sentence
    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.options import Unsupported
    from isomatch.prizes.selection import Selection

_PACKAGE = "isomatch.answer"
_LONGEST = 300  # characters of the line that says what is missing
_MISSING = re.compile(rf"^[\s*_#>-]*{re.escape(MISSING.rstrip(':'))}[\s*_]*:[\s*_]*", re.IGNORECASE)
_SPACE_BEFORE = re.compile(r"\s+(?=[.,;!?])")
_NOTHING = re.compile(r"(?:nothing|none|n/a|-)?\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What a model wrote, checked.

    Attributes:
        text: what is shown; empty where the model refused, or nothing has support.
        sentences: all of them, in their order.
        notes: in words: what was sent back, marked or dropped, or why nothing is shown.
    """

    text: str
    sentences: tuple[Sentence, ...]
    notes: tuple[str, ...]

    @property
    def cited(self) -> tuple[int, ...]:
        """The numbers that sentences with support cite, as first cited."""
        return tuple(dict.fromkeys(n for s in self.sentences if s.supported for n in s.cited))

    @property
    def supported(self) -> str:
        """The sentences with support."""
        return " ".join(s.text for s in self.sentences if s.supported)


class ParagraphWriter:
    """Has a model write a paragraph from evidence, and checks it.

    Args:
        model: writes it.
        lexicon: words and language of the session, for the check.
        unsupported: what becomes of sentences without support.
    """

    def __init__(self, model: ChatModel, lexicon: Lexicon, unsupported: Unsupported):
        self.model = model
        self.lexicon = lexicon
        self.unsupported = unsupported

    def flow(
        self, question: str, selection: Selection, shown: Sheet, streamed: bool = False
    ) -> Flow[Paragraph]:
        """The paragraph; see `isomatch.answer.answerer.Answerer.flow`.

        It is sent back once where no sentence has support, or one cites what is not there.
        """
        check = SupportCheck(shown.evidence, self.lexicon.language, self.lexicon)
        messages = self.messages(question, selection, shown)
        first = StreamedCompletion if streamed else Completion
        said = without_thoughts((yield first(self.model, messages)))
        draft, notes = _Draft.of(said, check), list[str]()
        if problem := draft.problem(shown.known):
            repair = prompt(
                _PACKAGE,
                "paragraph_repair.j2",
                problem=problem,
                facts=shown.known,
                refusal=REFUSAL,
            )
            sent_back = continued(messages, said, repair)
            again = without_thoughts((yield Completion(self.model, sent_back)))
            notes.append(f"the model's first answer was sent back: {problem}")
            second = _Draft.of(again, check)
            # The first may have sentences with support beside one that cites what is not there.
            if draft.supported <= second.supported or second.refused:
                said, draft = again, second
        if draft.refused:
            return Paragraph("", (), (*notes, "the model found no answer in the facts"))
        if not draft.supported:
            reason = draft.problem(shown.known)
            notes.append(f"the model's answer was refused: {reason}. It said: {clean(said, 300)}")
            return Paragraph("", draft.sentences, tuple(notes))
        text = draft.text(self.unsupported, _missing(draft.missing, check, selection, shown))
        if streamed and text.startswith(said):
            yield text.removeprefix(said)  # what was added is said, too
        left = len(draft.sentences) - draft.supported
        if left:
            done = "marked" if self.unsupported == "mark" else "dropped"
            of = f"{left} of {len(draft.sentences)} sentences"
            notes.append(f"{of} had no support and {'was' if left == 1 else 'were'} {done}")
        return Paragraph(text, draft.sentences, tuple(notes))

    def messages(self, question: str, selection: Selection, shown: Sheet) -> list[Message]:
        """What the model is sent."""
        form = selection.form
        rules = prompt(_PACKAGE, "paragraph.j2", form=form, refusal=REFUSAL, missing=MISSING)
        named = {b.id: b for e in shown.evidence for b in (e.triple.source, e.triple.target)}
        topics = [bound_words(named[topic]) for topic in selection.topics if topic in named]
        asked = prompt(
            _PACKAGE,
            "paragraph_facts.j2",
            form=form,
            question=clean(question, None),
            topics="; ".join(dict.fromkeys(topics)),
            groups=_groups(selection, shown),
            cut=shown.cut,
        )
        return [{"role": "system", "content": rules}, {"role": "user", "content": asked}]


@dataclass(frozen=True, slots=True)
class _Draft:
    """A reply, read.

    Attributes:
        lines: sentences of each line, without the one that says what is missing.
        missing: what that one says; empty where there is none.
    """

    lines: Sequence[Sequence[Sentence]]
    missing: str
    refused: bool

    @classmethod
    def of(cls, said: str, check: SupportCheck) -> _Draft:
        lines = said.splitlines()
        last = [found for text in lines if (found := _MISSING.match(text))]
        body = "\n".join(text for text in lines if not _MISSING.match(text))
        missing = last[-1].string[last[-1].end() :] if last else ""
        refused = said.casefold().startswith(REFUSAL.casefold().rstrip("."))
        return cls(check.lines(body), missing.strip(), refused)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(sentence for line in self.lines for sentence in line)

    @property
    def supported(self) -> int:
        """How many sentences have support."""
        return sum(sentence.supported for sentence in self.sentences)

    def problem(self, known: int) -> str:
        """Why it is to be sent back; empty if it is not."""
        if self.refused:
            return ""
        if wrong := [n for s in self.sentences for n in s.cited if not 1 <= n <= known]:
            listed = ", ".join(map(str, dict.fromkeys(wrong[:5])))
            return f"it cites {listed}, and there is no such fact"
        if self.supported:
            return ""
        first = next(iter(self.sentences), None)
        if first is None:
            return "it says nothing"
        if not any(s.cited for s in self.sentences):
            return "it cites no fact"
        first = next(s for s in self.sentences if s.cited)
        return f"no sentence has support; of “{clean(first.text, 200)}” {first.reason}"

    def text(self, unsupported: Unsupported, missing: str) -> str:
        """What is shown: the sentences with support, perhaps the others, and what is missing."""
        lines = []
        for line_of in self.lines:
            kept = [s for s in line_of if s.supported or unsupported == "mark"]
            told = (s.text if s.supported else f"{s.text} {UNSUPPORTED}" for s in kept)
            if kept:
                text = " ".join(told)
                lines.append(f"{text[:-1]}." if text.endswith(";") else text)
        return "\n".join((*lines, missing))


def _groups(selection: Selection, shown: Sheet) -> list[list[str]]:
    """The lines of the prompt: one group, or one for each tree."""
    if selection.form == "paths":
        return [list(shown.values["chains"][0]["paths"])]
    if selection.form == "triplets" or len(selection.groups) < 2:
        return [[line(fact) for fact in shown.evidence]]
    groups = []
    for group in selection.groups:
        keys = set(map(key_of, group))
        groups.append([line(fact) for fact in shown.evidence if key_of(fact.triple) in keys])
    return [group for group in groups if group]


def _missing(said: str, check: SupportCheck, selection: Selection, shown: Sheet) -> str:
    """The last line: by the model, where that is one plain sentence that no fact answers."""
    words = clean(_SPACE_BEFORE.sub("", without_citations(said)), _LONGEST) if said else ""
    several = re.search(r"[.!?]\s+\S", words)
    words = words[: several.start() + 1] if several else words
    if not _NOTHING.fullmatch(words) and not check.held(words):
        return f"{MISSING} {words}"
    hops = f"{selection.options.hops} hop{'s' if selection.options.hops > 1 else ''}"
    facts = len({key_of(fact.triple) for fact in shown.evidence})
    return (
        f"{MISSING} whatever this text does not say; it was written from {facts} of the "
        f"{selection.before.facts:,} facts within {hops}."
    )
