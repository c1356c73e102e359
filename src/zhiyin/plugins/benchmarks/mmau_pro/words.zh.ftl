mmau-pro-summary = MMAU-Pro：关于音乐、声音和语音的 5,305 题；选择题、开放题、指令题
mmau-pro-part = { $name ->
    [all] 全部
    [closed] 选择题
    [open] 开放题
   *[instruction] 指令题
}
mmau-pro-head = { $name ->
    [part] 部分
    [n] n
    [ours] 我们的规则
    [official] 官方规则
    [empty] 空回答
   *[of-empty] 空回答的官方得分
}
mmau-pro-rules = 我们的规则与官方规则
mmau-pro-note = 我们的规则：选择题按读出的选项，开放题四项均分达到 4（满分 5），指令题须照做；空回答一律不算对。官方规则：按嵌入向量取最近的选项，评分者总分除以 5，只看规则；总分为全部题目的均值
mmau-pro-no-embedder = 选择题的官方得分需要嵌入模型，此处未计算：`zhiyin rescore RUN --extract nearest:MODEL --out NEW`
mmau-pro-unjudged = { $n } 道开放题没有评分：用 --judge 指定评分者
mmau-pro-empty = { $n } 个空回答：按我们的规则没有一条算对{ $share ->
    [none] {""}
   *[other]，按官方规则得 { SHARE($share) }；其中开放题按量表最低值 0.2 计，官方评分者无法读出时为 0.6
}
mmau-pro-no-rule = 没有名为 { $rule } 的规则：照常提问，不计分
mmau-pro-one-choice = 没有可选的选项，作为开放题提问；官方脚本不计这一题
mmau-pro-faults = { $n } 行无法提问（首先是 { $where }）：`zhiyin data check mmau-pro --all` 列出原因
mmau-pro-other-key = 答案 { $key } 与任何选项都不逐字相同，因此按官方规则无人答对；{ $found ->
    [true] 按本程序的规则，只有大小写、空格或末尾标点不同的那个选项为正确
   *[other] 没有相近的选项，按本程序的规则也无人答对
}
mmau-pro-unkeyed = { $n } 道题的答案不是任何选项，按发布的数据无人能答对；除去这些题的数值：先运行 `zhiyin errata mmau-pro`，再用 show --errata
