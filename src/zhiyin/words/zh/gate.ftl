# 与先前运行的对照：analysis/gate.py。

gate-title = { $n ->
    [0] 通过：{ $of } 项中没有一项被证明比允许的更差
   *[other] 未通过：{ $of } 项中有 { $n } 项不合格
}
gate-asked = 测试内容
gate-verdict = 结论
gate-old = 之前，%
gate-new = 现在，%
gate-difference = 差值
gate-interval = 区间
gate-items = 题数
gate-state = { $state ->
    [worse] 变差
    [lacking] 不完整
    [open] 未能证明
   *[kept] 保持
}
gate-note = 差值：现在减之前，单位为百分点，按题目配对；低于 0 表示变差。区间：置信水平 { NUMBER($level, 4) }，聚类稳健{ $n ->
    [one] 。
   *[other] ；其宽度使全部 { $n } 项同时成立的把握为 95%。
}
gate-of = { $name }：{ $why }
gate-gone = 之前有运行，现在没有
gate-lacking = 不完整，因此未作比较：{ $what ->
    [none] 有试次没有结论
   *[other] { $what }
}
gate-worse = 变差 { POINTS($points) } 个百分点，且已证明变差超过 { POINTS($allowed) } 个百分点
gate-kept = 已证明变差不超过 { POINTS($allowed) } 个百分点
gate-open = 未能证明变差超过 { POINTS($allowed) } 个百分点，也未能证明没有变差：这些题目容许变差多达 { POINTS($low) } 个百分点{ $detectable ->
    [none] {""}
   *[other] ；{ POINTS($detectable) } 个百分点的差异有 80% 的把握被发现
}
gate-canary = { $why }。{ AND($told) }
