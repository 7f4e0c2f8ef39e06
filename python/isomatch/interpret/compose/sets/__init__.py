"""Sets of nodes and values, and how two of them join.

Begin with `joins`, which the rules ask, `possession`, who has what a noun is for, and `values`, the
sets one step away from others. `names` has the sets that a name may stand for, `counting` numbers
of things that may be none, `events` the relations that imply that something was done. `areas` and
`addresses` are reached by a thing between.
"""
