# 报告中一个基准的开头几句：由 report/headlines.py 组合。

lead = { SENTENCE($clauses) }
lead-scale = 参照：{ FEW($each) }{ $rules ->
    [0] {""}
   *[other] ；{ CLAUSES($rules) }
}。
lead-scaled = { lead-value }{ $n ->
    [none] {""}
   *[some] （在其 { $n } { lead-units }上）
}
lead-units = { $unit ->
    [songs] 首歌
   *[items] 题
}
lead-in = { $title ->
    [none] {""}
   *[some] （{ $title }）
}
lead-all = { $runs ->
    [2] 两者
   *[other] 所有运行
}
lead-ends = { $scale ->
    [share] { POINTS($low) } 至 { POINTS($high) }
   *[other] { AMOUNT($low, "", $high) } 至 { AMOUNT($high, "", $low) }
}
lead-clusters = { $clusters } { $over ->
    [clusters] 组
    [songs] 首歌
   *[items] 题
}

# 谁最好

lead-right = { $manner ->
    [most] { $who } 正确率最高（{ SHARE($value) }）
    [level] { FEW($who) } 正确率最高（均为 { SHARE($value) }）
    [each] { $runs } 个运行都答对 { SHARE($value) }
   *[alone] { $who } 答对 { SHARE($value) }
}{ lead-in }
lead-figure = { $figure ->
    [none] 数值
   *[some] { $figure }
}
lead-score = { $manner ->
    [most] { $who } 的 { lead-figure } { $least ->
        [true] 最低
       *[other] 最高
    }（{ AMOUNT($value, $scale) }）
    [level] { FEW($who) } 的 { lead-figure } { $least ->
        [true] 最低
       *[other] 最高
    }（均为 { AMOUNT($value, $scale) }）
    [each] { $runs } 个运行的 { lead-figure } 均为 { AMOUNT($value, $scale) }
   *[alone] { $who } 的 { lead-figure } 为 { AMOUNT($value, $scale) }
}{ lead-in }
lead-total = { $manner ->
    [most] { $who } 总分最高（{ SHARE($value) }，评分者：{ $by }）
    [level] { FEW($who) } 总分最高（均为 { SHARE($value) }，评分者：{ $by }）
    [each] { $runs } 个运行的总分均为 { SHARE($value) }（评分者：{ $by }）
   *[alone] { $who } 总分为 { SHARE($value) }（评分者：{ $by }）
}
lead-with = 仅在{ $alone }时，{ $text }
lead-on = 在{ lead-all }共有的 { $n } { lead-units }上，{ $text }
lead-alone = { $best }{ $guess ->
    [better] ，高于随机猜测（{ SHARE($chance) }）
    [worse] ，低于随机猜测（{ SHARE($chance) }），请检查答案的读取
    [open] ，未显著高于随机猜测（{ SHARE($chance) }）
    [untold] ；对 { lead-clusters }的检验表明未显著高于随机猜测（{ SHARE($chance) }）
    [alone] ；{ $alone }
    [mute] ：回答中读不出任何答案
   *[free] {""}
}
lead-better = { $best }，比 { $other } { $least ->
    [true] 低
   *[other] 高
} { APART($mean, $scale, $high) }（{ lead-ends }）
lead-best-of-all = { $best }，{ $least ->
    [true] 低于
   *[other] 高于
}其余 { $others } 个；最接近的 { $other } 相差 { APART($mean, $scale, $high) }（{ lead-ends }）
lead-but-open = { $best }，但未显著优于 { FEW($others) }
lead-open = { $who } 未显著优于 { FEW($others) }
lead-none-better = 这 { $runs } 者彼此没有显著差异
lead-apart = { $who }（{ AMOUNT($value, $scale) }）与 { $other }（{ AMOUNT($second, $scale) }）没有显著差异{ lead-in }{ $n ->
    [none] {""}
   *[some] ，基于两者共有的 { $n } { lead-units }
}{ $p ->
    [none] {""}
   *[some] （对 { lead-clusters }的检验，{ P($p) }）
}：相差 { APART($mean, $scale, $high) }（{ lead-ends }）
lead-same = { $who } 与 { $other } 的回答逐字相同{ lead-in }{ $n ->
    [none] {""}
   *[some] ，基于两者共有的 { $n } { lead-units }
}：无法据此区分两者（{ $scale ->
    [share] { SHARE($value) }
   *[other] { AMOUNT($value, $scale) }
}）
lead-not-compared = { NAMES($each) }{ $n ->
    [none] {""}
    [0] ：{ lead-all }没有共有的{ $unit ->
        [songs] 歌
       *[items] 题
    }，不能比较{ lead-in }
   *[other] ：{ lead-all }共有的只有 { $n } { lead-units }，不能比较{ lead-in }
}
lead-otherwise = 提问方式不同的不同模型之间不作比较
lead-value = { $who } { AMOUNT($value, $scale) }

