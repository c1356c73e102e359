"""A model of this machine behind an address, and several of them at once."""
