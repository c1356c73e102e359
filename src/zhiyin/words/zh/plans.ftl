# Registered plans: what was expected, and what became of it: analysis/hypotheses.py, report, cli.

plan-expects = { $model } { $direction ->
    [greater] 优于{ plan-than }
    [less] 劣于{ plan-than }
   *[different] 不同于{ plan-than }
}{ $group ->
    [none] {""}
   *[some] （{ $group }）
}{ $score ->
    [none] {""}
   *[some] ，按 { $score }（{ $low } 至 { $high }）
}
plan-than = { $than ->
    [chance] 随机水平
    [share] {" "}{ $share } %
    [score] {" "}{ $share }
   *[model] {" "}{ $other }
}
plan-fate = { $fate ->
    [supported] 得到支持
    [refuted] 被最小关注效应否定
    [not-supported] 未得到支持
   *[undecided] 尚无定论
}

plan-outcome = { $confirmatory ->
    [true] 预注册的
   *[false] 并非所有回复都是在计划注册之后取得的，因此不属验证性结果：
}假设 { $name }（{ $expects }）{ plan-fate }{ $effect ->
    [none] {""}
   *[some] （{ SIGNED($effect) } 个百分点；{ P($p) }，{ plan-sides }）
}
plan-sides = { $sides ->
    [two] 双侧
   *[one] 单侧
}
plan-beside = { $confirmatory ->
    [true] 运行之前预注册、应首先报告的结果
   *[false] 已注册、但并非早于所有回复的结果
}：{ CLAUSES($each) }。本表的检验均为双侧，未经预注册，属探索性。
plan-title = 预注册的假设
plan-confirmatory = { $confirmatory ->
    [true] 验证性结果
   *[false] { $names ->
        [0] {""}
       *[other] { NAMES($names) }：
    }不属验证性结果
}：计划{ $title ->
    [none] {""}
   *[some] “{ $title }”
}于 { $at } 注册{ $confirmatory ->
    [true] ，早于运行（SHA-256 { $sha }…）。
   *[false] （SHA-256 { $sha }…），但不能确认所有回复都是在此之后取得的：{ CLAUSES($each) }。
}
plan-corrected = { $correction ->
    [holm] p 值按 Holm 方法对计划中的全部假设作了校正。
    [bonferroni] p 值按 Bonferroni 方法对计划中的全部假设作了校正。
   *[none] p 值未作校正。
}区间各为 { SHARE($level, decimals: 0) }{ $sided ->
    [true] ，均为双侧：单侧检验显著时，区间仍可能包含 0
   *[false] {""}
}。
plan-scaled = 具名分数的差值以其量表的百分比表示。
plan-known = 作为比较标准的数值视为已知：若它是人的正确率，其所依据的人数与题目并未计入检验。
plan-watched = 无论查看多少次，检验始终有效：一有定论，运行即停止。
plan-how-fate = “被否定”：已排除不小于最小关注效应的效应。“未得到支持”：已全部提问，但两者均未得到证明。“尚无定论”：还有题目未提问。
plan-exploratory = 以下内容均未预注册，属于探索性结果：其检验均为双侧，有多个运行时还作了校正，因此可能不如预注册的单侧检验显著。
plan-no-departure = 未发现与计划不符之处。
plan-departures = 与计划不符之处
plan-expected = 预期
plan-became = 结果
plan-difference = 差值（百分点）
plan-smallest = 最小关注效应
plan-hypothesis = 假设
plan-items = 题数

plan-setting = { $name }：计划为 { $plan }，运行时为 { $run }
plan-begun-before = 运行在计划注册之前已经开始
plan-replayed = 使用了先前已有的回复
plan-kept-before = { $n } 条缓存的回复是在计划注册之前取得的
plan-kept-undated = { $n } 条缓存的回复取得时间不明
plan-put-in = 有 { $n } 条记录不是由该运行的任何一次会话提问得到的
plan-batches-before = { $n } 个批次是在计划注册之前提交的
plan-clock = 运行的各个日期相互矛盾，时钟可能曾被拨回
plan-rescored = 运行在提问之后由 Zhiyin { $version } 重新评分
plan-failed = { $n } 题失败，未计入
plan-not-asked = { $of } 题中有 { $n } 题未提问
plan-not-sent = 模型服务未接受的设置：{ NAMES($names) }
plan-without-score = { $n } 题没有 { $score }，未计入 { $name }
plan-outside = { $n } 题的 { $score } 超出 { $low } 至 { $high }，{ $name } 无法检验
plan-code = 模型的文件与注册时不同
plan-version = 计划使用 Zhiyin { $planned }，运行使用 { $run }
plan-unreadable = 无法读取预注册的计划：{ $why }
plan-registered = { $file }：注册于 { $at }；至多 { $items } 个题目。请签名并公布其哈希值，然后运行：
plan-prospect = { $name }：约 { SHARE($found, decimals: 0) } 的运行能检出 { POINTS($smallest) } 个百分点的效应{ $by ->
    [none] {""}
   *[other] ，其中一半的运行至第 { $by } 个题目（共 { $of } 个）即可检出
}；{ $least ->
    [none] 无论效应多大，都不会在 80 % 的运行中检出：请增加题目，或以 stop = "n" 规划
   *[other] { POINTS($least) } 个百分点的效应在 80 % 的运行中检出
}{ $most ->
    [none] {""}
   *[other] ；每个簇至多计为 { $most } 个题目
}
plan-hash = 哈希值（SHA-256）：{ $sha }
plan-departure = 与计划不符
