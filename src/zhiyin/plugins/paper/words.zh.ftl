# 论文用图：标题与图注。
figure-told = { $title }。{ $caption }
figure-overview = { $benchmark }：各次运行
figure-headline = { $benchmark }：各次运行{ $beside ->
    [true] 与已发表结果
   *[false] {""}
}
figure-intervals = 线段为 95 % 区间；共用录音或刺激的题按聚类计算。
figure-overview-caption = { EACH($notes) }{ $limits ->
    [0] {""}
   *[other] { SENTENCE($limits) }
}
figure-headline-caption = { EACH($notes) }{ $source ->
    [none] {""}
   *[other] 彩色：本次各运行；灰色空心：已发表（{ $source }）。
}{ $less ->
    [0] {""}
   *[other] 每个子图至多有 { $most } 行已发表结果，另有 { $less } 行不在任何子图中。
}{ $other ->
    [0] {""}
   *[other] 另有 { $other } 行已发表结果只涉及其他指标或分组。
}{ $limits ->
    [0] {""}
   *[other] { SENTENCE($limits) }
}
figure-limit = { AND($who) }：{ $why }，不可与{ $settings ->
    [true] 默认设置的运行
   *[false] 已发表的结果
}比较
figure-dimensions = { $benchmark }：题目涉及的内容
figure-dimensions-caption = 各维度的题数。一题可属于多个维度。
figure-groups = { $benchmark }：各组题目的正确率
figure-groups-caption = 各组的正确率。{ EACH($notes) }一题可属于多个组。
figure-differences = { $benchmark }：{ $first } 与 { $second }
figure-differences-caption = { $first } 减 { $second }，按题配对，共 { $items } 题。线段为 95 % 聚类稳健区间；差异显著者为彩色（全部题目：检验本身；各组：按组数校正，{ $alpha }）。灰带：以 80 % 检验功效也无法发现的差异。
figure-shots = { $benchmark }：样例的作用
figure-shots-caption = 正确率与可读出答案的回答所占比例，按样例数目。线段为 95 % 区间；共用录音的题按聚类计算。
figure-distractors = { $benchmark }：哪些干扰项较难
figure-distractors-caption = 正确率，按与正确答案并列的选项：IR 错误但相关，CU 正确但无关，IU 错误且无关。{ EACH($notes) }
figure-attention = { $benchmark }：是否使用了音频？
figure-attention-caption = 播放原曲与播放其他声音时的正确率。真正聆听的模型在没有原曲时表现更差。{ EACH($notes) }
figure-dose = { $benchmark }：需要听多少
figure-dose-caption = 正确率随平均听到的秒数的变化；0 表示未发送声音。各剂量使用相同的题。曲线不上升，说明不需要声音；曲线不再上升，说明再多听也无益。{ EACH($notes) }
figure-letters = { $benchmark }：所选字母与正确字母
figure-letters-caption = 条形：某字母在运行答案中的比例。黑线：其在标准答案中的比例。RStd：各字母（至少是 { $least } 道题的答案）召回率的标准差（百分点），旁为各字母召回率相等时的期望值。{ figure-left }
figure-left = { $left ->
    [0] {""}
   *[other] 未画出：{ NAMES($left) }。
}
figure-calibration = { $benchmark }：信心是否恰当？
figure-calibration-caption = 正确率，按模型在各选项中给予其答案的概率；位于对角线上则信心恰当。线段为 95 % 区间（按聚类），灰条为信心的分布。校准误差：期望值，分十档，单位为百分点。{ figure-left }
figure-cost = { $benchmark }：正确率的代价
figure-cost-caption = 正确率与每题平均{ $unit ->
    [tokens] {" "}token 数
    [milliseconds] 毫秒数
   *[other] 秒数
}（提示与回答，含所有轮次）。灰线：此处没有更便宜而更好的运行。线段为 95 % 区间。
paper-lacks = --as { $name }：这些运行缺少所需数据：它适用于哪些运行，见 docs/seeds.md
figure-name = 基准 { $benchmark }：图 { $own }：请用字母、数字和 '-' 取一个与其他图不同的名称
