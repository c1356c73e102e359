"""Trust in the reading of replies: marked replies, and audits of runs.

The commands are ``zhiyin reading`` and ``zhiyin audit``; `docs/how-to/audit.md` is their page. As a
benchmark ("audit") it is a judge model that marks the replies of a run's draw.
"""
