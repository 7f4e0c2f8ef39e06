"""A language model as interpreter: it writes a pattern, never a query.

After SimGRAG (Cai et al., arXiv 2412.15272), sections 4.1 and 4.3: the question
is cut into segments, each becomes a triple, and what is not named is UNKNOWN.
Whatever a reply holds is data: it becomes texts in a `Pattern`, which are
embedded and compared, or it is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.errors import InterpretationError, PatternError
from isomatch.flows import Flow, arun, run
from isomatch.interpret.llm.examples import examples_from_graph
from isomatch.interpret.llm.frames import Example
from isomatch.interpret.llm.reply import cut, pattern_of
from isomatch.interpret.llm.reply_schema import reply_schema
from isomatch.interpret.types import Hypothesis
from isomatch.llm import ChatModel, Completion, Message, continued, prompt
from isomatch.phrasing import clean
from isomatch.schema.types import Schema
from isomatch.store.base import Store
from isomatch.store.terms import local_name, words

_PACKAGE = "isomatch.interpret.llm"
_WORDS = 40  # relations and types that the prompt names; the rest is found by vectors
_KEYS = 5  # of one relation's properties, that the prompt names
EXAMPLES = (
    Example(
        "Which films by the director of Heat came out in 1995?",
        ("the director of Heat", "films by this director", "films that came out in 1995"),
        (
            ("Heat", "directed by", "UNKNOWN person 1"),
            ("UNKNOWN film 1", "directed by", "UNKNOWN person 1"),
            ("UNKNOWN film 1", "release year", "1995"),
        ),
        ("UNKNOWN film 1",),
    ),
    Example(
        "How is Ada Lovelace connected with Charles Babbage?",
        ("Ada Lovelace and Charles Babbage",),
        (("Ada Lovelace", "UNKNOWN relation 1", "Charles Babbage"),),
        (),
    ),
)
EDGE_VALUE = Example(
    "Whom did Tom Hanks play in Cast Away?",
    ("the part of Tom Hanks in Cast Away",),
    (("Tom Hanks", "acted in", "Cast Away", "UNKNOWN 1"),),
    ("UNKNOWN 1",),
)


class LLMInterpreter:
    """Asks a language model for the pattern of a question.

    Args:
        model: the endpoint.
        examples: worked examples for the prompt; None for two that stand for
            any graph. `for_graph` takes them from the user's own.
        relations, types: words of the graph that the prompt names; the first
            40 of each.
        edge_values: relations with what their edges carry, as "acted in (roles)";
            without any, a triple has no fourth text.
        notes: said with every hypothesis.
    """

    name = "llm"

    def __init__(
        self,
        model: ChatModel,
        examples: Sequence[Example] | None = None,
        *,
        relations: Sequence[str] = (),
        types: Sequence[str] = (),
        edge_values: Sequence[str] = (),
        notes: Sequence[str] = (),
    ):
        self.model = model
        self.examples = tuple(EXAMPLES if examples is None else examples)
        self.relations = _named(relations)
        self.types = _named(types)
        self.edge_values = _named(edge_values)
        self.notes = tuple(notes)

    @classmethod
    def for_graph(
        cls,
        model: ChatModel,
        store: Store,
        schema: Schema,
        examples: Sequence[Example] | None = None,
    ) -> LLMInterpreter:
        """With the graph's own words, and examples from it where none are given.

        Raises:
            StoreError: the database refused a query.
        """
        notes: list[str] = []
        if examples is None:
            own = (EDGE_VALUE,) if schema.edge_properties else ()
            examples = (*EXAMPLES, *own, *examples_from_graph(store, schema, notes=notes))
        return cls(
            model,
            examples,
            relations=[r.text for r in schema.relations],
            types=[t.text for t in schema.types],
            edge_values=[
                f"{r.text} ({', '.join(words(local_name(key)) for key in list(keys)[:_KEYS])})"
                for r in schema.relations
                if (keys := schema.edge_properties.get(r.id))
            ],
            notes=notes,
        )

    def interpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """The model's pattern, as the only hypothesis.

        A reply that is no pattern is sent back once, with what is wrong.

        Raises:
            InterpretationError: the second reply was no pattern either, or the
                question is empty.
            ModelError: the endpoint failed.
        """
        return run(self.flow(question, topics))

    async def ainterpret(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """`interpret`, without blocking."""
        return await arun(self.flow(question, topics))

    def messages(self, question: str, topics: Sequence[str] | None = None) -> list[Message]:
        """What the model is asked."""
        given = {
            "relations": self.relations,
            "types": self.types,
            "edge_values": self.edge_values,
            "examples": self.examples,
        }
        asked = f"Question: {' '.join(question.split())}"
        if topics:
            asked += f"\nNames in it: {'; '.join(clean(topic) for topic in topics)}"
        return [
            {"role": "system", "content": prompt(_PACKAGE, "pattern.j2", **given)},
            {"role": "user", "content": asked},
        ]

    def flow(
        self, question: str, topics: Sequence[str] | None = None
    ) -> Flow[tuple[Hypothesis, ...]]:
        """See `FlowInterpreter.flow`."""
        if not question.strip():
            raise InterpretationError("the question is empty; ask something, for example: 'Who …?'")
        messages, form = self.messages(question, topics), reply_schema(bool(self.edge_values))
        notes = self.notes
        said = yield Completion(self.model, messages, form)
        try:
            pattern = pattern_of(said, bool(self.edge_values))
        except PatternError as error:
            texts = "three or four" if self.edge_values else "three"
            repair = prompt(_PACKAGE, "repair.j2", problem=str(error), texts=texts)
            sent_back = continued(messages, cut(said, 4000), repair)
            again = yield Completion(self.model, sent_back, form)
            try:
                pattern = pattern_of(again, bool(self.edge_values))
            except PatternError as second:
                raise InterpretationError(
                    f"the language model {self.model.model!r} made no pattern of the question "
                    f"{cut(question)!r}, in two attempts: {second}. It said: {cut(again)!r}. "
                    f"Ask in other words, write the pattern yourself, or use another model"
                ) from second
            notes = (
                *notes,
                "the model's first reply was no pattern and was sent back",
            )
        return (Hypothesis(pattern, 1.0, source=self.name, notes=notes),)


def _named(words: Sequence[str]) -> tuple[str, ...]:
    """The first words that are fit for a prompt: short, and on one line."""
    fit = (w for w in dict.fromkeys(words) if len(w) < 60 and w.isprintable())
    return tuple(w for _, w in zip(range(_WORDS), fit, strict=False))
