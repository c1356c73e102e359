"""How far the reading of replies can be trusted: marked replies, and audits of runs."""
