# 运行之间的比较：analysis/comparison.py。

compare-title = { $benchmark }{ $alike ->
    [0] {""}
   *[other] （各模型均为：{ NAMES($alike) }）
}：{ $measure ->
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
    [f1] F1
   *[other] { $measure }
}{ $scale ->
    [share] {""}
   *[other] （{ $scale }）
}{ lead-in }{ $low ->
    [true] （越低越好）
   *[false] {""}
}{ $declared ->
    [true] {""}
   *[false] （基准未说明高低何者为佳）
}，{ $who ->
    [none] 每对各在其共有题目上：没有题目由全部 { $runs } 个{ compare-done }运行作答
    [both] 在所有{ compare-done }模型都已作答、每组参与者至少一人作答的 { compare-counted }上
    [people] 在每组{ compare-done }参与者至少一人作答的 { compare-counted }上
   *[models] 在所有{ compare-done }模型都已作答的 { compare-counted }上
}
compare-judged = { $name }（由 { $by } 评分）
compare-done = { $finished ->
    [true] 参与排名的
   *[false] {""}
}
compare-no-rank = 不参与排名
compare-without = 与 { $other } 比较时为 { SHARE($value) }：{ $other } 没有{ AND($parts) }，双方都不计；自身总分为 { SHARE($own) }
compare-people = 凡由多名参与者作答者，区间与 p 同时针对其他参与者与其他题目，每名参与者权重相同
compare-counted = { $items } { $unit ->
    [songs] 首歌
   *[items] 题
}
compare-sides = { $a ->
    [A] A：{ $first }；B：{ $second }
   *[names] { $first } 减 { $second }
}
compare-group = 分组
compare-declared = { $group } †
compare-pair = 两两比较（{ compare-part }）
compare-part = { $part ->
    [none] 全部
   *[some] { $part }
}
compare-unit = { $unit ->
    [songs] 歌曲数
   *[items] 题数
}
compare-difference = 差异
compare-interval = 95 % 区间
compare-better = 较好
compare-unheard = -：声音已被替换，此处答对不代表模型更好
compare-ranking = 排名
compare-run = 运行
compare-score = { $measure ->
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
    [f1] F1
   *[other] { $measure }
}{ $scale ->
    [none] {""}
    [share] （%）
   *[other] （{ $scale }）
}
compare-letters = 组别
compare-same-letter = 带有相同字母的运行之间无显著差异（Holm，{ $alpha }{ $many ->
    [true] ；运行较多，只检验最佳者与其余各运行
   *[false] {""}
}）
compare-key = { $scale ->
    [share] 得分以 % 表示，差异与 MDE 以百分点表示
   *[other] 得分、差异与 MDE 以 { $scale } 表示
}，为 { $first } 减 { $second }。p：McNemar 精确检验，或（*）以整个聚类为单位的符号翻转检验，或（‡）把参与者与题目都视为抽样的 t 检验；对整体（跨各对运行）以及分组族（†：基准主要成绩所取的，或预先声明的）内按 Holm 校正，其余分组为探索性的，按 Benjamini-Hochberg 校正。{ $corrected ->
    [none] {""}
   *[some] { $corrected }
}?：未发现显著差异，但不等于两者相同；MDE 是能以 80 % 的检验功效发现的最小真实差异（-：题数太少或各题相差太大，最大的差异也无此功效；两次运行毫无差异之处没有 MDE，也没有 p）。
compare-key-short = 以{ $scale ->
    [share] 百分点
   *[other] { " " }{ $scale } { " " }
}表示，为 { $first } 减 { $second }；?：未发现显著差异，但不等于两者相同{ $small ->
    [true] ；MDE 为 - 表示题数太少或各题相差太大，最大的差异也无此功效
   *[false] {""}
}{ $flips ->
    [all] 。p：* 为以整个聚类或题目为单位的符号翻转检验
    [some] 。p：McNemar 精确检验，* 为以整个聚类为单位的符号翻转检验
    [exact] 。p：McNemar 精确检验
    [people] 。p：‡ 为把参与者与题目都视为抽样的 t 检验，其余为 McNemar 精确检验，或 * 以整个聚类为单位的符号翻转检验
   *[none] ；两次运行毫无差异之处没有 p、区间与 MDE
}{ $declared ->
    [head] ；†：基准主要成绩所取的分组
    [both] ；†：基准主要成绩所取的分组，或预先声明的分组
    [true] ；†：预先声明的分组
   *[false] {""}
}。{ $corrected ->
    [none] {""}
   *[some] { $corrected }
}
compare-sentence = 在 { $title } { $part ->
    [none] {""}
   *[some] 的{ $part }部分{" "}
}中双方都作答的 { $n } 题上，{ $who } 正确率为 { SHARE($value) }，{ $other } 为 { SHARE($second) }，{ $resolved ->
    [true] 差异显著
   *[false] 差异不显著
}：{ POINTS($mean) } 个百分点（95 % 区间 { POINTS($low) } 至 { POINTS($high) }；{ P($p) }，{ $flips ->
    [true] 按聚类翻转符号的检验
   *[false] McNemar 精确检验
}{ $pairs ->
    [1] {""}
   *[other] ，{ $pairs } 对经 Holm 校正
}）。
compare-more = 另有 { $n } 对提问方式相同的运行，见上表。
compare-corrected = 各区间均为单独的 95 % 区间，p 已针对 { AND($tests) } 作校正：区间不含 0 时 p 仍可能很大。
compare-tests = { $of ->
    [pairs] { $part ->
        [none] 整体
       *[some] { $part }
    }上的 { $n } 对运行（Holm{ compare-apart }）
    [groups] { compare-in-groups }（探索性，控制错误发现率{ compare-apart }）
   *[declared] 带 † 的 { compare-in-groups }（Holm{ compare-apart }）
}
compare-in-groups = { $n } 项分组比较
compare-apart = { $scale ->
    [0] {""}
   *[other] ，其中 { $scale } 项含基线等参照，另行校正
}
