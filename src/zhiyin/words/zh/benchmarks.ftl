# 运行所用的评测不在此处，或此后已更改。

without-benchmark = { $why ->
    [package] 此处未安装评测“{ $name }”（{ $place }）
    [object] 评测“{ $name }”（{ $place }）是从 Python 传入的，此处没有
    [gone] 评测“{ $name }”已不在 { $place }
    [unopened] 评测“{ $name }”所在的文件（{ $place }）未曾在此打开过
    [broken] 评测“{ $name }”无法打开：{ $fault }
    [renamed] 评测“{ $name }”已不在其文件中：{ $fault }
   *[unknown] 此处没有评测“{ $name }”（{ $place }）
}：它自己的表格和图未列出，标题为运行时所存；{ $why ->
    [package] { $install }
    [object] 请在 Python 中再次传入该对象，或将其类写入文件
    [gone] 请指明文件：`zhiyin show --benchmark FILE.py:CLASS RUN`
    [unopened] 用 `zhiyin list { $place }` 查看，即可打开
    [broken] 请修正该文件后重新显示
    [renamed] 请将该名称还给其中的类
   *[unknown] 请安装它
}
benchmark-changed = { $place } 在此次运行之后已更改：表格、图和标题均按其现状生成{ $scores ->
    [true] ；判定仍为当时的结果，可用 `zhiyin rescore RUN --extract POLICY` 重新评分
   *[false] {""}
}
benchmark-version = 运行时所用为 { $then }；表格由 { $now } 生成
of-which-set = { $benchmark }{ $own ->
    [true] （知音自制题）
   *[false] {""}
}
equal-options = { $n } 题有两个相同的选项（{ NAMES($items) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 题
}）：选对可能判错，随机水平也不准确
