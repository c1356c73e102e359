"""Errata: flaws of benchmark items that a machine can prove, and figures without these items.

Rules read items made from any benchmark's trials (`items`): each by itself (`rules`), against
each other (`between`), by music theory (`solving`, `theory`) and by ear (`heard`). What they find
is a `Flaw` with a witness (`finding`), and figures are given without it (`figures`).
"""
