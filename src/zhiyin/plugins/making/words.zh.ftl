# `zhiyin forge`：cli/forge.py。.
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
cli-wordings-people = 可由人确认：`zhiyin study make --from { $questions } --kind validate --out DIR`，再以 --annotations 读入其导出文件

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
rule-repeated-option = 两个错误选项相同，猜对的机会高于所计
rule-stem-names-key = 同一句式的题目总是说出标准答案：无需音乐
rule-header-shows-key = 所给记谱的谱头就写着答案：无需音乐
rule-nested = 有错误选项包含标准答案（或被其包含）：只有耳朵能判断
rule-solved-unheard = 问的是听到的内容，但凭乐理即可作答
rule-contested = 另一题问的相同而选项不同，把其中一个答案当作错误
