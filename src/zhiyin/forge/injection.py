"""Does a caption speak to a model about its job? Then nothing is asked about it."""

from __future__ import annotations

import re

from zhiyin.judges.injection import attempts
from zhiyin.text import as_seen

_LONGEST = 120
# Gaps are possessive or short, so that looking takes linear time whatever the text.
_SPEAKS = re.compile(
    r"(?<![a-z])(?:system|assistant|developer|user)\s*+(?:prompt|message|note)?\s*+[:>\]]"
    r"|<\|?/?(?:im_start|im_end|system|assistant|user|endoftext|inst)\b"
    r"|\[/?inst\]"
    r"|(?<![a-z])(?:write|make|generate|create|produce|output|print|say|reply|respond|set|mark|"
    r"keep|use|put|change|choose|pick|name)\b[^.\n]{0,40}?\b(?:questions?|answers?|options?|"
    r"distractors?|json|prompts?|instructions?)\b"
    r"|(?<![a-z])(?:correct|right|wrong|only|every|each|all(?:\s++the)?)\s++(?:answers?|options?|"
    r"questions?|distractors?)\s++(?:is|are|must|should|has|have|will|shall|be)\b"
    r"|(?<![a-z])(?:you\s++(?:are|must|should|shall|will|have\s++to)\s++(?:now|a|an|the|not|never|"
    r"always|only|instead|answer|write|ask|say|output))\b"
    r"|(?<![a-z])(?:language\s++model|chatbot|as\s++an\s++ai|instead\s++of\s++(?:three|the)\s++"
    r"questions?|instructions?\s++(?:above|below|before))\b"
    r"|(?:正确答案|每个问题|所有问题|所有答案)[^。\n]{0,8}?(?:是|为|必须|都|应)"
    r"|(?:请|必须|务必|应当)[^。\n]{0,12}?(?:写出|输出|生成|回答|出题|改为)",
    re.IGNORECASE,
)


def speaks(text: str) -> str:
    """The passage of `text` that instructs a model; "" for none.

    Found by its wording, in the text as a reader sees it. A clever one may go unseen: the captions
    are fenced off in the prompt, and the questions are checked as all others.
    """
    if passages := attempts(text):
        return passages[0][:_LONGEST]
    match = _SPEAKS.search(as_seen(text))
    return " ".join(match[0].split())[:_LONGEST] if match else ""
