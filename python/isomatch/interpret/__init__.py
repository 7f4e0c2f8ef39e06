"""Questions to patterns: ranked hypotheses of what a question means.

Begin with `types`, what every interpreter gives, and `registry`, which has the interpreters by
name: `schema`, the one without a model, `llm`, `gsr`, `programs` and `given`. `words` has what
words of questions are, `compose` reads whole questions without a model. `coverage` then tells which
words a reading accounts for; it asks `unsaid` for relations that no word says, and `checks` for
words that stand for something else than they say.
"""
