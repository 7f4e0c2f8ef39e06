"""Relations of a reading that no word of its question says, and which of them it may have.

Begin with `hops`. It asks `omitted` for those that people leave out, `names_beside_verbs` for those
to names beside a verb, and `untyped` for those of graphs without types.
"""
