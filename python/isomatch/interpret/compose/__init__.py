"""Reads whole questions without a model: words become sets, a chart joins them.

Begin with `composer`, which has the steps in their order. Questions are put in order by `syntax`.
`leaves` gives what single words and phrases may be, by what `lexical` tells of them. `chart` joins
these parts (`items`, of a category of `categories`) by `rules`, which make sets of sets with
`sets`. What a part means is an expression (`expressions`, told apart by `analysis`) over the kinds
of the graph (`kinds`) and its units (`units`). `readings` chooses those that answer the question,
and `patterns` makes patterns of them.
"""
