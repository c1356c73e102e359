# 排行榜页面。

board-leaderboard = 排行榜
board-about = 每个基准一张表。排名只在以相同方式提问的运行之间进行：题目、示例、设置和答案读取规则都相同。与默认不同的设置写在名称旁。区间为 95 %。点击列名可排序。
board-runs = { $title ->
    [none] {""}
   *[some] { $title }：
}{ $ranked ->
    [1] 1 次已完成的运行，共 { $items } { $unit ->
        [songs] 首歌
       *[items] 题
    }
   *[other] { $ranked } 次已完成的运行，{ $ways ->
        [1] 只计{ $who ->
            [both] 所有模型与参与者
            [people] 所有参与者
           *[models] 所有模型
        }都已作答的 { $items } { $unit ->
            [songs] 首歌
           *[items] 题
        }{ $own ->
            [false] 排名，各项数值基于各运行自己的全部题
           *[true] {""}
        }
       *[other] 以 { $ways } 种方式提问，各自排名
    }
}
board-ranks-are = 排名：上限为显著更好的模型数加一，下限为模型总数减去显著更差的模型数（配对检验，Holm 校正，0.05；运行超过 20 次时，只检验最佳者与其余各运行）。排名相同即为并列。基线、与模型并列的参考听者、人类、已发表的结果和单独一个模型不参与排名。
board-unranked = { $title ->
    [none] 未排名
   *[some] { $title }：未排名
}
board-figures = 全部数值
board-model = 模型
board-rank = 排名
board-named = { $name }（{ $kind ->
    [model] 已发表
    [human] 人类，已发表
    [people] 人类
    [baseline] 基线
   *[chance] 随机
}）
board-heading = { $name }{ $unit ->
    [none] {""}
    [share] ，%
   *[other] ，{ $unit }
}{ $low ->
    [true] ，越低越好
   *[false] {""}
}
board-part = { $name }
board-answered = 作答率，%
board-unit = { $unit ->
    [songs] 首歌
   *[items] 题
}
board-an-item = { $unit ->
    [usd] 每题美元
   *[tokens] 每题词元
}
board-report = 报告
board-trials = 题目
board-frontier = 成本为粗体：没有别的模型以相同或更低的成本取得更好的结果。
board-drawn = 区间
board-apart = 已发表的结果单列：{ $why }。
board-set-apart = 已发表，单列
board-protocol = 协议
board-setting = 设置
board-value = 值
board-differs = 不同（{ CLAUSES($values) }）
board-setting-of = { $run }：{ $value ->
    [none] 未设置
   *[some] { $value }
}
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
board-against = { AND($who) }{ $n ->
    [1] {""}
   *[other] 均
}{ $how ->
    [worse] 显著差于
    [same] 未显示优于
   *[better] 显著优于
}{ $of ->
    [1] 基线
   *[other] 各基线
} { AND($baselines) }。
board-claim = { $alone ->
    [true] { AND($who) } 优于{ $behind ->
        [1] {" "}{ $other }
       *[other] 其余 { $behind } 个模型
    }
   *[false] { $behind ->
        [0] { AND($who) } 之间没有显著差异
       *[other] 没有模型显著优于 { AND($who) }；{ $behind ->
            [1] { $other }
           *[other] 其余 { $behind } 个均
        }显著差于另一个模型
    }
}。