# 预注册的结果，以及本页自己的检验

lead-registered-many = { $confirmatory ->
    [true] { $n } 个预注册的
   *[false] 并非所有回答都是在计划注册之后取得的，因此不属验证性结果：{ $n } 个
}假设中，{ NAMES($each) }
lead-registered-some = { $n } 个{ plan-fate }（{ NAMES($names) }）
lead-departures = 运行与计划有 { $n } 处不符
lead-exploratory = 以下按本页自己的双侧检验，未经预注册，属探索性结果：{ $text }

# 随机猜测与字母

lead-chance = { $guess ->
    [open] { FEW($who) } 未显著高于随机猜测
    [worse] { FEW($who) } 低于随机猜测
    [better] { FEW($who) } 高于随机猜测
   *[mute] { FEW($who) } 的回答中读不出任何答案
}
lead-rule = 与得分最高的盲基线 { $who } 相比，{ CLAUSES($sides) }
lead-rule-side = { FEW($who) } { $side ->
    [above] 更好
    [below] 更差
   *[open] 未显示更好
}{ $mean ->
    [none] {""}
   *[some] （{ $ahead ->
        [true] 领先
       *[false] 落后
    } { APART($mean, $scale, $high) }；{ lead-ends }）
}
runs-of-page = { $runs } 个运行
by-itself = 单独检验时{ $side ->
    [worse] 低于随机猜测
   *[better] 高于随机猜测
}（{ P($p) }），但对本页 { runs-of-page }校正后不显著
lead-by-itself = { FEW($who) } 单独检验时{ $side ->
    [worse] 低于随机猜测
   *[better] 高于随机猜测
}（{ $who ->
    [1] { P($p) }
   *[other] 最大者 { P($p) }
}），但对本页 { runs-of-page }校正后不显著
lead-groups = 在 { FEW($groups) } 中{ $runs ->
    [1] {""}
   *[other] 都
}未显著高于随机猜测
lead-letter = { FEW($who) } { $verdict ->
    [always] 总是回答
   *[favours] 偏爱
} { $letter }

# 存疑之处，和没有结果的运行

lead-canary = 没有证据表明 { FEW($who) } { $medium ->
    [sound] 听得见
   *[image] 看得见
}：探测未通过（{ NAMES($counts) }）
lead-canary-count = { $asked } 题答对 { $right } 题
lead-kept = { $who } 的 { $of } 个回答中有 { $n } 个来自更早的运行
lead-late = { FEW($who) } 尚未完成，不参与排名
lead-lacking = { $who } 不参与排名：{ AND($why) }
lead-dead = { FEW($who) } 的全部调用均失败
lead-empty = { FEW($who) } 尚未回答任何题
lead-altered = { FEW($who) } 只在 { $alone } 条件下有判分：主条件下没有结果
lead-ungraded = { FEW($who) } 的回答没有标准答案，也尚未评分
lead-unscored = { FEW($who) } 没有可比的总分：尚未评分，或评分方式不同
lead-found = { $who } 的结果：{ $text }
lead-measured = { FEW($who) } 不以对错计分：测量结果见下方表格
lead-outside = { FEW($who) } 没有被问到相关题目{ lead-in }
