# 论文中的表格：report/paper_table。

table-title = { $people ->
    [true] 模型与人
   *[false] { $models } 个模型
}在{ $several ->
    [none] {" "}{ NAMES($benchmarks) }{" "}
   *[some] {" "}{ $several } 个基准
}上的得分（%）
table-n = n：题数；同一题的多次提问合为一题。
table-head = { $title }（n = { $least }{ $most ->
    [none] {""}
   *[some] –{ $most }
}）
table-model = { $people ->
    [true] 模型或人
   *[false] 模型
}
table-people = { $rows }：对各人就同一题的回答取平均，区间针对其他题目与这些参与者；`zhiyin human` 的区间同时针对其他参与者，因而较宽。
table-way = { $title }（仅 { $way }）
table-column = { $title }{ $group ->
    [none] {""}
   *[other] ：{ $group }
}{ $figure ->
    [none] {""}
    [f1] ，F1
   *[other] ，{ $figure }
}
table-judged = { $title }，由 { $judge } 评分
table-published = { $name }{ $kind ->
    [human] （人类，已发表）
    [chance] （随机水平）
   *[other] （已发表）
}
table-spread = { $spread ->
    [se] ± 之后为标准误；多个问题出自同一录音时按录音聚类。
   *[interval] 括号内为 95% 置信区间；多个问题出自同一录音时按录音聚类。
}
table-rule = 粗体{ $star ->
    [true] （*）
   *[false] {""}
}为该列最佳的模型或人的结果，以及与其无显著差异的所有结果（基线从不用粗体）；检验在相同题目上配对进行（McNemar 精确检验；题目共用录音时采用整簇符号翻转检验；{ $many ->
    [true] 行数较多，只对最佳者与其余各行的配对作 Holm 校正
   *[false] 对该列所有配对作 Holm 校正
}，显著性水平 { $alpha }）。未完成的运行，以及数据、版本或答案读取规则与多数运行不同者，不参与检验。
table-level = { NAMES($columns) }：各行与最佳结果均无显著差异，粗体不作区分。
table-no-test = { $column }：各运行的题目不同，未作检验。
table-tests-accuracy = { $column }：检验针对准确率。
table-common-items = { $column }：检验基于所有运行均已评判的 { $n } 道题目。
table-short = { $column }：{ AND($rows) } 已评判的题目不到该列最多者（{ $n } 题）的 { SHARE($share, decimals: 0) }，{ $tested ->
    [true] 不参与检验，也从不用粗体
   *[false] 只剩一行，未作检验
}。
table-silent = { $benchmark }：{ AND($who) } { $altered ->
    [true] 仅在改动条件下有判分
   *[false] 没有已评判的试次
}，未列入表中。
table-unread = 其回答中有 { SHARE($share) } 读不出答案，按错误计
table-one-letter = 全部回答都是 { $letter }，其正确率不说明模型能力
table-reader = 答案按规则 { $policy } 读取
table-setting = { $name } { $value ->
    [none] 未设
   *[other] { $value }
}
table-differs = 设置与该列多数运行不同：{ NAMES($settings) }
table-items = 仅 { $n } 题，该列其他行题数更多
table-unpublished = { NAMES($columns) } 旁没有已发表的数字：没有同一指标在相同题目、完整且以相同方式提问下的结果。
table-published-parts = { NAMES($columns) }：已发表的是其各部分的数字；单独把这些运行交给 `zhiyin table` 即可看到。
table-source = 已发表：{ $source }
table-source-elsewhere = 已发表：{ $source }：完整测试集，按其作者的方式提问和读取
table-no-paired-test = { $column }：该指标没有配对检验，故不标粗体。
table-remark = { $what }
