"""A page as a tree of elements, for tests that need no browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "link", "img", "input", "br"}
ENGLISH = re.compile(r"[A-Za-z][a-z]*(?:,? [a-z][a-z]*){2,}")
"""Three words on end, the later ones in small letters."""
OF_OTHERS = (
    r"已发表结果：.*|shots=1; extract=.*|\w+ et al\. \d{4}.*|已说明：.*|无法分析：.*|^基准：.*"
)
"""What is English in a Chinese sentence: sources, licences, and why something was not read."""
OTHERS = {"code", "pre", "bdi", "script", "style"}


class Node:
    def __init__(self, tag, attributes, above):
        self.tag, self.attributes, self.above = tag, dict(attributes), above
        self.children = []

    def __iter__(self):
        """All elements within."""
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child

    @property
    def text(self):
        parts = [c if isinstance(c, str) else c.text for c in self.children]
        return re.sub(r"\s+", " ", "".join(parts))

    @property
    def classes(self):
        return (self.attributes.get("class") or "").split()

    def all(self, tag, *classes):
        return [n for n in self if n.tag == tag and set(classes) <= set(n.classes)]

    def id(self, name):
        (found,) = [node for node in self if node.attributes.get("id") == name]
        return found

    def within(self, tags, test):
        node = self
        while node:
            if node.tag in tags or test(node):
                return True
            node = node.above
        return False


class Tree(HTMLParser):
    """A page as a tree; elements that do not close as they should are an error."""

    def __init__(self, html):
        super().__init__()
        self.root = self.at = Node("", (), None)
        self.feed(html)
        assert self.at is self.root, f"<{self.at.tag}> is not closed"

    def handle_starttag(self, tag, attrs):
        node = Node(tag, attrs, self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag, attrs):
        self.at.children.append(Node(tag, attrs, self.at))

    def handle_endtag(self, tag):
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        self.at = self.at.above

    def handle_data(self, data):
        self.at.children.append(data)


def read(path):
    return Tree(Path(path).read_text("utf-8")).root


def english_in(page):
    """The English sentences in a report in Chinese, what others have written aside."""
    found = []
    for name in ("nav", "front", "chapters", "end"):
        for node in page.id(name):
            if node.within(OTHERS, lambda n: n.attributes.get("lang") == "en"):
                continue
            given = [node.attributes.get(key, "") for key in ("aria-label", "title", "placeholder")]
            for text in (*given, *(c for c in node.children if isinstance(c, str))):
                own = re.sub(OF_OTHERS, "", text.replace("the server said 500", ""))
                own = re.sub(r"[‘'\"“`][^'\"”’`]*['\"”’`]", " ", own)
                if ENGLISH.search(own):
                    found.append(text.strip())
    return found


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def marks_stand_at_their_figures(table: Node) -> int:
    """How many marks of a dot row stand where the figure beside them says, each of them checked.

    The axis is read from what is written over it; an interval in the cell from its ends.
    """
    (axis,) = table.all("svg", "axis")
    ticks = [(_number(t.text), float(t.attributes["x"].rstrip("%"))) for t in axis.all("text")]
    (one, left), (other, right) = ticks[0], ticks[-1]

    def place(value: float) -> float:
        return left + (right - left) * (value - one) / (other - one)

    checked = 0
    for row in table.all("tr")[1:]:
        cells = [c for c in row.all("td", "n") if not {"apart", "nothing"} & {*c.classes}]
        cells = cells[:1] if "drawn" in table.classes else cells  # other figures stand behind it
        marks = row.all("g", "mark")
        if not {"drawn", "of-models"} & {*table.classes}:  # a published mark stands beside them
            marks = [g for g in marks if re.fullmatch(r"s\d", g.classes[1])]
        assert len(marks) == len(cells), row.text
        for cell, mark in zip(cells, marks, strict=True):
            first, *ends = re.findall(r"[-−]?\d[\d.,]*", _apart(cell))
            figure, decimals = _number(first), len(first.partition(".")[2])
            (use,) = mark.all("use")
            room = abs(right - left) / abs(other - one) * 0.51 * 10.0**-decimals
            assert abs(float(use.attributes["x"].rstrip("%")) - place(figure)) <= room + 0.011
            if ends and not cell.all("i"):
                (line,) = mark.all("line")
                for end, at in zip(ends, ("x1", "x2"), strict=True):
                    x = float(line.attributes[at].rstrip("%"))
                    assert abs(x - place(_number(end))) <= room + 0.011, (row.text, end)
            checked += 1
    return checked


def _apart(node: Node) -> str:
    """Its text, what stands in an element within it apart from the rest."""
    return " ".join(c if isinstance(c, str) else _apart(c) for c in node.children)
