rul-summary = RUListening：关于录音的 1,187 题，干扰项更难，提问四遍
rul-majority = 按多数遍的结果
rul-majority-note = 每题取多数遍选择的答案，票数相同时取先出现的；没有答案的一遍不计票；发布脚本的数字是第二行
rul-not-four = 并非每题都有四遍判分：这不是已发表的数字
rul-index = 按感知指数
rul-index-note = 感知指数：1 减去纯文本模型给出正确答案的概率（Zang et al. 2025）；0.75 相当于四选一的猜测
rul-slope = 指数每增加 0.1，正确率变化 { SIGNED($value) } 个百分点（95 % 区间 { SIGNED($low) } 至 { SIGNED($high) }，对题的最小二乘，按录音的刀切法）
rul-contrasts = 得分中有多少来自阅读
rul-contrasts-note = 正确率（%），主要方式：真实声音与更难的错误答案；两次都是相同的题；按录音的 95 % 区间与符号翻转 p
rul-own = distractors=own 低于 0：原来的题上有这么多得分，在错误答案与正确答案的文字同样可信时消失
rul-unheard = audio=...，现在：不听音乐时的得分
rul-harder-alone = { $n } 题只以更难的错误答案提问：{ $file } 没有说明哪些行是它们的
rul-in-caption = 有一个错误答案原样出现在曲目说明中
rul-within = { $answer } 包含在某个错误答案之内
rul-same = 题目与正确答案同 { $twin }
rul-wrong = distractors 不是 { $n } 个文本的列表
rul-blank = 有一个干扰项为空
