"""Studies in which people take the same exam: a web application, its store and its export."""
