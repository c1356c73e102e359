# A benchmark's validity card: analysis/validity.py, in our own words after MWM, BB and ABC.

card-title = { $benchmark } 的效度卡
card-told = { $benchmark } 的效度卡：{ $of } 个问题中 { $met } 个满足，{ $lacking } 个不满足，{ $unknown } 个未知（{ $runs ->
    [0] 未给出运行
   *[other] 依据 { $runs } 次运行
}）
card-question-head = 问题
card-state-head = 回答
card-evidence = 依据或缺失
card-part-of = { $part ->
    [construct] 构念
    [task] 任务
    [sampling] 取样
    [scoring] 评分
   *[claims] 结论
}
card-state = { $state ->
    [met] 满足
    [not-met] 不满足
    [no] 不适用
   *[unknown] 未知
}
card-detail = { $detail }{ $command ->
    [none] {""}
   *[some] ；命令：`{ $command }`
}
card-question = { $which ->
    [skill] 是否说明所测的能力？
    [sound] 是否必须听音频才能作答？
    [baselines] 盲基线是否不超过随机水平？
    [chance] 随机水平是否已知？
    [forms] 同一题是否以多种形式提问？
    [kept] 提示、设置和回答是否保存？
    [origin] 是否说明题目来源？
    [licence] 是否说明许可？
    [size] 得分区间是否在 ±5 个百分点以内？
    [flaws] 数据是否没有已知缺陷？
    [seen] 模型是否没有见过这些题？
    [items] 题目对模型的排序是否一致（信度 0.7）？
    [audited] 读取规则是否经过审核，误读不超过 5 %？
    [readable] 是否有 90 % 的回答可读？
    [people] 是否有人类的结果？
    [reproduced] 是否重现了已发表的表格？
    [intervals] 结果是否有区间，差异是否有检验？
    [registered] 假设是否在运行之前注册？
    [whole] 结果是否来自整个基准？
   *[version] 变动是否以版本标明？
}（{ $sources }）
card-sources = MWM：Measuring what Matters（arXiv 2511.04703）；BB：BetterBench（arXiv 2411.12990）；ABC：智能体基准检查表（arXiv 2507.02825）。问题均以我们自己的话表述。

card-skills = 所测能力：{ NAMES($names) }
card-no-skills = 未声明所测能力
card-no-sound = 其中没有音频
card-not-deaf = 没有在无音频条件下提问过模型
card-blind = 最好的答对 { SHARE($value) }（{ EXACT($low) } 至 { EXACT($high) }）{ $chance ->
    [none] {""}
   *[some] ；随机水平为 { SHARE($chance) }
}{ $better ->
    [True] ，显著更高
    [False] {""}
    [open] ：题目太少，无法下结论
   *[unknown] ；随机水平未知
}
card-no-baseline = 没有运行盲基线
card-chance = 随机水平为 { SHARE($value) }
card-free = 自由作答：没有随机水平
card-no-run = 未给出模型的运行
card-forms = { $again ->
    [true] 重复提问，或改变选项顺序
   *[false] 在其他条件下提问
}{ $ways ->
    [0] {""}
   *[other] ：{ FEW($ways) }
}
card-one-form = 每题只以一种形式提问
card-kept = 每次运行都保存，并有文件校验和（docs/verify.md）
card-stated = 已说明：{ $what }
card-none = 未说明
card-size = { $items } 题，{ $clusters } 个聚类：± { POINTS($half) } 个百分点
card-not-checked = 尚未检查
card-no-flaws = { $items } 题中未发现
card-flaws = { $items } 题中有 { NAMES($names) }
card-fresh = 按种子为这些运行新生成
card-maybe-seen = 未检验模型是否见过这些题
card-few-models = 至少需要 { $wanted } 个模型，已给出 { $n } 个
card-not-analysed = 无法分析：{ $why }
card-items = { $models } 个模型，信度 { $reliability ->
    [none] 无定义
   *[some] { NUMBER($reliability, decimals: 2) }
}；{ $items } 题中有 { $low } 题较弱的模型反而答得更好
card-not-audited = 没有完成的审核
card-audited = { SHARE($rate) } 的回答被误读，至多 { SHARE($high) }（标注 { $n } 个）
card-readable = 最低的一次运行为 { SHARE($share) }
card-people = 作答人数：{ $n }（至少 { $wanted }）
card-people-published = 已发表：{ FEW($names) }（{ $source }）
card-ungraded = { $exam ->
    [yes] 题目按信息量选取，不计正确率
   *[no] 其回答没有对错之分
}
card-no-study = 没有人作答；题目取决于之前的回答，无法做成研究
card-no-people = 没有人作答
card-no-tables = 此处没有可重现的已发表表格
card-not-reproduced = 此处尚未重现
card-intervals = 按聚类计算，配对，并作多重校正（docs/statistics）
card-registered = { $of } 次运行中有 { $n } 次遵循在全部回复之前注册的计划
card-whole = { $of } 次运行中有 { $n } 次只问了一部分
card-version = 版本 { $version }；数据有指纹
