# `zhiyin forge`：plugins/making/forge_command.py。
cli-stated-index = 题集给出了 { $questions } 题的指数：平均 { NUMBER($mean, decimals: 3) }
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
errata-table = 含与不含缺陷题的{ $group ->
    [all] 全部
   *[other] { $group }
}题{ $figure }（%）
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
cli-faults = { $path }：有 { $n } 行无法提问，运行会拒绝；请改正{ $some ->
    [true] ，或用 --partial 略去
   *[false] {""}
}：
cli-refusal = 运行会拒绝这些数据：{ $why }
cli-no-faults = 不妨碍运行的问题：
cli-flaws-of = { $n } 处{ $kind }，如 { $place }：{ $detail }
cli-flaws = { $refused ->
    [0] { $n } 题：
   *[other] { $of } 行：{ $n } 题可以提问，{ $refused } 行不能；缺陷：
}{ $counts ->
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

errata-of = --errata：属于 { $of }，而这些运行属于 { $names }

forge-no-dimension = { $where }：其中没有维度：请写一个及其说明

paraphrase-checker = --checker { $called } 就是提出改写的模型：请另选一个模型
paraphrase-none = { $benchmark }：没有可以改写的带答案的题
paraphrase-file = { $file }：请给出以 .jsonl 结尾的文件

forge-part = { $name } 是 `zhiyin forge` 的一部分：请运行该命令

forge-no-recording = { $tracks } 首曲目都没有找到录音：请用 --audio DIR 给出其文件夹，或用 --no-sound 不带录音出题

forge-column-empty = { $path }：列 { $columnof } 为空：请另给一列
forge-which = { $folder }：哪个表格含有描述？其中有 { $candidates }：请给出文件
forge-no-text = { $path }：其中没有文本：请放入 .txt 或 .md 文件，或给出表格
forge-no-passage = { $path }：其中没有文本：请写成段落，以空行分隔
forge-no-column = { $path }：在 { $columns } 中没有段落列，也没有题目与答案列：请写 --columns passage=NAME
forge-id-twice = { $path }：id { $twice } 出现 { $count } 次：请让每行各有自己的 id
forge-no-meaning = { $path }：在 { $known } 中没有 { $meaning } 列：请写 --columns { $meaning }=NAME
forge-no-options = { $path }：没有 options 或 distractors 列：请写 --columns options=NAME
forge-id-earlier = { $path }:{ $line }：id { $id } 在前面已出现
forge-no-option = { $where }：答案 { $answer } 不是选项：请修正该行
forge-lacking = { $where }：缺少题目、答案或干扰项：请修正该行
forge-many = { $where }：有 { $wrong } 个干扰项，最多能显示 { $letters } 个

forge-annotation = { $where }：{ $entry } 按{ $form }不是 { $id } 的选项：请修正该格，或写 --answers letters、numbers 或 texts

forge-failed = { $model }：{ $failed } 次调用全部失败：请用 `zhiyin show` 查看其运行

forge-proposer = 由谁提出干扰项？请写 -m MODEL，或给出含候选的列
forge-too-few = 没有一题还剩四个干扰项：请多提候选（--propose）
forge-logprobs = { $model } 不给出对数概率，其选择无法权衡各干扰项：请用给出 logprobs 的服务器，或 hf:

renew-no-seed = { $run }：其中的题不来自种子：请给出新题库（--pool）
renew-same = { $run }：种子 { $seed } 给出同样的 { $old } 题：这些题不来自种子；请给出新题库（--pool）
renew-few = { $pool }：运行中没有的题有 { $fresh } 道，而运行有 { $old } 道：请多出一些
renew-options = { $pool }：选项数与运行中的题相同的题太少
renew-two = { $old } 的模型是 { $model }，{ $new } 的是 { $modelb }：请给出同一模型的两个运行
renew-apart = { $old } 与 { $new }：同一分组中不属于两者共有的题只有 { $kept } 与 { $keptb } 道：太少，无法比较
renew-cluster = { $old } 与 { $new }：其中一个只有一个聚类：请给出更多录音
renew-unjudged = { $run }：还没有已判分的题；请先完成运行

forge-name = --name { $name }：只用小写字母、数字、- 与 _，至多 39 个
forge-private = --private { $private }：请给出从 0 到小于 1 的比例
forge-nothing = 没有题目留下：原因见漏斗；请修正后再运行
forge-foreign = { $place }：{ $other } 不属于它：请移走，或另给 --name

forge-stage = 阶段 { $asks } 要询问语言模型：请写 -m MODEL，或 --use { $asksb }=FILE
forge-blind-baseline = --blind { $model }：基线总会在整套题上检验：单独一题分不清运气与线索；请去掉，或给出文本模型
forge-blind-texts = --blind { $model }：由文本出的题，知道答案的人不听声音也能答对：请去掉
forge-index = --least-index { $leastindex }：请给出 0 至 1 的数
forge-annotations = { $annotations }：没有这个文件：请给出标注的表格
forge-source = { $source }：没有这个文件或文件夹：请给出描述或文本的表格
forge-lost = { $what }：其中的题涉及 { $whatb } 中没有的曲目，例如 { $lost }：请同时用 --use select=FILE

errata-other = { $file } 是 { $benchmark } 的勘误，不是 { $benchmarkb } 的
seed-run = 用 --check COMMITMENT 才会查看运行
template-suffix = { $path }：模板的格式为 { NAMES($suffixes) }

errata-no-trials = { $name }：没有可查看的带答案的普通题；参见 `zhiyin errata { SHELL($nameb) } --help`
errata-unread = { $path }：无法读取（{ $strerror }）；请更正 --errata
errata-format = { $path }：格式 { $format }，已知的是 { $formatb }；请重新制作
errata-run-other = { $folder }：是 { $benchmark } 的运行，而这些勘误属于 { $benchmarkb }
errata-unjudged = { $folder }：{ $group } 中没有已判分的题：没有数字
errata-none-left = { $folder }：去掉有缺陷的题后没有题留下
errata-measure = 没有 { $name }：没有题有这项度量

seed-unread = { $place }：{ $strerror }：{ $make } 可制作
seed-none = { $place }：不是私有种子：`zhiyin seed FILE` 可制作
seed-both = --seed 与 --private-seed 不能同用：请去掉其中一个
seed-digits = { $commitment } 不是承诺：请给出 64 位十六进制数字
seed-other = 种子不是所承诺的那一个：其承诺为 { $commitment }
seed-not-run = { $folder }：不是用这个种子的运行：其中没有这样的承诺
seed-run-other = { $folder }：运行所用的种子不是所承诺的那一个
seed-items = { $folder }：这个种子在这里得到的题与运行中的不同

forge-use = --use { $word }：请写 STAGE=FILE，例如 write=my_questions.jsonl

# `zhiyin forge` 的输出。
forge-next = 下一步：{ $command }
forge-examines = { $questions }：`zhiyin run { SHELL($questions) } -m MODEL` 可评测模型
forge-nothing-left = 没有可继续使用的题
forge-hardened = { $file }：题目集，每题五个选项
forge-calls-failed = { $model }：{ $n } 次调用失败；再次运行同一命令会重新询问
renewed-counts = 旧题 { $old } 道，新题 { $new } 道；两者共有：{ $shared }
renewed-seed = 种子 { $seed }，是试过的种子中最相近的
renewed-equal = 特征相同不等于难度相同：请让一个两套题都没见过的模型回答两套题，再作比较
forge-no = 不是 { $what }（{ $why }）；参见 docs/how-to/forge.md
errata-which = --rules { $rule } 无效：{ $hint }
errata-file = { $path }：不是勘误文件（{ $why }）；请用 `zhiyin errata` 制作
forge-use-which = --use { $stage } 无效：{ $hint }
forge-pair = --columns { $pair } 无效：请写 MEANING=COLUMN
forge-meaning = --columns { $pair } 无效：{ $hint }
forge-column = --columns { $pair } 无效：{ $path }：{ $hint }
forge-sheet = { $sheet } 供人标注：每题至少 { $least } 人。之后用同一命令加上 --annotations FILE，或加上 --unvalidated 以跳过标注继续。
