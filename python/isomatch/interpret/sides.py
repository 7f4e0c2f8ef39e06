"""All that compares words for kinds and relations with where these are in a reading."""

from __future__ import annotations

from isomatch.interpret.bridges import Bridges
from isomatch.interpret.clause_nouns import ClauseNouns
from isomatch.interpret.insides import Insides
from isomatch.interpret.kinds_beside import KindsBeside
from isomatch.interpret.kinds_placed import PlacedKinds
from isomatch.interpret.memberships import Memberships
from isomatch.interpret.nouns_beside import NounsBeside
from isomatch.interpret.objects import VerbObjects
from isomatch.interpret.opposites import OppositeFlags
from isomatch.interpret.recipients import Recipients
from isomatch.interpret.side import Side
from isomatch.interpret.undergoers import Undergoers
from isomatch.interpret.universal_objects import UniversalObjects
from isomatch.interpret.whence import Whence

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
