# 实验记录的文字。

lab-book = 实验记录
lab-pages = 页面
lab-runs = 运行
lab-history = 历史
lab-all-runs = 全部运行
lab-further-runs = 更多运行

lab-search = 搜索
lab-search-in = 名称、模型、标签、笔记
lab-benchmark = 基准
lab-state = 状态
lab-find = 查找
lab-any = 全部
lab-compare-ticked = 比较所选运行
lab-compare-run = 比较 { $run }

lab-run = 运行
lab-started = 开始时间
lab-benchmark-of = 基准
lab-state-of = 状态
lab-right = 结果
lab-judged = 已判分
lab-failed = 失败
lab-usd = 美元
lab-latency = 每次回答，秒
lab-compare = 比较
lab-runs-of = { $part ->
    [true] { $all } 次运行中的 { $n } 次
   *[false] { $n } 次运行
}
lab-earlier-replies = { $all } 个回答中有 { $n } 个来自更早的运行
lab-done-of = { $done } / { $all }
lab-left = { $rate ->
    [none] 速度未知
   *[some] { $rate }，剩余 { $time }
}
lab-status = { $state ->
    [planned] 未开始
    [going] 进行中
    [quiet] 无动静
    [done] 已完成
    [stopped] 已停止
    [counting] 统计中
    [unread] 无法读取
    [failed] 失败
    [correct] 正确
    [wrong] 错误
    [no_answer] 无答案
    [refused] 拒答
    [truncated] 被截断
    [error] 失败
    [ungraded] 未评分
   *[other] { $state }
}

lab-headline = { $right ->
    [none] 没有按对错判分的题
   *[some] { $named ->
        [true] { $right }
       *[false] 正确率 { $right }
    }，共 { $judged } 题已判分
}；{ $state }
lab-report-and-trials = 报告与题目
lab-report-has = （声音、乐谱、图表）
lab-progress = 进度
lab-progress-is = { $done } / { $all } 题，{ $rate ->
    [none] 速度未知
   *[some] { $rate }，剩余 { $time }
}；{ $errors } 题失败。
lab-spent = 已花费 { $usd } 美元。
lab-notes = 笔记
lab-label = 名称
lab-rename = 改名
lab-tag = 标签
lab-add-tag = 添加标签
lab-remove-tag = 移除标签 { $tag }
lab-note = 笔记
lab-save-note = 保存笔记
lab-strike = 划去
lab-cost-and-latency = 费用与延迟
lab-not-counted = 尚未统计
lab-cost = { $usd ->
    [none] { $tokens ->
        [0] 没有记录 token 数
       *[other] 价格未知；{ $tokens } 个 token
    }
   *[some] { $usd } 美元；{ $tokens } 个 token
}；已结束的会话共 { $elapsed } 秒。
lab-latencies = 每个回答 { $median } 秒（中位数），九成不超过 { $slow } 秒。
lab-what-failed = 失败原因
lab-times = 次数
lab-cause = 原因
lab-group = 组
lab-all = 全部
lab-replies = 回答
lab-search-replies = 搜索回答
lab-with-notes = 仅有笔记的
lab-trial = 试次
lab-read-as = 读作
lab-reply-of = 回答
lab-tags = 标签
lab-rows = { $all ->
    [0] 无
   *[other] 第 { $first }–{ $last } 条，共 { $all } 条
}
lab-earlier = 上一页
lab-later = 下一页

lab-trial-is = { $trial }：{ $state }
lab-in-the-report = 在报告中（含声音与乐谱）
lab-read = 读作 { $letter }（{ $why }）；正确答案：{ $right }
lab-question = 题目
lab-question-of = 题目
lab-as-asked = 提问原文
lab-reply = 回答
lab-nothing = （空）

lab-compared = 比较：{ NAMES($names) }
lab-side-by-side = 在报告中并排比较
lab-side-by-side-has = （每一题，标出差异）
lab-each = 各自的结果
lab-every-group = 每个组及其检验

lab-history-is = 同一规程、相同题目上的运行：每行为一日、一周或一月，每个模型一个标记。勾选两个即可比较。
lab-over-time = { $name ->
    [accuracy] 正确率
   *[other] { $name }
}{ $unit ->
    [none] {""}
    [share] （%）
   *[other] （{ $unit }）
}{ $low ->
    [true] （越低越好）
   *[false] {""}
}随时间的变化，附 95 % 区间
lab-figure = { $name ->
    [accuracy] {""}
   *[other] { $name }：
}{ $value }{ $unit ->
    [none] {""}
   *[other] {" "}{ $unit }
}{ $ends ->
    [none] {""}
   *[other] （{ $ends }）
}
lab-change = { $who }自 { $since } 以来由 { $first } 变为 { $last } { $unit }
lab-names-begin = 模型名称均以 { $start } 开头
lab-canary-is = 模型未通过探测：其回答可能与声音或图片无关。
lab-earliest-first = { $n ->
    [1] 1 次运行
   *[other] { $n } 次运行，由早到晚
}
lab-no-figures = 尚无结果

lab-wrong = 出了问题
lab-no-such-page = 没有这一页
lab-damaged-address = 网址已损坏
lab-comparing = 比较
lab-not-compared = 无法比较：{ $why }
lab-several-benchmarks = 无法比较：它们分属 { AND($names) }；请勾选同一基准的运行
lab-tick-two = 请勾选两次运行，最多 { $most } 次
lab-report = 报告
lab-report-not-served = 这里不向他人提供报告：`zhiyin report RUN -o DIR` 把它写成文件，`zhiyin view RUN --host ADDRESS` 不带令牌提供
