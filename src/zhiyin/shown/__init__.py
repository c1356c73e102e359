"""How facts are shown: figures as letters, tables in a terminal, on a page and on paper."""
