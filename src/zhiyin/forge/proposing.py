"""Wrong answers that a language model proposes for questions, to choose from."""

from __future__ import annotations

from zhiyin.forge.asking import Asking
from zhiyin.forge.checks import bare
from zhiyin.forge.items import Item
from zhiyin.judges.reading import Unreadable, read_object, words
from zhiyin.judges.wording import fenced


class Proposing(Asking):
    """Questions with their right answers, for which wrong ones are wanted."""

    name = "forge-propose"
    version = "1"
    summary = "wrong answers that a model proposes (use `zhiyin forge distractors`)"
    paper = "none; the step is that of Zang et al. 2025, arXiv:2504.00369"
    kind = Item

    def words(self, item: Item) -> str:
        """The prompt about a question."""
        about = f"Question: {item.question}\nRight answer: {item.answer}"
        return self.prompts.fill("propose", count=str(self.settings.count), item=fenced(about))

    def read(self, text: str, item_id: str) -> list[str]:
        """The proposals in a reply.

        Raises
        ------
        Unreadable
            It holds no list of texts.
        """
        wrong = read_object(text, ("wrong",)).get("wrong")
        if not isinstance(wrong, list) or not all(isinstance(each, str) for each in wrong):
            raise Unreadable('"wrong" was no list of texts')
        if not wrong:
            raise Unreadable('"wrong" was empty')
        return [" ".join(words(each).split()) for each in wrong if words(each)]


def usable(item: Item, proposals: list[str]) -> list[str]:
    """Proposals that can be wrong answers, each once.

    Left out is what holds the right answer or is held by it (small words aside), so that
    it is clear which of the two is right.
    """
    right = f" {bare(item.answer)} "
    distinct: dict[str, str] = {}
    for text in proposals:
        plain = bare(text)
        inside = f" {plain} " in right or right in f" {plain} "
        if plain and not inside:
            distinct.setdefault(plain, text)
    return list(distinct.values())
