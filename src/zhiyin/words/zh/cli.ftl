# 命令行中表格之外的结果：cli/。
cli-items = { $items } 个题目
cli-trials-of = { $trials } 次作答

# 运行开始前：问什么、怎么问（session/setup.py）
cli-opening = { $questions ->
    [none] {""}
   *[other] { $questions } 题，
}{ $calls ->
    [true] 共 { $trials } 次调用
   *[false] 共 { $trials } 次作答
}{ $repeats ->
    [none] {""}
   *[other] （--repeats { $repeats }）
}；{ $shots ->
    [none] {""}
   *[some] { $shots }，
}温度 { $temperature ->
    [none] 用模型默认值
   *[other] { $temperature }
}，种子 { $seed }

# 一个运行的开头：cli/show.py。
cli-averaged = 同一题的多次提问先取平均，因此数字是各题的平均，而不是 n 的占比：{ FEW($who) }
cli-trials = { cli-trials-of }{ $begun ->
    [0] {""}
   *[other] ，{ $begun } 个序列
}{ $items ->
    [none] {""}
   *[other] ，涉及 { cli-items }{ $clusters ->
    [none] {""}
   *[other] （{ $clusters } 组）
}（同一题目的多次作答先取平均）
}：{ NAMES($states) }{ $rate ->
    [none] {""}
   *[other] ，{ NUMBER($seconds, decimals: 1) } 秒，每秒 { $slow ->
    [true] { NUMBER($rate, decimals: 1) }
   *[false] { WHOLE($rate) }
} 次{ $timed ->
    [none] {""}
   *[other] （仅计 { $timed } 次作答：被强行终止的会话未计时）
}
}{ $earlier ->
    [0] {""}
   *[other] ；{ $replies } 个回答中有 { $earlier } 个来自先前的运行
}
cli-state = { $n } { $state ->
    [correct] 正确
    [wrong] 错误
    [no_answer] 无答案
    [refused] 拒答
    [truncated] 被截断
    [error] 出错
    [ungraded] 未评分
   *[other] { $state }
}
cli-nothing-asked = 尚未提问
cli-empty-shard = 无需提问：分片 { $shard } 不含本运行的题目（合并时也要加上）
cli-not-comparable = 不能与已发表的结果比较：{ CLAUSES($parts) }
cli-published = 已发表，{ $group ->
    [all] 全部
   *[other] { $group }
}的 { $figure }，%：{ $best } { EXACT($highest) }{ $rows ->
    [1] {""}
   *[other] ，为 { $rows } 行中最高，{ $last } 最低，为 { EXACT($lowest) }
}{ $own ->
    [none] {""}
   *[other] ；本运行 { EXACT($own) }
}{ $trust ->
    [none] {""}
   *[other] ；{ $trust }
}
cli-accuracy = { $accuracy ->
    [none] {""}
   *[other] ，正确率 { SHARE($accuracy) }
}

# zhiyin stats health、zhiyin data check
cli-count-of = { $n } 处 { $kind }

# 其他措辞：cli/forge.py。
cli-warning = 警告
cli-note = 说明
cli-more = … 另有 { $n } 条
cli-also = 另有：{ CLAUSES($tables) }
cli-each-whole = 各自的分组、其他表格与说明
cli-published-in = 已发表
cli-differs = 不同设置：{ $setting }（{ $each }）
cli-every-group = 所有分组及各列含义
cli-unfinished = 运行尚未完成
cli-group = 分组，%
cli-run = 运行，%
cli-course = { $what ->
    [tunes] 排版：共 { $of } 首，已完成 { $done } 首
   *[runs] 比较：共 { $of } 次运行，已读取 { $done } 次
}
