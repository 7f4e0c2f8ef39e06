"""What words are by themselves: their forms, and the phrases, numbers and dates they make.

Begin with `phrases`, the stretches of a question that stand for something, and `relation_words`,
the words for relations; `relation_phrases` has what each is called. `voice` tells subjects from
objects, `class_verbs` and `creation_verbs` find verbs that relations are not called by,
`constants` reads numbers and dates, `grading` adjectives that compare, and `states` what a thing is
in or out of.
"""
