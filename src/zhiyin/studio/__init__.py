"""The local web server: runs looked at while they go on. Loopback unless told otherwise."""
