"""Detection of replies that decline to answer, or evade the question, in English or Chinese.

An evasion is a reply without a readable answer that says it cannot tell, wants to know more, or
takes none of the options (Li et al. 2024, section 6.1: "Unable to determine, need more
information."): one definition, for the health of a run and for the naming of failures. A model
that declines does not evade: that is a refusal.
"""

from __future__ import annotations

import re

from zhiyin.reader.plain import plain

_HEAD = 1200
"""Characters that are looked at: a refusal stands at the beginning."""


_CANNOT = (
    r"(?:can't|cannot|can not|could not|couldn't|won't|will not|unable to|not able to"
    r"|not capable of"
    r"|incapable of|don't have|do not have|not comfortable|not allowed to|not in a position to)"
)


_ENGLISH = re.compile(
    rf"\b(?:sorry|apologi[sz]e|apologies|unfortunately|i'm afraid"
    rf"|i am afraid)\b[^.!\n]{{0,60}}?\b{_CANNOT}"
    r"|\b(?:sorry|apologi[sz]e|apologies)\b[^.!\n]{0,40}?[,.]\s*(?:but\s)?(?:no audio"
    r"|there is no (?:audio|recording))"
    rf"|\b(?:i|i'm|i am)\s(?:\w+ly\s|also\s)?{_CANNOT}\s(?:\w+ly\s)?"
    r"(?:help|assist|answer|listen|comply|fulfil|respond|continue with|choose|select"
    r"|provide (?:an?|the) (?:answer|response)"
    r"|(?:process|access|open|play|analy[sz]e|hear|receive|interpret"
    r"|perceive)\s(?:\w+\s){0,3}?(?:audio|music|sound|sounds|recording|file|files|clip|attachment)"
    r"|(?:helping|assisting|answering|listening|hearing|processing|playing)"
    r"|(?:the\s|an?\s|any\s)?(?:ability|capability|capacity|access|means|ears))"
    r"|\bas an? (?:ai|large language model|language model|text[- ]based)\b[^.!\n]{0,80}?\b"
    rf"(?:{_CANNOT}|don't|do not|lack)"
    r"|\bi (?:must |have to |respectfully )?(?:decline|refuse) (?:to |this )"
    r"|\bno audio (?:file |clip )?(?:was|has been|is) (?:provided|attached|uploaded|included)"
    r"|\bplease (?:provide|upload|attach|share) (?:the|an) audio\b"
)


_CHINESE = re.compile(
    r"作为(?:一个|一名|一款)?(?:ai|人工智能|大型?语言模型|语言模型"
    r"|文本模型)[^.!\n。]{0,40}?(?:无法|不能|没有|不具备|不可以)"
    r"|(?:抱歉|对不起|不好意思|很遗憾)[^.!\n。]{0,24}?(?:无法|不能|没办法|不便|没有办法|没有能力"
    r"|不具备)"
    r"|(?:无法|不能|没办法|不便|拒绝)(?:直接|为您|为你|给您|给你|对此)?(?:回答|作答|答复"
    r"|提供答案|提供帮助|协助|帮助您|帮助你|听取|收听|播放|处理音频|分析音频|听到音频|听音频"
    r"|听音乐|访问音频)"
    r"|我(?:目前|暂时|现在|还)?(?:无法|不能|没有能力|不具备)[^.!\n。,]{0,10}?(?:音频|音乐文件"
    r"|录音|声音文件)"
    r"|(?:没有|未)(?:提供|收到|上传)[^.!\n。]{0,6}?(?:音频|录音)|请(?:您)?(?:提供"
    r"|上传)[^.!\n。]{0,6}?(?:音频|录音)"
)


def is_refusal(text: str) -> bool:
    """Tell whether `text` declines the question instead of answering it.

    Conservative: an observation such as "I cannot hear any drums" is no refusal. It is asked
    only of replies in which no answer was found, and looks at their beginning.

    Parameters
    ----------
    text : str
        A reply, reasoning blocks included.
    """
    return declines(plain(text).lower)


def declines(lower: str) -> bool:
    """The same of plain words in lower case."""
    words = lower[:_HEAD]
    return bool(_ENGLISH.search(words) or _CHINESE.search(words))
