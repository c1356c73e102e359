"""A sample plug-in of Zhiyin."""
