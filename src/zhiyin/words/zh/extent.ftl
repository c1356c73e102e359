# 运行提问了基准的哪一部分：analysis/coverage.py。以及还缺什么。

extent-part = { CLAUSES($reasons) }
extent-alone = 只在 { AND($ways) } 条件下有判分
extent-partial = 使用 --partial 提问，略去了无法提问的部分
extent-stopped = 在 { $of } 题中问到第 { $n } 题时已有定论，按计划停止（正确率因此有偏）
extent-shard = 仅分片 { $shard }
extent-chosen = --{ $name } 为 { $value }（默认：{ $usual ->
    [all] 全部{ $of ->
        [none] {""}
       *[some] {" "}{ $of } 项
    }
    [none] 不设定
   *[other] { $usual }
}）
extent-drawn = { $limit ->
    [none] 仅随机抽取的 { $sample } { extent-items }
   *[some] 仅{ $sample ->
        [none] 前 { $limit } { extent-units }
       *[some] 随机抽取的 { $sample } { extent-items }中的前 { $limit } { extent-units }
    }
}
extent-unfit = 其中 { $of } 题有 { $n } 题不适用于该模型
extent-items = { $items ->
    [sequences] 组
   *[items] 题
}
extent-units = { $units ->
    [sequences] 组
    [both] 组或题
   *[trials] 题
}
extent-unit = { $unit ->
    [questions] 题
    [trials] 题
    [items] 题
    [examples] 题
   *[other] { $unit }
}
extent-flag = { $flag ->
    [category] 仅 { $names }
    [clean] 不含有缺陷的题
    [examples] 样例 { $names }
    [group] { $names } 组
    [keep] 记住 { $names } 题
    [modality] 仅 { $names }
    [mode] 方式 { setting-value }
    [order] 次序 { $names }
    [split] { $names } 部分
    [task] 仅 { $names }
   *[none] { $words }
}
extent-none = 没有已发表的{ extent-unit }
extent-others = 不是已发表的{ extent-unit }，而是另外 { $n } { $unit ->
    [questions] 道
    [trials] 道
    [items] 道
    [examples] 道
   *[other] 个
}
extent-counted = 只问了已发表的 { $of } { $unit ->
    [questions] 题
    [trials] 题
    [items] 题
    [examples] 题
   *[other] 个{ extent-unit }
}中的 { $n } { $unit ->
    [questions] 题
    [trials] 题
    [items] 题
    [examples] 题
   *[other] 个
}{ $short ->
    [0] {""}
   *[other] （{ NAMES($short) }）
}
extent-short = { $name } { $of } 中的 { $n }
extent-recordings = { $of } 段录音中的 { $n } 段
extent-repeating = { NAMES($groups) } 中，已发表的题互相占了位置
extent-other-than = { $n } 道不属于已发表的题目{ $groups ->
    [0] {""}
   *[other] （{ NAMES($groups) }）
}
extent-unfinished = 未完成：{ $what }

lacking = { NAMES($parts) }
lacking-sequences = { $of } 组中有 { $n } 组未到结尾
lacking-failed = { $of } 题中有 { $n } 题失败
lacking-not-asked = { $of } 题中有 { $n } 题尚未提问
stopped-sequences = { $of } 组中有 { $n } 组停在失败的题上（{ NAMES($places) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 组
}）：其后的题没有提问；同一命令可从该处继续
stopped-place = { $name } 停在第 { $step } 题
causes = { CLAUSES($each) }
cause = { $n } × { $what }
cause-refusals = { $n } × 拒答
extent-group = { $title ->
    [none] { $plain }
   *[some] { $title }
}
on-trust = 未能核对，按原样采用：{ CLAUSES($what) }
by-name = { $of } 段录音中有 { $n } 段只核对了名称
unproved = { $what ->
    [scores] 乐谱；题目只核对了数目
    [unheard] 录音；干扰项未核对
    [contents] 录音、干扰项和标签
    [numbers] 题目，因为只公布了数目
    [counted] 题目和录音，只核对了数目
   *[recordings] 录音
}
