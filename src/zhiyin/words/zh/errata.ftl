# 勘误：机器能够证明的题目缺陷（errata/），以及去掉这些题后的分数。
errata-again = 标准答案又出现：{ $option }
errata-twice = { $same ->
    [true] 选项中两次出现 { $one }
   *[other] { $one } 与 { $other } 是同一选项
}
errata-none-right = { $key } 不在选项之中
errata-not-shown = 提到 { $what }，但没有给出
errata-letters = 选项只有字母，所代表的内容已丢失
errata-lost = { $what } 丢失了音名
errata-contradicted = 答案为 { $key }；{ $other } 问的相同，答案却是 { $theirs }
errata-refuted = 答案为 { $key }，正确的是 { $answer }
errata-several = 除 { $key } 外，{ $other } 也正确：{ $answer }
errata-orders = 答案为 { $key }，因片段相同，{ FEW($others) } 也正确（共 { $n } 种）
errata-by-sound = { $key } 与 { $other } 听来相同
errata-named = 题目说出了 { $words }；句式 { $frame } 的 { $n } 题都如此
errata-header = 记谱开头为 { $shown }
errata-heard = { $recording }：听到的是 { $found }：{ $why }（听者与同类其他 { $n } 题的答案一致）
errata-unheard = 没有使用录音：未作听辨
errata-title = { $benchmark } 勘误
errata-lead = { $flawed ->
    [0] { $of } 题中没有发现缺陷。
   *[other] { $of } 题中有 { $flawed } 题存在已证明的缺陷。
}
errata-about = 由知音 { $zhiyin } 在该基准第 { $version } 版中找出，数据 { $sha256 }。每题附有证据，可自行查看。
errata-rule = 规则
errata-items = 勘误数
errata-proves = 证明什么
errata-rules = 各规则的勘误数
errata-run = 运行
errata-n = 题数
errata-n-without = 剩余
errata-all = 全部题目
errata-without = 去掉缺陷题
errata-change = 变化
errata-place = 名次
errata-table = 含与不含缺陷题的{ $figure }，{ $group ->
    [all] 全部
   *[other] { $group }
}，%
errata-change-of = { $who ->
    [none] {""}
   *[other] { $who }：
}去掉已证明有缺陷的 { $n } 题后为 { POINTS($without, 1) } %，含这些题为 { POINTS($all, 1) } %
errata-left-out = 去掉的题：{ $rules ->
    [0] 无，这些运行中没有缺陷题
   *[other] { NAMES($rules) }
}
errata-other-version = { $n } 条勘误针对题目或答案的另一版本：这些题保留
errata-written = 已写入 { $file }
errata-nested = { $key } 与 { $other } 互相包含
errata-solved = 仅凭乐理即得 { $key }：{ $answer }
errata-together = 选项 { $option } 中混入了另一道题
errata-doubted = 另有 { $n } 项存疑：须由人判断，任何分数都不去掉它们。
