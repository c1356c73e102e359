"""What warnings say, however they are held: as objects, as JSON, or as words."""


def texts(warnings):
    """The English words of each."""
    return [
        one
        if isinstance(one, str)
        else one.get("text", one.get("en"))
        if isinstance(one, dict)
        else one.text
        for one in warnings
    ]
