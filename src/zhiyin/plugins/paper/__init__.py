"""What a paper is written with: figures drawn by matplotlib, and tables of every figure."""
