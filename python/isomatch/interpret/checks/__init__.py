"""Checks that refuse a reading whose words stand for something else than they say.

Begin with `base`, what a check is, and `registry`, which lists them; each has a module of its own.
`directions` runs them, and has those of the direction of relations itself, beside the functions of
`asked_values` and `hop_order`.
"""
