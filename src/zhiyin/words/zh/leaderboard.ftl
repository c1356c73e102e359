# 排行榜页面。
board-column = { $group ->
    [all] 全部
   *[other] { $group }
}题{ $figure ->
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
    [f1] F1
   *[other] { $figure }
}
