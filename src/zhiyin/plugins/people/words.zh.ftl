study-answers = 回答（JSON lines）
people-guessing = 随机猜测的正确率为 { SHARE($value) }
people-lead = { $model } 减{ $who ->
    [none] 参与者
   *[some] {" "}{ $who }
}：{ SIGNED($lead) } 个百分点{ $low ->
    [none] {""}
   *[some] （95 % 区间 { SIGNED($low) } 至 { SIGNED($high) }，针对其他参与者与其他题目；{ $n } 人）
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
