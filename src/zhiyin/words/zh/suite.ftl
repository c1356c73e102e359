# 套件的页面。

suite-done = { $of } 次运行中已完成 { $n } 次。
suite-best-at = { $condition ->
    [none] {""}
   *[some] { $condition } 条件下，
}{ $model } 在以下能力上最好：{ NAMES($skills) }。
suite-level = { $condition ->
    [none] {""}
   *[some] { $condition } 条件下，
}以下能力上没有哪个模型显著最好：{ NAMES($skills) }。
suite-too-few = 题数太少（不足 { $few } 题），不作判断
suite-link = { $name ->
    [report] 报告
    [leaderboard] 排行榜
   *[other] { $name }
}
suite-which-model = 哪项能力用哪个模型{ $condition ->
    [none] {""}
   *[some] （{ $condition }）
}
suite-skill = 能力
suite-items = 题
suite-right-best-first = 正确率，%，由高到低
suite-significant = 能否区分？
suite-tests = 只计所有模型都被问到的题；配对检验（整簇翻转符号，对 { $n } 次检验作 Holm 校正，5 %）。粗体：显著优于其余所有模型。
suite-letters = 字母相同的模型之间未发现显著差异。
suite-about = { $items ->
    [none] {""}
   *[some] { $items }。
}{ EACH($each) }
suite-verdict = { $condition ->
    [none] { SENTENCE($text) }
   *[some] 在 { $condition } 下：{ SENTENCE($text) }
}
suite-as-table = 论文用的表格
suite-card = 成绩单：{ $model }{ $condition ->
    [none] {""}
   *[some] （{ $condition }）
}
suite-skill-and-parts = 能力及其组成
suite-right = 正确率，%
suite-interval = 95 % 区间
suite-floor = 随机水平
suite-people = 人类
suite-missing = 缺少
suite-part = { $name }{ $scored ->
    [none] {""}
   *[some] ：{ $scored }
}{ $by_degrees ->
    [true] （按程度评分，无对错之分）
   *[false] {""}
}
suite-people-are = { NAMES($people) }
suite-person = { $who }：{ SHARE($share) }{ $precision ->
    [true] （精确率）
   *[false] {""}
}{ $same ->
    [true] {""}
   *[false] （基于全部数据）
}
suite-unasked = 未考查：{ NAMES($skills) }。
suite-lacking = 缺少：{ $benchmark }：{ $what }
suite-in-no-card = 未说明所考能力，或只以改变的方式提问，因此不在成绩单中：{ NAMES($names) }。
suite-runs = 运行
suite-run = 运行
suite-state-of = 状态
suite-state = { $state ->
    [planned] 未开始
    [going] 进行中
    [quiet] 无动静
    [done] 已完成
    [failed] 失败
    [stopped] 已停止
    [missing] 未包括
    [unfit] 不适用
   *[other] { $state }
}
suite-why = 原因
suite-command = 对应命令
suite-method = 方法：套件文件，SHA-256 { $hash }…
suite-file = 文件内容
suite-since = ，自 { $at } 起
suite-other-files = 此前使用过其他文件或参数：
suite-skill-name = { $skill ->
    [knowledge] 知识
    [theory] 乐理
    [reading] 读谱
    [pitch] { $sense ->
        [read] 音高（书面）
        [both] 音高（听与书面）
       *[heard] 听音高
    }
    [rhythm] { $sense ->
        [read] 节奏（书面）
        [both] 节奏（听与书面）
       *[heard] 听节奏
    }
    [harmony] { $sense ->
        [read] 和声（书面）
        [both] 和声（听与书面）
       *[heard] 听和声
    }
    [timbre] { $sense ->
        [read] 音色（书面）
        [both] 音色（听与书面）
       *[heard] 听音色
    }
    [form] { $sense ->
        [read] 曲式（书面）
        [both] 曲式（听与书面）
       *[heard] 听曲式
    }
    [mood] { $sense ->
        [read] 情绪（书面）
        [both] 情绪（听与书面）
       *[heard] 听情绪
    }
    [reasoning] 推理
    [writing] 写作
   *[other] { $skill }
}
suite-ranked = { CLAUSES($models) }
suite-model = { $name } { $few ->
    [true] （{ EXACT($value) }）
   *[false] { EXACT($value) }
} { $letters }
suite-copy-as = 此表的 { $name } 源码
suite-table-files = 文件：
suite-by = { $what ->
    [skills] 各项能力的正确率
   *[other] 各基准的结果
}{ $unit ->
    [none] ，%
   *[other] ，{ $unit }
}{ $low ->
    [true] ，越低越好
   *[false] {""}
}
suite-head = { $what ->
    [skills] 能力
   *[other] 基准
}
suite-thin = { $whole ->
    [true] { $n } 题
   *[false] 不完整
}
suite-ahead = 粗体：该基准最佳的模型及与其无显著差异者，仅在有别的模型较差时标出。
suite-few = 单独置于括号中的数字：少于 { $few } 题，或运行尚不完整。
suite-left-out = 未提问：{ NAMES($names) }。
suite-unfit = 对这些模型不适用（不接受声音、图片或无选项的题）：{ NAMES($names) }。
suite-own-items = { $many ->
    [none] { $few } 题
   *[other] { $few }–{ $many } 题
}
suite-under = { $name }（{ $condition } 条件）
suite-not-marked = 有测量
suite-totals = { NAMES($names) }：评分者所给的总分。
