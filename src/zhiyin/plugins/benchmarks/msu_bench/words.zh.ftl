msu-bench-summary = MSU-Bench：关于 150 份乐谱的 1,800 道自由问答，四个层级；按规则读取或由评分者评分
msu-bench-form = { $name ->
    [yes-no] 是非题
    [short] 至多两个词
   *[long] 更长的答案与列举
}
msu-bench-head = { $name ->
    [constant] 总答最常见答案（%）
    [both] 既读取又评分
    [judge] 评分者判对（%）
    [agree] 一致率（%）
    [kappa] kappa
    [levels] 层级
    [scores] 乐谱
   *[all-right] 全对（%）
}
msu-bench-forms = 按答案形式
msu-bench-levels = 每题都答对的乐谱
msu-bench-note = 至多两个词的答案按规则读取，其余由评分者评分；一致率指两者同判对或同判不对，并列出 Cohen's kappa
msu-bench-unjudged = 没有评分者，{ $n } 条较长的答案未评分：用 --judge 指定评分者
msu-bench-scores = { $n } 份乐谱
msu-bench-no-score = 既没有找到记谱文件，也没有找到页面图像
msu-bench-no-level = 层级 { $level } 不在 1 至 4 之间
msu-bench-twice = 同一乐谱的这道题出现了两次

msu-bench-none = { $of } 份乐谱中有 { $n } 份没有{ $how ->
    [notation] 记谱文件
   *[other] 页面图像
}（{ NAMES($names) }）：请用 --scores 指明其文件夹，文件以链接中的编号命名{ $some ->
    [true] ，或用 --partial 只运行已有的部分
   *[false] {""}
}；--show none 则不出示乐谱
