"""The order of a question's words, how far some of them reach, and sentences that ask for nothing.

`word_order` puts words where the rules read them, `scopes` tells how far "no" and "whose" reach,
`attachment` which noun a clause describes and `subjects` what verbs are said of, by the `parts` of
a question, `relative_clauses` and `verb_final` the same where clauses end with their verbs, and
`sentences` which sentences are not read, and which words only build one.
"""
