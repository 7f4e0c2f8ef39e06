"""Which parts that cover a whole question answer it, and what an answer tells of them.

Begin with `answering`, which chooses by the word that a question begins with, and asks `where` for
"where". `record_pairs` and `beside_names` change what is asked for, as others than a name. What was
converted or guessed is told by `assumptions`.
"""
