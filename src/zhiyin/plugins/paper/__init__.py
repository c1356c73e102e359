"""Material for a paper: figures drawn by matplotlib, and tables of every figure."""
