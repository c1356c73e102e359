study-answers = 回答（JSON lines）
people-guessing = 随机猜测的正确率为 { SHARE($value) }
people-lead = { $model } 减参与者{ $who ->
    [none] {""}
   *[some] （{ $who }）
}：{ SIGNED($lead) } 个百分点{ $low ->
    [none] {""}
   *[some] （95 % 区间 { SIGNED($low) } 至 { SIGNED($high) }，针对其他参与者与其他题目；{ $n } 人{ $narrow ->
        [true] ；模型在少数题目上几乎全对，此区间过窄：这类区间的覆盖率更接近 90 %
       *[false] {""}
    }）
}
people-answers = { $people } 人对 { $n } 题的回答
people-averaged = 多人对同一题的回答取平均；区间针对其他题目与这些人：`zhiyin study show` 给出也针对其他人的区间
people-orders = { $n } 个回答的选项显示顺序未知
rule-idle = 规则 { $rule } 不会排除任何人：{ $why }
rule-attention = { $n ->
    [0] 没有注意力检查题
   *[other] 只有 { $n } 道注意力检查题
}，不可能答错 { $wrong } 道：{ $n ->
    [0] 请加入检查题，或去掉这条规则
   *[other] 请改为不超过 { $n }，或增加检查题
}
rule-gold = { $n ->
    [0] 没有已知答案的题目：请指定若干题，或去掉这条规则
   *[other] 正确率不会低于 0：请提高，或去掉这条规则
}
rule-seconds = 没有人快于 0 秒：请提高，或去掉这条规则
rule-place = { $whole ->
    [true] 比例不会大于 1：请降低，或去掉这条规则
   *[false] 每人只作 { $n } 次选择，全部选同一位置也可能是偶然：请让每人多答有选项的题，或去掉这条规则
}
rule-answers = 回答数不会少于 0：请提高，或去掉这条规则
person-always = 总是选{ $words ->
    [none] 列表中的第 { $place } 项
   *[some] “{ $words }”
}
people-always = 计入的参与者中有 { $n } 人无论问什么总选同一答案或同一位置：其正确率不能说明他们的能力，而已声明的规则没有排除他们（same_place 检查位置）
people-percentile = { $model } 在 { $n } 人{ $who ->
    [none] {""}
   *[some] （{ $who }）
}中的百分等级为 { SHARE($share) }（同分计一半）{ $low ->
    [none] {""}
   *[other] ，95 % 区间 { EXACT($low) }–{ EXACT($high) }
}
study-value = { $value ->
    [education] 最高学历
    [music_major] 主修音乐（在读或已毕业）
    [music_background] 音乐背景
    [lessons_years] 学习音乐年数
    [instrument] 主要乐器
    [age] 年龄（岁）
    [hearing] 听力
    [high_school] 高中
    [bachelor] 本科
    [master] 硕士
    [doctorate] 博士
    [other] 其他
    [unsaid] 不愿透露
    [yes] 是
    [no] 否
    [normal] 正常
    [loss] 听力损失
    [unsure] 不确定
    [years_0] 无
    [years_1_2] 1–2 年
    [years_3_5] 3–5 年
    [years_6_9] 6–9 年
    [years_over_9] 10 年及以上
    [none] 无
    [voice] 声乐
    [piano] 键盘
    [strings] 弓弦
    [plucked] 弹拨
    [wind] 管乐
    [percussion] 打击乐
    [electronic] 电子
    [woods] 音高响度判断（Woods 2017）
    [huggins] Huggins 音高（Milne 2021）
    [any] 标记了任一干扰项
    [each] 逐个干扰项
   *[other] { $shown }
}
study-each = { NAMES($each) }
study-people-n = 参与者{ $n ->
    [none] {""}
   *[other] （{ $n } 人）
}
study-group-n = { $group }{ $n ->
    [none] {""}
   *[other] （{ $n } 人）
}
study-field-is = { $field }为“{ $value }”
