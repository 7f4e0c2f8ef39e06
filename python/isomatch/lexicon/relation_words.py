"""What a relation is called in questions."""

from __future__ import annotations

from dataclasses import dataclass

THING = "thing"


@dataclass(frozen=True, slots=True)
class RelationWords:
    """The words of a relation; ``templates/lexicon.toml.j2`` says what each means."""

    source: str = THING
    target: str = THING
    nouns: tuple[str, ...] = ()
    inverse_nouns: tuple[str, ...] = ()
    forward: tuple[str, ...] = ()
    backward: tuple[str, ...] = ()

    def phrases(self) -> list[str]:
        """What says the relation, in either direction, without the classes of its ends."""
        return [*self.nouns, *self.inverse_nouns, *self.forward, *self.backward]

    def beside(self, other: RelationWords) -> RelationWords:
        """These words, and then those of another name of the relation."""
        return RelationWords(
            self.source,
            self.target,
            *(
                tuple(dict.fromkeys((*getattr(self, of), *getattr(other, of))))
                for of in ("nouns", "inverse_nouns", "forward", "backward")
            ),
        )

    def inverse(self) -> RelationWords:
        """The words of the same relation read from target to source."""
        return RelationWords(
            self.target, self.source, self.inverse_nouns, self.nouns, self.backward, self.forward
        )
