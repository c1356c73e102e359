# 排行榜关于各表的说明：report/leaderboard。
boards-title = { $benchmark }{ $clauses ->
    [0] {""}
   *[other] ：{ NAMES($clauses) }
}
boards-row = { $name }，{ NAMES($settings) }
boards-items = { $n } 题
boards-limit = { $limit ->
    [none] 全部{ extent-units }
   *[some] 前 { $limit } { extent-units }
}
boards-shots = { $shots ->
    [0] 零样例
    [1] 单样例
    [few] 少样例
   *[other] { $shots } 样例
}
boards-off = 无 { $name }
boards-extract = 读取规则 { $policy }
boards-language = { $language ->
    [zh] 中文
    [en] 英文
   *[other] { $language }
}
boards-letter = { $name } = { $value }
boards-setting = { $name }{ $value ->
    [none] {""}
   *[some] {" "}{ $value }
}
boards-only = 仅 { $value }
boards-value = { $value }
