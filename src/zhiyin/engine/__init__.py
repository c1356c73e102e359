"""The engine: trials are asked, records are logged, read back and counted."""
