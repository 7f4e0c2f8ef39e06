"""Results for people and programs: trees, tables, pictures and JSON.

Nothing here decides anything; each module turns the values of
`isomatch.match.model` into text of one form.
"""
