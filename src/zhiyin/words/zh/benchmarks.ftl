# 运行所用的基准不在此处，或此后已更改。

without-benchmark = { $why ->
    [package] 此处未安装基准“{ $name }”（{ $place }）
    [object] 基准“{ $name }”（{ $place }）是从 Python 传入的，此处没有
    [file] 基准“{ $name }”在文件（{ $place }）中，读取运行时不会打开
   *[unknown] 此处没有基准“{ $name }”（{ $place }）
}：它自己的表格和图未列出，标题为运行时所存；{ $why ->
    [package] { $install }
    [object] 请在 Python 中再次传入该对象，或将其类写入文件
    [file] 请指明文件：`zhiyin show --benchmark { SHELL($place) } RUN`
   *[unknown] 请安装它
}
benchmark-changed = { $place } 在此次运行之后已更改：表格、图和标题均按其现状生成{ $scores ->
    [true] ；判定仍为当时的结果，可用 `zhiyin rescore RUN --extract POLICY --benchmark { SHELL($place) }` 重新评分
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
