abc-eval-summary = ABC-Eval：关于 ABC 记谱的十项任务，从数小节到辨认作曲家
abc-eval-task = { $name ->
    [bar_count_estimation] 数小节
    [error_detection] 数错误
    [metadata_qa] 读谱头
    [metadata_prediction] 由音乐推断谱头
    [next_bar_prediction] 下一小节
    [bar_sequencing] 小节排序
    [music_captioning] 曲名
    [emotion_recognition] 情绪
    [genre_recognition] 体裁
    [composer_recognition] 作曲家
   *[other] { $name }
}
abc-eval-incomplete = 缺少 { NAMES($tasks) } 的文件：这不是完整的 ABC-Eval
abc-eval-keys = 按所有正确答案与按已发表答案
abc-eval-keys-note = 任一正确：写法相同的选项、排出相同小节的顺序都算正确；已发表答案：只认该答案；仅任一：正确但按已发表答案算错的回答
abc-eval-tau = 小节排序：Kendall tau
abc-eval-tau-note = 各小节在回答中与在已发表顺序中位置之间的 tau，完全相同为 1，完全相反为 -1，只计每个小节恰好出现一次的回答；最近：与所有正确顺序中最近的一个；不是排列的回答没有 tau，并算错
abc-eval-f1 = 宏平均 F1
abc-eval-f1-note = 所有作为正确答案或被答出的类别的 F1 平均；没有答案的回答不算类别，算其正确类别的漏答
abc-eval-head = { $name ->
    [any] 任一正确（%）
    [key] 已发表答案（%）
    [only-any] 仅任一
    [unread] 未读出
    [permutations] 是排列
    [no-permutation] 不是排列
    [tau] 平均 tau
    [nearest] 平均 tau（最近）
    [classes] 类别
    [accuracy] 正确率（%）
   *[macro-f1] 宏平均 F1（%）
}
abc-eval-choices = 读出 { $n } 个选项，应为 { $of } 个
abc-eval-bad-index = target_index { $key } 不是 0 至 3 的位置
abc-eval-bad-order = target { $key } 不是读出的 { $n } 个小节的顺序
abc-eval-absent = 缺少一个已发表的文件
abc-eval-rows = 可提问 { $n } 行，已发表 { $of } 行
abc-eval-bars = 有音符或休止的小节为 { $n } 个，答案为 { $key }
abc-eval-orders = 与 { $key } 同样正确：{ NAMES($others) }
abc-eval-by-ear = 另有 { $n } 种顺序与答案只差不演奏的部分：和弦名、记号、段名
abc-eval-no-bar = 元素 { $place } 没有音符：{ $bar }
abc-eval-given-order = 列表已按顺序排列：{ $key }
abc-eval-same = 与选项 { $key } 同样正确：{ NAMES($others) }，写法相同
abc-eval-same-notes = 选项 { NAMES($others) } 与正确选项 { $key } 只差不演奏的部分：和弦名、记号、段名
abc-eval-says = 乐谱中写明：{ $what }
abc-eval-two-keys = target 为 { $target }，target_index 指向 { $choice }
abc-eval-header = 谱头为 { $field }:{ $says }，答案为 { $key }
abc-eval-later = 曲中还有 { $field }:{ NAMES($others) }，答案为 { $key }
abc-eval-relative = { NAMES($others) } 与 { $key } 调号相同：是哪一个要靠听
abc-eval-lengths = 多数小节符合 { NAMES($others) }，答案为 { $key }
abc-eval-fits = 多数小节同样符合 { NAMES($others) } 与 { $key }
abc-eval-label = 标题为 { $label }，答案为 { $key }
abc-eval-errors = 列出 { $n } 处错误，答案为 { $key }
abc-eval-places = 错误在第 { NAMES($places) } 小节，target 为 { $target }
abc-eval-not-there = 列为已加入的 { $what } 不在乐谱中
abc-eval-count = { $task }：{ $n } 行
abc-eval-shared = { $of } 首曲中有 { $n } 首出现在多个文件中：在区间中各算一次
abc-eval-skewed = { $group }：{ $of } 题中有 { $n } 题的答案是 { $answer }
abc-eval-of = 曲目 { $title }：{ $detail }
