# What `zhiyin judge` prints of a run.
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
judge-instructed = { $case }：似乎在指示评分者（{ $words }）：已加界定并评判，请查看
judge-details = 似乎在指示评分者的歌曲资料：{ $n } 份（{ $words }）；请查看数据
judge-without = 没有{ $needs ->
    [details] 歌曲资料
    [heard] 测听结果
   *[evidence] 歌曲资料，也没有测听结果
}，因而没有 { $aspect }：{ $n }
judge-ours = --released { $released } 没有 { NAMES($aspects) } 的提示：以我们自己的提示提问
judge-wrong = 答错者不经评判即为 0：{ $of } 题中的 { $n } 题
judge-ruled = 按规则命名，未经评判：{ $of } 题中的 { $n } 题

judged-songs = 各首歌的得分
judged-head = { $name }{ $most ->
    [none] {""}
   *[other] { " " }/{ $most }
}
judged-title = 评分者：{ $who }{ $by ->
    [none] {""}
   *[other] （按 { $by }）
}
judged-bounds = 若缺失的全部最差或全部最好：总分 { SHARE($low) } 至 { SHARE($high) }
judged-same = 评分者与被评模型相同（{ $judge }）：模型偏爱自己的文字
judged-kin = 评分者 { $judge } 与被评模型 { $candidate } 属同一家族（{ $family }）：模型偏爱同族；请再由另一家族评分
judged-lacking = { $name }（{ $why ->
    [failed] 全部评分失败
    [not-run] 未运行
    [questions-failed] 全部题目失败
    [nothing] 没有可评的内容
    [unknown] 对任何歌曲都一无所知
    [undecided] 没有乐评提出证据可判定的说法
    [undecided-there] 没有乐评提出现有评分可判定的说法
   *[other] { $why }
}）
judged-no-total = 没有总分：{ $whole ->
    [true] 全部失败
   *[false] 评分缺失，一无所知
}：{ NAMES($parts) }
log-judge-error = 评分出错：{ $why }
log-judge-no-json = 回答中没有 JSON 对象
log-judge-cut = JSON 不完整，被截断
judged-without = 总分不含 { NAMES($parts) }：只基于 { AND($names) }，权重 { $weights }
judged-unwritten = 未写出的乐评，无论谁评分都没有要点和说法：{ $n } 篇
judged-missing = { $of } 次评分中缺失 { $n } 次，不计入任何数字（第一次：{ $first }）；再次运行同一命令即可补问
judged-silent = 没有说法的乐评，按发布的规则精确率计 0：{ $n } 篇
judged-lexical = lexical 评分者依据词表：其得分不能与语言模型的评分比较
judged-heard = { $of } 段录音中听了 { $n } 段；由此判定的说法：{ $decided } 条（{ $right } 条正确）
judged-open = 证据无法判定、不计入任何数字的陈述：{ $n }
judged-warning = 警告：{ $what }
judged-spread = { $judge }，{ $aspect }：{ $n } 段文字的 { $draws } 次评分相差 SD { $sd }（最大极差 { $widest }）
judged-agreement = { AND($judges) }，{ $aspect }，{ $n } 段文字：
judged-measure = { $kind ->
    [alpha] Krippendorff's alpha
    [icc] ICC(A,1)
   *[kappa] 加权 kappa
} { $figure }{ $texts ->
    [none] {""}
   *[other] ，{ $texts } 段文字
}
judged-length = { $judge }，{ $aspect } 与长度：秩相关 { $rank }，{ $n } 段文字
judged-scales = 人按 { $low } 至 { $high } 评分，评分者各有自己的量表：无法给出 alpha 与偏差
judged-people = { $judge } 与{ $people ->
    [none] 人
   *[other] { $people } 人
}相比，{ $aspect }：{ $alpha ->
    [none] {""}
   *[other] alpha { $alpha }，
}秩相关 { $rank }{ $bias ->
    [none] {""}
   *[other] ，偏差 { $bias }
}，{ $n } 段文字
judged-powered = 校正后的均值（prediction-powered）：{ $figure }；{ $judge ->
    [none] {""}
   *[other] 仅评分者 { $judge }，
}仅人 { $people }

judges-unknown = 尚不清楚：每段文字只由一个评分者评过一次；请用 --draws 再评，或换一个评分者

report-judges = 评分者的可靠性：
audit-drawn = 已从 { $of } 个回答中抽取 { $n } 个，尚未标注
