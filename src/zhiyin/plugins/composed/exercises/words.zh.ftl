exercises-summary = 按种子新出的练习：乐理、中国传统音乐、续写旋律
exercises-again = { $kind } 类有 { $n } 道练习在题集中已出现过：没有更多可选（区间按一题计）
