# `zhiyin forge`：plugins/making/forge_command.py。
cli-stated-index = 题集给出了 { $questions } 个问题的指数：平均 { NUMBER($mean, decimals: 3) }
cli-aimed = 目标正确率 { SHARE($aim) }，达到 { SHARE($accuracy) }（95 % 区间 { EXACT($low) } 至 { EXACT($high) }）
cli-aim-missed = 警告：区间不含目标：{ $model } 答对得太{ $often ->
    [true] 多
   *[false] 少
}，因为几乎所有候选都比正确答案{ $often ->
    [true] 更不可能
   *[false] 更可能
}：请生成更多候选（--propose），或换一个模型生成
cli-old-and-new = { $model }：{ $n_old } 个旧题正确率 { SHARE($old) }，{ $n_new } 个新题 { SHARE($new) }
cli-old-minus-new = 旧 − 新：{ SIGNED($difference) } 个百分点（95 % 区间 { SIGNED($low) } 至 { SIGNED($high) }，{ P($p) }）
cli-contamination = { $found ->
    [better] 旧题高出 { POINTS($by) } 个百分点：若两套题同样难，读过旧题的模型会如此
    [worse] 旧题低 { POINTS($by) } 个百分点：旧题没有帮助
   *[none] 未能区分出差异：{ SHARE($power, decimals: 0) } 的此类比较能检验出 { POINTS($detectable) } 个百分点以上的差异，更小的较少检出
}
cli-contamination-power = 功效：在 5 % 水平上以 { SHARE($power, decimals: 0) } 检验出 { POINTS($detectable) } 个百分点
cli-contamination-left-out = 未计入：两套题共有的 { $shared } 个题目，以及只有一套题有的组中的 { $alone } 个

cli-wordings = { $wordings ->
    [0] 没有其他措辞
   *[other] { $wordings } 种措辞
}：{ $of } 题中的 { $items } 题
cli-wordings-file = { $file }：用 `{ $command }` 以这些措辞提问
cli-wordings-people = 可由人确认：`zhiyin study make --from { SHELL($questions) } --kind validate --out DIR`，再以 --annotations 读入其导出文件

rule-keyed-twice = 标准答案在选项中又出现一次
rule-no-right-option = 标准答案不在选项之中
rule-same-by-sound = 问的是声音，而另一选项只是同一些音的异名（等音）
rule-contradicted = 两题问的相同，选项都含两个答案，标准答案却不同
rule-refuted = 乐理求解器判定标准答案有误
rule-several-right = 乐理求解器判定另有一个选项也正确
rule-several-orders = 待排序的片段有相同的，别的顺序也正确
rule-heard-otherwise = 参考听者听到的不同，而它与同类其他题答案的一致率不低于 95 %
rule-missing-figure = 题目提到的图、谱例或片段并不存在
rule-lost-content = 符号或图片丢失：选项只剩字母，或答案缺少音名
rule-repeated-option = 两个干扰项相同，猜对的机会高于所计
rule-stem-names-key = 同一句式的题目总是说出标准答案：无需音乐
rule-header-shows-key = 所给记谱的谱头就写着答案：无需音乐
rule-nested = 有干扰项包含标准答案（或被其包含）：只有耳朵能判断
rule-solved-unheard = 问的是听到的内容，但凭乐理即可作答
rule-contested = 另一题问的相同而选项不同，把其中一个答案当作错误

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
}去掉已证明有缺陷的 { $n } 题后为 { POINTS($without, 1) } %，含这些题为 { POINTS($all, 1) } %
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

report-errata = { $name }：含与不含缺陷题
cli-flaws-of = { $n } 处 { $kind }，如 { $place }：{ $detail }
cli-flaws = { $n } 题：{ $counts ->
    [0] 没有缺陷
   *[other] { NAMES($counts) }
}{ $more ->
    [true] （用 --all 列出）
   *[false] {""}
}
making-there = { $path }：已经存在：请另取名称
log-template = 已写出 { $path }：请填入您自己的题目，再用 `zhiyin data check { SHELL($same) }` 检查
log-template-and = 已写出 { $path }，以及 { $folder } 中的 { $n } 个文件（{ $what }）：请填入您自己的题目，再用 `zhiyin data check { SHELL($same) }` 检查
cli-flaw = { $place }  { $kind }：{ $detail }
seed-kept = { $file } 存有种子：在公布结果之前请勿公开
seed-commitment = 承诺值，请现在公布：{ $commitment }
seed-proved = 种子 { $seed } 与承诺值相符
seed-of-run = { $run } 由它生成：重新生成的题目相同
