"""How two neighbouring parts of a question join: a class of rules for each group of words.

Begin with `base`, what every class of rules has, and `all`, which merges their tables and has the
rules for plain sets and relations. Each other module is called by its words: `superlatives`,
`negations`, `counts`. `dates`, `participants`, `record_values`, `relative_clauses` and
`repeated_relations` wrap rules of others, and `unions` makes sets of several.
"""
