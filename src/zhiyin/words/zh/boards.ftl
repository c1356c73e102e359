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
    [5] 五样例
    [few] 少样例
   *[other] { $shots } 样例
}
boards-off = 无{ setting-name }
boards-extract = 读取规则 { $policy }
boards-language = { $language ->
    [zh] 中文
    [en] 英文
   *[other] { $language }
}
boards-letter = { $name } = { $value }
boards-setting = { $name ->
    [sample] 抽样 { $value } 题
    [repeats] 重复 { $value } 次
    [max-tokens] 至多 { $value } token
    [seed] 种子 { $value }
    [shots] { $value } 样例
    [temperature] 温度 { setting-value }
    [top-k] top-k { $value }
    [top-p] top-p { $value }
   *[other] { setting-name }{ $value ->
        [none] {""}
       *[some] ：{ setting-value }
    }
}
setting-name = { $name ->
    [category] 类别
    [aspects] 评分项
    [clean] 剔除缺陷题
    [confirm] 读不出时再问
    [difficulty] 难度
    [distractors] 干扰项
    [draws] 评分次数
    [format] 声音格式
    [group] 分组
    [items] 题目
    [judge] 评分者
    [max-tokens] token 上限
    [modality] 模态
    [n] 数量
    [mode] 方式
    [mono] 单声道
    [order] 次序
    [prompts] 提示词
    [protocol] 协议
    [rate] 采样率
    [repeats] 重复
    [rotations] 选项轮换
    [sample] 抽样
    [schema] 结构化输出
    [seed] 种子
    [shots] 样例
    [shuffle] 选项打乱
    [source] 来源
    [split] 部分
    [strategy] 提问方式
    [task] 任务
    [temperature] 温度
    [thinking] 思考
    [top-k] top-k
    [top-p] top-p
   *[other] { $name }
}
setting-value = { $value ->
    [all] 全部
    [default] 默认
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
