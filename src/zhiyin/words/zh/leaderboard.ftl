# 排行榜页面。

board-leaderboard = 排行榜
board-about = 每个表格只含同一协议的运行：相同的数据与提示、相同的答案读取规则、相同的设置。点击列名可排序。
board-runs = { $ranked ->
    [1] 1 次已完成的运行，共 { $items } { $unit ->
        [songs] 首歌
       *[items] 题
    }。
   *[other] { $ranked } 次已完成的运行，只计所有模型都已作答的 { $items } { $unit ->
        [songs] 首歌
       *[items] 题
    }。同一竖线上的运行之间未发现显著差异（配对检验，Holm 校正，0.05）。
}数字为百分比；横线为 95 % 区间。
board-model = 模型
board-ties = 并列
board-answered = 作答率
board-unit = { $unit ->
    [songs] 首歌
   *[items] 题
}
board-an-item = { $unit ->
    [usd] 每题美元
   *[tokens] 每题词元
}
board-interval = 95 % 区间 { $low } 至 { $high }
board-kind = { $kind ->
    [model] 已发表
    [human] 人类，已发表
   *[chance] 随机
}
board-report = 报告
board-trials = 题目
board-signed = 已签名 { $by }
board-cost = 成本与质量
board-frontier = { $figure }（%）与{ $unit ->
    [usd] 每题美元
   *[tokens] 每题词元
}的关系，对数坐标。位于前沿的有：{ NAMES($names) }。
board-apart = 已发表的结果单列：{ $why }。
board-set-apart = 已发表，单列
board-protocol = 协议
board-differs = 不同
board-unset = 未设置
board-published = 已发表：
board-column = { $figure ->
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
    [f1] F1
   *[other] { $figure }
}，{ $group ->
    [all] 全部
   *[other] { $group }
}
