"""Opening models by spec, the contract that every kind keeps, and the baselines."""

import test_models_open

from zhiyin.models import PROVIDERS, forms

LOCAL = ("hf", "vllm", "subprocess")  # these have tests of their own: they need what is heavy


specs = test_models_open.specs


def test_every_kind_that_is_listed_opens_or_says_what_is_missing(specs: list[str]) -> None:
    others = {"listener", "lexical", "pool", *PROVIDERS, *LOCAL}
    kinds = {spec.partition(":")[0] for spec in specs} | others
    assert {form.partition(":")[0] for form in forms()} == kinds
