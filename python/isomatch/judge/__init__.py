"""Judging answers: by a language model, and by rules that need none.

A judge is itself judged: `isomatch.judge.self_test` tells how often it is right.
"""
