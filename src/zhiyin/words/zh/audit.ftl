# 对读取方式的审核结果：analysis/audit/result.py。

audit-line = 按规则读取（{ NAMES($policies) }），{ $found }
audit-by = { $by ->
    [none] {""}
   *[some] （由 { $by }）
}
audit-under-way = 审核{ audit-by }进行中：抽取的 { $drawn } 个已标注 { $marked } 个，其中 { $misread } 个读错
audit-unsure = 已审核{ audit-by }：{ $marked } 个标注都不能确定
audit-found = 已审核{ audit-by }：{ $sure } 个中读错 { $misread } 个{ $rate ->
    [none] {""}
   *[some] ，占全部的 { audit-rate }
}（{ $low ->
    [none] 全部已标注
   *[some] { audit-ends }
}）{ $unsure ->
    [0] {""}
   *[other] ；{ $unsure } 个不确定，不计入比率
}
audit-rate = { EXACT($rate) } %
audit-ends = { EXACT($low) } 至 { EXACT($high) } %
audit-accuracy = 这 { $n } 个回答的正确率：读取为 { EXACT($as_read) } %，经审核校正为 { EXACT($corrected) } %（95 % 区间 { audit-ends }）
audit-in-sight = 标注时看到了读取结果：{ $n } 个
audit-stale = 运行中的回答已不是抽取审核时的回答：`zhiyin audit` 会重新抽取并保留标注
