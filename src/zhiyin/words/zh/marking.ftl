# 人工核对答案读取的页面。

marking-audit = 核对
marking-loading = 正在载入…
marking-scripts = 本页由自带脚本绘制：请允许其运行脚本。
marking-marked = 已标记 { $n } / { $many }
marking-by = 标记者：{ $who }
marking-reply-of = 第 { $n } 个回答，共 { $many } 个：它答的是什么？
marking-none = 无答案
marking-unsure = 不确定
marking-hidden = 标记之后显示读取器的结论。
marking-you = 您：
marking-reader = 读取器：
marking-differs = 与您的标记不同
marking-not-kept = 未保存：{ $why }
marking-no-server = 服务器没有响应；它还在运行吗？
marking-all-kept = 全部已标记，并保存在运行旁；可以关闭本页。
marking-reply = 回答
marking-mark = 标记
marking-again = 再次询问，只要求字母
marking-nothing = （空）
marking-cut = 回答因长度上限被截断。
marking-question = 题目
marking-back = 上一个
marking-on = 下一个
marking-peek = 标记前就显示读取器的结论
marking-keys = 按键：字母为选项；0 为无答案；? 为不确定；Enter 或 → 为下一个；← 为上一个。请标记回答所说的，无论对错。
marking-all = 全部回答
marking-one = 第 { $n } 个回答
marking-confidence = { $level ->
    [none] {""}
    [declared] 明确声明
    [inferred] 推断
   *[other] 仅凭文字
}
