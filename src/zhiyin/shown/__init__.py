"""Display of facts: figures as letters, tables in a terminal, on a page and on paper."""
