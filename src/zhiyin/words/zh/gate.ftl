# 与先前运行的对照：analysis/gate.py。

gate-title = { $end ->
    [closed] 未通过：{ $of } 项中有 { $closing } 项不合格{ $failed ->
        [0] {""}
       *[other] ；{ $failed } 项未完成
    }{ $other ->
        [0] {""}
       *[other] ；{ $other } 项无法比较
    }
    [other] 无结论：{ $of } 项中有 { $other } 项无法比较{ $failed ->
        [0] {""}
       *[other] ，{ $failed } 项未完成
    }
    [failed] 无结论：{ $of } 项中有 { $failed } 项未完成
   *[open] 通过：{ $of } 项中没有一项被证明比允许的更差
}
gate-no-verdict = 未作任何比较
gate-asked = 测试内容
gate-verdict = 结论
gate-old = 之前{ $share ->
    [true] ，%
   *[false] {""}
}
gate-new = 现在{ $share ->
    [true] ，%
   *[false] {""}
}
gate-difference = 差值
gate-interval = 区间
gate-items = 题数
gate-state = { $state ->
    [worse] 变差
    [missing] 缺题
    [failed] 未完成
    [other] 无法比较
    [open] 未能证明
   *[kept] 保持
}
gate-note = { $of ->
    [run] 差值：现在减之前{ $share ->
        [true] ，单位为百分点
       *[false] ，越低越好者为之前减现在
    }，按题目配对；低于 0 表示变差。区间
    [skill] 各项能力的区间
   *[group] 各组的区间
}：置信水平 { NUMBER($level, 4) }，聚类稳健{ $n ->
    [1] 。
   *[other] ；其宽度使全部 { $n } 项同时成立的把握为 95%。
}
gate-changes = { $of } 项中，{ $worse } 项变差，{ $better } 项变好；其余 { $rest } 项未能证明有变化
gate-change = { $state ->
    [worse] 变差
    [better] 变好
    [missing] 缺题
    [failed] 未完成
    [other] 无法比较
   *[open] 未能证明
}
gate-models = 之前：{ $old }。现在：{ $new }。
gate-of = { $name }：{ $why }
gate-gone = { $failed ->
    [true] 已提问，但没有得到答复；先前运行有 { $n } 个试次
   *[false] 先前有一次运行（{ $n } 个试次），这个套件中没有
}{ $why ->
    [none] {""}
   *[other] ：{ $why }
}
gate-failed = 未完成：{ $what ->
    [none] 有试次没有结论
   *[other] { $what }
}{ $cause ->
    [none] {""}
   *[other] （{ $cause }）
}。表中数字只涉及两次都作答的题目；同一命令会补问其余题目
gate-missing = 先前运行有结论的 { $of } 个试次中，有 { $n } 个这次没有提问；表中数字只涉及其余试次。如果有意如此，请用相同的设置（例如 --sample）重做基线
gate-other = 无法比较：{ AND($settings) }：请重做基线；若只是答案的读取规则不同，可对其中一个重新评分（zhiyin rescore）
gate-other-error = 无法比较：{ $why }
gate-setting = { $name } 之前为 { $old }，现在为 { $new }
gate-same = 没有重新提问：答复就是先前运行留存的答复
gate-worse = 变差 { APART($points, $unit) }，且已证明变差超过 { APART($allowed, $unit) }
gate-worse-too = 在两次都作答的题目上变差 { APART($points, $unit) }，且已证明变差超过 { APART($allowed, $unit) }；{ $why }
gate-kept = 已证明变差不超过 { APART($allowed, $unit) }
gate-open = 未能证明变差超过 { APART($allowed, $unit) }，也未能证明没有变差：这些题目容许变差多达 { APART($low, $unit) }{ $detectable ->
    [none] {""}
   *[other] ；{ APART($detectable, $unit) }的差异有 80% 的把握被发现
}
gate-canary = { $why }。{ AND($told) }
