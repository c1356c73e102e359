"""A page as a tree of elements, for tests that need no browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "link", "img", "input", "br"}
ENGLISH = re.compile(r"[A-Za-z][a-z]*(?:,? [a-z][a-z]*){2,}")
"""Three words on end, the later ones in small letters."""
OF_OTHERS = r"已发表结果：.*|\w+ et al\. \d{4}.*|已说明：.*|无法分析：.*"
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
