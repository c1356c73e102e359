# 论文中的表格：report/paper_table。

table-title = { $people ->
    [true] 模型与人
   *[false] { $models } 个模型{ $baselines ->
        [0] {""}
       *[other] 和 { $baselines } 个基线
    }{ $settings ->
        [0] {""}
       *[other] 以 { $settings } 种设置
    }
}在{ $several ->
    [none] {" "}{ NAMES($benchmarks) }{" "}
   *[some] {" "}{ $several } 个基准
}上的得分{ $shares ->
    [true] （%）
   *[false] {""}
}
table-n = n：题数{ $usual ->
    [none] {""}
   *[other] （未注明处为 { $usual }）
}；同一题的多次提问合为一题。
table-head = { $title }（n = { $n }）
table-model = { $people ->
    [true] 模型或人
   *[false] 模型
}
table-people = { NAMES($rows) }：每名参与者权重相同，区间同时针对其他参与者与其他题目；与模型之差按每人各自答过的题计算，不一定等于两个数值之差。
table-way = { $title }（仅{ $way }）
ways = { AND($each) }
way = { $tag ->
    [audio] { $value ->
        [nothing] 不播放声音
        [silence] 以静音代替声音
        [noise] 以噪声代替声音
       *[other] { " " }{ $tag }={ $value } { " " }
    }
   *[other] { " " }{ $tag }={ $value } { " " }
}
table-column = { $title ->
    [none] { $group }
   *[other] { $title }{ $group ->
        [none] {""}
       *[other] ：{ $group }
    }
}{ $figure ->
    [none] {""}
   *[other] { $group ->
        [none] ：
       *[other] 题
    }{ $figure }
}
table-part = { $name ->
    [questions] 问答
    [precision] 属实性
   *[other] { head }
}
table-judged = { $title }，{ $judge ->
    [none] 未评分
   *[some] 由 { $judge } 评分
}
table-chance = 随机猜测
table-published = { $name }{ $kind ->
    [human] （人类，已发表）
    [chance] （随机水平）
   *[other] （已发表）
}
table-spread = { $spread ->
    [se] ± 之后为标准误；多题出自同一录音时按录音聚类。
   *[interval] 括号内为 95 % 区间；多题出自同一录音时按录音聚类。
}
table-silent = { $benchmark }：{ AND($who) } { $altered ->
    [true] 仅在改动条件下有判分
   *[false] 没有已判分的题
}，未列入表中。
table-unread = 其回答中有 { SHARE($share) } 读不出答案，按错误计
table-one-letter = 全部（或百分之九十九的）回答都相同，其正确率不说明模型能力
table-items = 仅 { $n } 题，该列其他行题数更多
table-unpublished = { NAMES($columns) } 旁没有已发表的数字：{ $late ->
    [0] 所要的行中没有同一指标在相同题目、完整且以相同方式提问下的结果
   *[other] { NAMES($who) } 尚未完成
}。
table-published-apart = { $title }：{ $what }{ $screen ->
    [true] ；论文原表：--as { NAMES($forms) }
   *[false] {""}
}。
table-published-other = { $title }：{ $n } 行已发表的结果只有{ NAMES($figures) }，此处没有这一列{ $screen ->
    [true] ，见 `zhiyin report`
   *[false] {""}
}。
table-published-parts = { NAMES($columns) }：已发表的是其各部分或各提问方式的数字{ $screen ->
    [true] ，见 `zhiyin report`
   *[false] {""}
}。
table-source = 已发表：{ $source }{ $date ->
    [none] {""}
   *[other] ，{ $date }
}{ $settings ->
    [none] {""}
   *[other] ；其提问与读取方式：{ $settings }
}
table-source-elsewhere = 已发表：{ $source }：完整测试集，按其作者的方式提问和读取
table-continued = { $title }（续）
table-groups = 另有 { $n } 列，每个主要分组一列：--columns groups
table-more = { EACH($what) }
table-left-empty = 略去，因为其中没有运行：{ AND($folders) }
table-english = 表格为英文：加 --lang zh 则为中文
table-common = { $title } 的设置：{ NAMES($settings) }。
table-rule = 粗体{ $screen ->
    [true] （*）
   *[false] {""}
}为该列{ $ways ->
    [1] {""}
   *[other] 中以相同方式提问的各行
}最佳的模型或人的结果，以及与其无显著差异的所有结果（基线从不用粗体），仅在有别的结果较差时标出；检验针对该指标本身，在相同题目上配对进行（显著性水平 { $alpha }，已校正）。未完成或缺值较多的运行从不用粗体。
table-no-test = 未作检验：{ NAMES($columns) }。
printed-run = { AND($names) }：每格 n = { $least }{ $most ->
    [none] {""}
   *[some] –{ $most }
}{ $what ->
    [none] 。
   *[some] ；与论文不同之处：{ CLAUSES($what) }。
}
protocol-confirm = 读不出答案时再问一次
protocol-own-words = 提示词用知音自己的话，按发布的格式（而非发布的提示词：{ $of }）
printed-set = { $given }，而不是 { OR($wanted) }
printed-idle = 未列入（在主要提问方式下没有本表的数字）：{ AND($who) }。
printed-gaps = 没有数值的格：这里没有运行问过。
printed-title = 按 { $of } 的{ $title }（%）
printed-here = { $name }（本次）
printed-source = 已发表{ $names ->
    [none] {""}
   *[some] （{ AND($names) }）
}：{ CLAUSES($sources) }
printed-unknown = --as { $name }：论文中没有叫这个名字的表：{ $hint }
printed-left = 未列入 { AND($others) } 的 { $n } 次运行：{ $name } 属于 { $benchmark }
printed-other = { $run }：这是 { $other } 的运行，而 { $name } 属于 { $benchmark }：请去掉它
printed-figure = --as { $name }：图由插件 `paper` 绘制：请安装它
printed-no-cell = --as { $name }：这些运行在主要提问方式下没有该表的任何数字
printed-alone = --as 用论文自己的行与列：请去掉 --columns、--published、--add 和 --brief
