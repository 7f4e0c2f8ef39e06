"""All that compares words for kinds and relations with where these are in a reading."""

from __future__ import annotations

from isomatch.interpret.checks.antonyms import OppositeFlags
from isomatch.interpret.checks.base import Side
from isomatch.interpret.checks.clause_nouns import ClauseNouns
from isomatch.interpret.checks.locatives import Insides
from isomatch.interpret.checks.memberships import Memberships
from isomatch.interpret.checks.path_words import Bridges
from isomatch.interpret.checks.placed_kinds import PlacedKinds
from isomatch.interpret.checks.recipients import Recipients
from isomatch.interpret.checks.relational_nouns import NounsBeside
from isomatch.interpret.checks.sources_and_goals import Whence
from isomatch.interpret.checks.undergoers import Undergoers
from isomatch.interpret.checks.universal_objects import UniversalObjects
from isomatch.interpret.checks.verb_arguments import KindsBeside
from isomatch.interpret.checks.verb_objects import VerbObjects

SIDES: tuple[type[Side], ...] = (
    KindsBeside,
    NounsBeside,
    Insides,
    VerbObjects,
    Undergoers,
    Bridges,
    PlacedKinds,
    UniversalObjects,
    OppositeFlags,
    Recipients,
    Whence,
    ClauseNouns,
    Memberships,
)
"""Each says by ``are_misread`` whether a reading has words for something else than they say."""
