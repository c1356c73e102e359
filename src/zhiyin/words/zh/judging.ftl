# What `zhiyin judge` prints of a run: failures, reasoning and confidence.

judged-failures = { $run } 的失误，{ $judge ->
    [none] 仅按规则命名
   *[other] 由 { $judge } 命名
}：{ $n } 道选择题
judged-failure-shown = { $case }，由 { $by }：“{ $quote }”{ $reason ->
    [none] {""}
   *[other] （{ $reason }）
}
judged-failures-unnamed = 未命名：{ $n }（第一个为 { $first }：{ $reason }）
judged-note = 注：{ $what }
judged-reasoning = { $run } 的推理，由 { $judge } 评判：{ $n } 题中 { $right } 题答对；答错记 0
judged-reasoning-group = { $name }  { $score }，{ $n } 题{ $missing ->
    [0] {""}
   *[other] ，缺少评判：{ $missing }
}
judged-reasoning-trimmed = { $draws } 次评判去掉最高和最低一次：{ $score }
judged-reasoning-stable = 逐题去掉 { $draws } 次评判的最高与最低（与公布的做法一致）：{ $score }；答对率：{ $right }
judged-reasoning-missing = 缺少评判之处，数值介于一条标准都不满足与全部满足之间；再次运行同一命令会重新询问
judged-reasoning-partly = { $n } 题的 { $draws } 次评判缺少一部分，以其余的均值计；再次运行同一命令会重新询问
judged-confidence = { $title ->
    [claims] 对陈述的置信度，由 { $judge } 评判
   *[answers] 置信度
}（{ NAMES($sources) }；{ $unknown } { $title ->
    [claims] 条陈述
   *[answers] 个回答
}没有置信度）
judged-confidence-figures = 期望校准误差：{ $ece }，布赖尔分数：{ $brier }，置信度减正确率：{ $bias }
judged-confidence-bin = { $low }-{ $high }  所述 { $said }  正确 { $right } |{ $bar }| n = { $n }
judged-confidences = 各部分的置信度，由 { $judge } 评判
judged-confidence-of = { $n } { $part ->
    [qa] 个回答
    [precision] 条陈述
    [total] 个置信度
   *[other] 篇评论
}
judged-confidence-unknown = { $name }：未知；{ $unknown }没有置信度
judged-confidence-part = { $name }：所述 { $said }，达到 { $reached }，偏差 { $bias }{ $gap ->
    [none] {""}
   *[other] ，平均差距 { $gap }
}；{ $known ->
    [none] 有置信度的各部分，按总分的权重
   *[other] { $known }（{ $unknown } 没有置信度）
}
judged-confidence-points = 完整性与新颖性是得分的比例，没有对错之分：只有偏差和平均差距，没有校准误差。
judged-close = 词表评判与 { $n } 个已评分例子的一致程度，{ $aspect }：等级相关 { $rho }，相差 { $off } { $share ->
    [true] 个百分点
   *[false] 分（满分 { $most }）
}（偏差 { $bias }）
# 评判运行的说明。

judge-instructed = { $case }：似乎在指示评判模型（{ $words }）：已加界定并评判，请查看
judge-details = 似乎在指示评判模型的歌曲资料：{ $n } 份（{ $words }）；请查看数据
judge-without = 没有{ $needs ->
    [details] 歌曲资料
   *[heard] 歌曲资料，也没有测听结果
}，因而没有 { $aspect }：{ $n }
judge-ours = --released { $released } 没有 { NAMES($aspects) } 的提示：以我们自己的提示提问
judge-wrong = 答错者不经评判即为 0：{ $of } 题中的 { $n } 题
judge-ruled = 按规则命名，未经评判：{ $of } 题中的 { $n } 题
