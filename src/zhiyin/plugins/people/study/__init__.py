"""People take the same exam: a web application for studies, its store and its export."""
