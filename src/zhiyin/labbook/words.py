"""The lab book's own words, in English and Chinese; what runs say is in the phrasebooks."""

from __future__ import annotations

from contextvars import ContextVar

from zhiyin.chinese import chinese
from zhiyin.words import say
from zhiyin.words.findings import Warning

LANGUAGES = {"en": "English", "zh": "中文"}
language: ContextVar[str] = ContextVar("language", default="en")
"""In which language the page at hand is written."""
query: ContextVar[str] = ContextVar("query", default="")
"""What the address of the page at hand asks for, after its question mark."""

_ZH = {
    "Runs": "运行",
    "History": "历史",
    "lab book": "实验记录",
    "To the contents": "跳到正文",
    "Pages": "页面",
    "Further runs": "更多运行",
    "Search": "搜索",
    "Benchmark": "基准",
    "State": "状态",
    "Find": "查找",
    "all": "全部",
    "name, model, tag, note": "名称、模型、标签、笔记",
    "Compare the ticked ones": "比较所选运行",
    "compare": "比较",
    "run": "运行",
    "started": "开始时间",
    "benchmark": "基准",
    "state": "状态",
    "right, %": "正确率，%",
    "judged": "已判分",
    "failed": "失败",
    "usd": "美元",
    "reply, s": "回答，秒",
    "rate not known yet": "速度未知",
    "Notes": "笔记",
    "Label": "名称",
    "Call it so": "改名",
    "Tag": "标签",
    "Add tag": "添加标签",
    "Note": "笔记",
    "{n} of {all} replies of an earlier run": "{all} 个回答中有 {n} 个来自更早的运行",
    "Write it down": "记下",
    "strike": "划去",
    "Report and trials": "报告与题目",
    "(sound, notation, charts)": "（声音、乐谱、图表）",
    "Cost and latency": "费用与延迟",
    "not counted yet": "尚未统计",
    "price not known": "价格未知",
    "times": "次数",
    "cause": "原因",
    "What failed": "失败原因",
    "group": "组",
    "95 % int.": "95 % 区间",
    "IFR, %": "可读率，%",
    "Groups": "分组",
    "Search replies": "搜索回答",
    "With notes only": "仅有笔记的",
    "Replies": "回答",
    "earlier": "前面",
    "further": "后面",
    "trial": "题目",
    "read as": "读作",
    "reply": "回答",
    "tags": "标签",
    "none": "无",
    "Reply": "回答",
    "(nothing)": "（空）",
    "Question": "题目",
    "in the report, with sound and notation": "在报告中（含声音与乐谱）",
    "compared": "比较",
    "Side by side in the report": "在报告中并排比较",
    "(every trial, differences marked)": "（每一题，标出差异）",
    "Each by itself": "各自的结果",
    "first, %": "前者，%",
    "second, %": "后者，%",
    "difference": "差异",
    "p": "p",
    "better": "较好",
    "first": "前者",
    "second": "后者",
    "not resolved": "未能区分",
    "items": "题",
    "songs": "首歌",
    "no figures yet": "尚无结果",
    "All runs": "全部运行",
    "Runs of one benchmark on the same data. Their settings may differ: tick two to compare.": (
        "同一基准、同一数据的运行。设置可能不同：勾选两个可比较。"
    ),
    "Share of right answers over time, with 95 % intervals": "正确率随时间的变化，含 95 % 区间",
    "{n} runs": "{n} 次运行",
    "1 run": "1 次运行",
    "1 group": "1 个组",
    "{n} of {all} runs": "{all} 次运行中的 {n} 次",
    "{n} groups": "{n} 个组",
    "{n} runs, earliest first": "{n} 次运行，由早到晚",
    "{done} of {all}": "{done} / {all}",
    "First: {first}; second: {second}. In points; p is corrected.": (
        "前者：{first}；后者：{second}。单位为百分点；p 已校正。"
    ),
    "{n} % right of {judged} judged; {state}": "正确率 {n} %，共 {judged} 题已判分；{state}",
    "{usd} usd": "{usd} 美元",
    ", {usd} usd spent": "，已花费 {usd} 美元",
    "{done} trials, {left}{spent}, {errors} failed": "{done} 题，{left}{spent}，{errors} 题失败",
    "{rate}, {time} left": "{rate}，剩余 {time}",
    "{money}; {tokens} tokens; a reply takes {median} s (median), nine in ten at most "
    "{slow} s; {elapsed} s in sessions that ended": (
        "{money}；{tokens} 个 token；每个回答 {median} 秒（中位数），九成不超过 {slow} 秒；"
        "已结束的会话共 {elapsed} 秒"
    ),
    "{money}; {tokens} tokens; {elapsed} s in sessions that ended": (
        "{money}；{tokens} 个 token；已结束的会话共 {elapsed} 秒"
    ),
    "Something is wrong": "出了问题",
    "No such page": "没有这一页",
    "planned": "未开始",
    "done": "已完成",
    "counting": "统计中",
    "going": "进行中",
    "stopped": "已停止",
    "unread": "无法读取",
    "correct": "正确",
    "wrong": "错误",
    "no_answer": "无答案",
    "refused": "拒答",
    "truncated": "被截断",
    "error": "失败",
    "ungraded": "未评分",
    "progress": "进度",
    "compare {run}": "比较 {run}",
    "remove tag {tag}": "移除标签 {tag}",
    "{first}–{last} of {all}": "第 {first}–{last} 条，共 {all} 条",
    "read as {letter} ({why}); right: {right}": "读作 {letter}（{why}）；正确答案：{right}",
    "{trial}: {state}": "{trial}：{state}",
    "{names} compared": "比较：{names}",
    " and ": "、",
    "{low} to {high}": "{low} 至 {high}",
    "data {hash}": "数据 {hash}",
    "the address is damaged": "网址已损坏",
    "tick two runs, or up to {most}": "请勾选两次运行，最多 {most} 次",
    "Compare": "比较",
    "Report": "报告",
    "the report is not served to others from here: `zhiyin report RUN -o DIR` writes it as files, "
    "and `zhiyin view RUN --host ADDRESS` serves it without a token": (
        "这里不向他人提供报告：`zhiyin report RUN -o DIR` 把它写成文件，"
        "`zhiyin view RUN --host ADDRESS` 不带令牌提供"
    ),
}


def translated(text: str | Warning, *packages: str) -> str:
    """What is said of a run in the page's language; see `zhiyin.words` and `zhiyin.chinese`."""
    if isinstance(text, Warning):
        return say(text, language.get(), packages)
    return chinese(text, packages) if language.get() == "zh" else text


def t(text: str, **values: object) -> str:
    """Words of ours in the page's language; those without a translation stay English."""
    translation = _ZH.get(text, text) if language.get() == "zh" else text
    return translation.format(**values) if values else translation
