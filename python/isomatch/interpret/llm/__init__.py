"""The interpreter with a language model, which writes a pattern and never a query.

`interpreter` asks the model; its prompt has `examples` from the graph, in the sentences of
`frames`. What it replies is checked and made a pattern in `reply`, by the schema in `reply_schema`.
`clauses` then finds the words of the question that conditions, orders and parts stand for.
"""
