"""Plug-ins on the core: each folder adds to it by entry points, and could be a package."""
