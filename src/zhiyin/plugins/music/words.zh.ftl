# 模型听到了什么的页面。
hearing-what = { $model } 听到了什么
hearing-table = 同样内容的表格
hearing-run = { of-which-set }{ $folder ->
    [none] {""}
   *[some] ，{ $folder }
}：{ $trials } 题{ $whole ->
    [true] {""}
   *[false] ，未完成
}{ $cost ->
    [0] {""}
   *[other] ；{ CLAUSES($cost) }
}
hearing-cost = 合计：{ $runs } 次运行共 { MONEY($usd) }{ $lack ->
    [0] {""}
   *[other] ；另有 { $lack } 次的费用未知
}
hearing-sounds = 自己听一听
hearing-files = 论文用：
hearing-nothing = 这些运行都看不出模型能听到什么：请给出听过声音的题目的运行
