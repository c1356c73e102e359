"""Tests that anybody's benchmark or model can be put to, by pytest (which is imported here alone).

::

    pytest --pyargs zhiyin.contract_suite --benchmark NAME|FILE.py:CLASS [--option KEY=VALUE ...]
    pytest --pyargs zhiyin.contract_suite --model SPEC

With both, the model is asked what the benchmark asks. A failure is one line: what is wrong, and the
place in Zhiyin where the contract says so.
"""
