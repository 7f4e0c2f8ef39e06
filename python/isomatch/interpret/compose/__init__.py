"""Reads whole questions without a model: words become sets, a chart joins them."""
