muchomusic-summary = MuChoMusic：关于 644 段录音的 1,187 道选择题；音频注意力测试
muchomusic-intervals = 按曲目的区间，以及各次重复的离散程度
muchomusic-intervals-note = 下限、上限：按曲目聚类的 95 % 区间；SD、min、max：各次重复的正确率
muchomusic-rules = 读取规则并列
muchomusic-rules-note = 正确率与可读率，按 --extract muchomusic（论文中的规则）、muchomusic-code（已发表代码的做法）与 robust
muchomusic-ifr = { $rule } 可读率
muchomusic-flaws = 缺陷，按发表时的样子提问：{ NAMES($kinds) }；用 zhiyin data check muchomusic --all 查看

muchomusic-dimensions-figure = muchomusic：题目涉及的内容
muchomusic-dimensions-caption = 各维度的题数。一题可属于多个维度。
