# 排行榜关于各表的说明：report/leaderboard。
boards-title = { $benchmark }{ $clauses ->
    [0] {""}
   *[other] ：{ NAMES($clauses) }
}
boards-row = { $name }（{ NAMES($settings) }）
boards-set-apart = { $name }（{ NAMES($by) }）
boards-default = 默认设置
boards-marked = { $name }{ $mark }
boards-items = { $n } 题
boards-limit = { $limit ->
    [none] 全部{ extent-units }
   *[some] 前 { $limit } { extent-units }
}
boards-shots-each = { AND($shots) } 样例
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
boards-setting = { $name ->
    [mode] 方式
    [modality] 模态
    [order] 次序
    [source] 来源
    [split] 部分
    [strategy] 提问方式
    [task] 任务
   *[other] { $name }
}{ $value ->
    [none] {""}
   *[some] ：{ setting-value }
}
setting-value = { $value ->
    [audio] 声音
    [image] 图片
    [midi] MIDI
    [sound] 声音
    [text] 文本
    [cot] 逐步推理
    [generated] 自动生成
    [sysinst] 短答
   *[other] { $value }
}
boards-only = 仅 { $value }
boards-value = { NAMES($values) }
