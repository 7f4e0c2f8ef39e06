"""What the words of a question are, and what kind of thing they ask for.

Begin with `content`, what a word is by itself, and `universal`, where "all" says more than a
plural. `asked_kinds` tells whether a pattern answers with what is asked for, by `answer_kinds`
(who, where, when), `how` ("how did Ann die") and `record_roles` (the caller of a call). `agents`
and `relation_spans` tell what a verb or noun says of the ends of its relation.
"""
