"""The checks, in the order in which readings are asked."""

from __future__ import annotations

from isomatch.interpret.checks.antonyms import Antonyms
from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.clause_nouns import ClauseNouns
from isomatch.interpret.checks.exclusive_values import ExclusiveValues
from isomatch.interpret.checks.locatives import Locatives
from isomatch.interpret.checks.memberships import Memberships
from isomatch.interpret.checks.named_kinds import NamedKinds
from isomatch.interpret.checks.path_words import PathWords
from isomatch.interpret.checks.placed_kinds import PlacedKinds
from isomatch.interpret.checks.recipients import Recipients
from isomatch.interpret.checks.relational_nouns import RelationalNouns
from isomatch.interpret.checks.sources_and_goals import SourcesAndGoals
from isomatch.interpret.checks.undergoers import Undergoers
from isomatch.interpret.checks.universal_objects import UniversalObjects
from isomatch.interpret.checks.verb_arguments import VerbArguments
from isomatch.interpret.checks.verb_objects import VerbObjects

CHECKS: tuple[type[Check], ...] = (
    VerbArguments,
    RelationalNouns,
    Locatives,
    VerbObjects,
    Undergoers,
    PathWords,
    PlacedKinds,
    UniversalObjects,
    Antonyms,
    Recipients,
    SourcesAndGoals,
    ClauseNouns,
    Memberships,
    NamedKinds,
    ExclusiveValues,
)
"""Each says by ``are_misread`` whether a reading has words for something else than they say."""
