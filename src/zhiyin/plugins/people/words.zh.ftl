study-answers = 回答（JSON lines）
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
