"""What single words and phrases of a question may be: the leaves of the chart.

Begin with `word_reader`, which finds most of them. `similar` adds words that the lexicon lacks,
`record_verbs` verbs for what a class records (a `record`), `joint_words` nouns as "co-actors", and
`untyped_kinds` kinds of graphs without types. `filters` takes verbs away that other words exclude.
"""
