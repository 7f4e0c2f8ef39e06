"""Which words of a question a reading accounts for, and which it leaves out.

Begin with `reader`, which places every word by `known_words` and `named_ends`, leaves out what
`isomatch.interpret.checks` finds misread, and orders the readings by `preference`. `mistaken` tells
of words that are only like what they were taken for: units (`measures`), parts of names
(`narrower`), what is so now (`present`), and what may not have come about (`undone`).
"""
