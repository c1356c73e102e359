# 对读取方式的审核结果：plugins/methods/audit/result.py。
audit-line = 按规则读取（{ NAMES($policies) }），{ $found }
audit-by = { $by ->
    [none] {""}
   *[some] （由 { $by }）
}
audit-under-way = 审核{ audit-by }进行中：抽取的 { $drawn } 个已标注 { $marked } 个，其中 { $misread } 个读错
audit-unsure = 已审核{ audit-by }：{ $marked } 个标注都不能确定
audit-found = 已审核{ audit-by }：{ $sure } 个中读错 { $misread } 个{ $rate ->
    [none] {""}
   *[some] ，占全部的 { audit-rate }
}（{ $low ->
    [none] 全部已标注
   *[some] { audit-ends }
}）{ $unsure ->
    [0] {""}
   *[other] ；{ $unsure } 个不确定，不计入比率
}
audit-rate = { EXACT($rate) } %
audit-ends = { EXACT($low) } 至 { EXACT($high) } %
audit-accuracy = 这 { $n } 个回答的正确率：读取为 { EXACT($as_read) } %，经审核校正为 { EXACT($corrected) } %（95 % 区间 { audit-ends }）
audit-in-sight = 标注时看到了读取结果：{ $n } 个
audit-stale = 运行中的回答已不是抽取审核时的回答：`zhiyin audit` 会重新抽取并保留标注

# A benchmark's validity card.
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
card-blind = 最好的答对 { SHARE($value) }（{ EXACT($low) } 至 { EXACT($high) }）{ $better ->
    [not-met] ，显著高于随机水平（{ SHARE($chance) }）
    [met] ；随机水平为 { SHARE($chance) }：最多高出 { POINTS($most, 0) } 个百分点
    [unknown] ；随机水平为 { SHARE($chance) }：既未显示高于它，也未排除
   *[none] ；随机水平未知
}
card-no-baseline = 没有运行盲基线
card-chance = 随机水平为 { SHARE($value) }
card-free = 并非每题都恰有一个正确选项：整体没有随机水平
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
card-licence = { $name ->
    [collections] 仅供研究；曲调依 Nottingham（GPL-3.0）、IrishMAN（MIT）、EMOPIA（CC BY-NC-SA 4.0）、ADL Piano MIDI（CC BY 4.0）与 Pianist8 各自的条款
    [published-none] 已发表的题目与歌曲资料：没有说明；自制乐曲：不需要许可
    [data-sets] 题目 CC BY 4.0；录音依各数据集的条款
    [card-of-data] CC BY-NC 4.0（据数据卡）
    [scores-own] 仓库中没有许可；每份乐谱依 musescore.com 的条款
    [recordings-by-sa] 题目 CC BY-SA 4.0；录音依 Song Describer 与 MusicCaps 的条款
    [research-recordings] 录音：© 2025 Brandon Carone，仅限非商业的研究与教育；生成的题：不需要许可
    [cc-unnamed] cc，没有写明是哪一种（据数据卡）
    [generated-research] 生成的题：不需要许可；MUSE 的录音：© 2025 Brandon Carone，仅限非商业的研究与教育
    [synthesised-mit] 题目 MIT；声音为合成
    [recordings-mit] 题目 MIT；录音依 Song Describer 与 MusicCaps 的条款
    [own-pieces] 自制乐曲：不需要许可；您的乐曲：依其原有条款
    [own-sounds] 自制声音：不需要许可
    [published-apache] 已发表的图片与题目：Apache-2.0；生成的题：不需要许可
    [synthesised] 声音为合成：不需要许可
    [exercises-own] 练习在提问时生成；曲调依其曲集的条款
    [videos-of-others] 题目 CC BY-NC 4.0（据作者的数据页）；录音出自他人的视频
    [recordings-apache] 题目 Apache-2.0；录音依各自曲集的条款
    [prompts-ours] 提示：同 Zhiyin
    [prompts-and-questions] 提示：同 Zhiyin；题目：依其原有条款
    [rubrics-ours] 评分标准与提示：同 Zhiyin
    [users] 由用户决定
   *[other] { $name }
}
card-stated = 已说明：{ $what }
card-none = 未说明{ $what ->
    [none] {""}
   *[some] ：{ $what }
}
card-size = { $items } 题，{ $clusters } 个聚类：± { POINTS($half) } 个百分点
card-not-checked = 尚未检查
card-noted = 运行中已注明：{ NAMES($kinds) }
card-no-flaws = { $items } 题中未发现
card-flaws = { $items } 题中有 { NAMES($names) }
card-fresh = 按种子为这些运行新生成
card-maybe-seen = 未检验模型是否见过这些题
card-few-models = 至少需要 { $wanted } 个模型，已给出 { $n } 个
card-many-rows = { $n } 个回答，超过此卡分析的上限 { $most } 个
card-not-analysed = 无法分析：{ $why }
card-items = { $models } 个模型，信度{ $reliability ->
    [none] 无定义
   *[some] {" "}{ NUMBER($reliability, decimals: 2) }
}{ $items ->
    [0] {""}
   *[other] ；{ $items } 题中有 { $low } 题较弱的模型反而答得更好
}
card-not-audited = 没有完成的审核
card-audited = { SHARE($rate) } 的回答被误读，至多 { SHARE($high) }（标注 { $n } 个）
card-readable = 最低的一次运行为 { SHARE($share) }
card-people = 作答人数：{ $n }（至少 { $wanted }）
card-people-published = 已发表：{ FEW($names) }（{ $source }）
card-people-cited = 已发表，涉及 { AND($names) }（{ $source }）
card-ungraded = { $exam ->
    [yes] 题目按信息量选取，不计正确率
   *[no] 其回答没有对错之分
}
card-no-study = 没有人作答；题目取决于之前的回答，无法做成研究
card-no-people = 没有人作答
card-no-tables = 此处没有可重现的已发表表格
card-not-reproduced = 此处尚未重现
card-intervals = 按聚类计算，配对，并作多重校正（docs/statistics）
card-registered = { $of } 次运行中有 { $n } 次遵循在全部回答之前注册的计划
card-whole = { $of } 次运行中有 { $n } 次只问了一部分{ $unknown ->
    [0] {""}
   *[other] （{ $unknown } 次无从得知）
}
card-version = 版本 { $version }；数据有指纹

# `zhiyin stats`：plugins/methods/stats_command.py、cli/stats_health.py、cli/stats_items.py。
cli-model = { $formula }
    { $n } 个回答，{ $groups } 组；对数似然 { NUMBER($likelihood, decimals: 3) }，AIC { NUMBER($aic, decimals: 2) }
    随机截距：{ $sd ->
    [none] 无，见警告
   *[other] 标准差 { NUMBER($sd, decimals: 4) }，似然比 { NUMBER($ratio, decimals: 2) }，{ P($p) }
}
cli-rotations = 选项轮换：{ cli-items }各问 { $asked } 次；平均正确率 { SHARE($accuracy) }，每次轮换都对 { SHARE($all_right) }，{ SHARE($agreement) } 的成对回答选了同一内容
cli-constant = { EXACT($accuracy) } { $letter }
cli-letters = { $test ->
    [key] 所选字母与答案字母相比（答案分布不均时，均匀猜测也会有差异）
    [wrong] 只看答错的题（Stuart–Maxwell）
   *[recall] 各字母的召回率不同
}：卡方（{ $df }）= { NUMBER($statistic, decimals: 1) }，{ P($p) }{ $enough ->
    [true] {""}
   *[false] （有期望频数低于 5：不可依据）
}
cli-bare = { $n } 个回答只有一个字母；其中 { SHARE($share, decimals: 0) } 为 { $letter }
cli-unanswered = { $n } 个没有答案：{ $evasions } 个回避，{ $refusals } 个拒答，{ $truncated } 个被截断，{ $other } 个其他
cli-against-blind = 与 { $model }（不听音乐）相比：后者 { SHARE($blind) }，提高 { SIGNED($gain) } 个百分点（{ SIGNED($low) } 至 { SIGNED($high) }）
cli-unsolved = { cli-items }中有 { $solved } 个被至少 { $by } 个不听音乐的运行答对：{ $left ->
    [none] 没有剩下的题目
   *[other] 其余 { $left } 个为 { SHARE($share) }（{ EXACT($low) }–{ EXACT($high) }）
}
cli-examined = { cli-items }，{ $participants } 个参与者{ $families ->
    [none] {""}
   *[other] （除去副本为 { $families } 个）
}{ $people ->
    [0] {""}
   *[other] ，其中 { $people } 个是人
}{ $alpha ->
    [none] {""}
   *[other] ；Cronbach α { NUMBER($alpha, decimals: 2) }
}
cli-separates = {"  "}{ $item }：人 { SHARE($people) }，模型 { SHARE($models) }，{ P($p) }
cli-shorter = 较短的题集：{ cli-items }中的 { $short } 个对这些受试者的排序 τ 为 { NUMBER($tau, decimals: 2) }；得分至多相差 { POINTS($error) } 个百分点；对未参与挑选的受试者 τ：{ $new ->
    [none] 未知，需要十个参与者
   *[other] { NUMBER($new, decimals: 2) }
}
cli-difficulty = 对 { cli-items }的 { $answers } 个回答；特征相同的题目相差 { NUMBER($sd, decimals: 2) } 对数几率
cli-unseen = 未见过的题目：预测与实测的相关 r = { NUMBER($r, decimals: 2) }（95 % { NUMBER($low, decimals: 2) } 至 { NUMBER($high, decimals: 2) }），{ $groups } 组题目，{ $answers } 个回答；预测正确率 { SHARE($predicted) }，实测 { SHARE($observed) }

cli-plan = { cli-items }在两个模型回答同样题目时，以 { $power } % 的功效、p < { $alpha }（双侧）{ $detectable ->
    [none] 检验不出任何差异。
   *[other] 可检验出 { FINE($detectable) } 个百分点的真实差异。
}
cli-plan-margin = 单个模型得分的误差范围为 ± { FINE($margin) } 个百分点（95 %）。
cli-plan-basis = 依据：差异的方差 { NUMBER($variance, decimals: 4) }，设计效应 { NUMBER($effect, decimals: 2) }；{ NAMES($facts) }。
cli-read = { CLAUSES($parts) }
cli-read-right = { $policy }：{ $n } 个中读对 { $right } 个
cli-read-not = { $how ->
    [misses] 有答案的 { $of } 个中漏读 { $n } 个
    [wrong] 有答案的 { $of } 个中读错 { $n } 个
   *[false_guesses] 没有答案的 { $of } 个中误读出 { $n } 个
}（{ EXACT($low) }–{ SHARE($high) }）
cli-read-differ = 只有 { $first } 读对的有 { $only_first } 个，只有 { $second } 读对的有 { $only_second } 个{ $p ->
    [none] {""}
   *[other] （McNemar 精确检验，{ P($p) }）
}

health-legend = 正确率中没有答案按错误计；扣除随机：0 为猜测，1 为全对；总选一项：所有题都选同一字母的最高正确率；RStd：各字母（至少是 { $least } 道题的答案）召回率的标准差（百分点），以及纯随机时的值；只有字母：整个回答只有一个字母；检验：按题计，同一题在重复或轮换中的答案合计权重为 1
health-left = { $n } 个{ $what ->
    [failed] 失败
    [free] 没有选项
   *[altered] 属于其他条件
}
health-trials = { $of } 题中的 { $n } 道选择题{ $left ->
    [0] {""}
   *[other] （{ NAMES($left) }）
}
health-judged = { $run }：{ $of } 个中的 { $n } 个
health-of = { $run }：{ $finding }
health-more = { $what ->
    [words] 所有组、所有发现以及用语的含义
   *[letters] 字母、各组与所有发现
}：{ $flag }

# 人工核对答案读取的页面。
marking-audit = 核对
marking-loading = 正在载入…
marking-scripts = 本页由自带脚本绘制：请允许其运行脚本。
marking-marked = 已标记 { $n } / { $many }
marking-by = 标记者：{ $who }
marking-reply-of = 第 { $n } 个回答，共 { $many } 个：它答的是什么？
marking-none = 无答案
marking-unsure = 不确定
marking-hidden = 标记之后显示读取器的结论。
marking-you = 您：
marking-reader = 读取器：
marking-differs = 与您的标记不同
marking-not-kept = 未保存：{ $why }
marking-no-server = 服务器没有响应；它还在运行吗？
marking-all-kept = 全部已标记，并保存在运行旁；可以关闭本页。
marking-reply = 回答
marking-mark = 标记
marking-again = 再次询问，只要求字母
marking-nothing = （空）
marking-cut = 回答因长度上限被截断。
marking-question = 题目
marking-back = 上一个
marking-on = 下一个
marking-peek = 标记前就显示读取器的结论
marking-keys = 按键：字母为选项；0 为无答案；? 为不确定；Enter 或 → 为下一个；← 为上一个。请标记回答所说的，无论对错。
marking-all = 全部回答
marking-one = 第 { $n } 个回答
marking-confidence = { $level ->
    [none] {""}
    [declared] 明确声明
    [inferred] 推断
   *[other] 仅凭文字
}

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
plan-outcome = { $confirmatory ->
    [true] 预注册的
   *[false] 并非所有回答都是在计划注册之后取得的，因此不属验证性结果：
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
   *[false] 已注册、但并非早于所有回答的结果
}：{ CLAUSES($each) }。本表的检验均为双侧，未经预注册，属探索性。
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
   *[false] （SHA-256 { $sha }…），但不能确认所有回答都是在此之后取得的：{ CLAUSES($each) }。
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
plan-expected = 预期
plan-became = 结果
plan-difference = 差值（百分点）
plan-smallest = 最小关注效应
plan-hypothesis = 假设
plan-items = 题数
plan-setting = { $name }：计划为 { $plan }，运行时为 { $run }
plan-begun-before = 运行在计划注册之前已经开始
plan-replayed = 使用了先前已有的回答
plan-kept-before = { $n } 个缓存的回答是在计划注册之前取得的
plan-kept-undated = { $n } 个缓存的回答取得时间不明
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
   *[other] ；每个聚类至多计为 { $most } 个题目
}
plan-hash = 哈希值（SHA-256）：{ $sha }

# 声音的剂量。
dose-title = 需要听多少
dose-name = { $dose ->
    [nothing] 无声音
    [whole] 全部
   *[other] { $dose }
}
dose-half = 听到 { NUMBER($value, decimals: 1) } 秒时达到声音所带来提升的一半（95 % 区间 { NUMBER($low, decimals: 1) } 至 { NUMBER($high, decimals: 1) } 秒；其前后实际测过的剂量：{ $first } 与 { $last }）。
dose-nothing = { $harms ->
    [true] 有声音时答对的题显著少于没有声音时。
   *[false] 声音没有带来显著提升：不存在达到一半提升的剂量。
}
dose-kept = 没有声音时保留正确率的 { SHARE($value) }（95 % 区间 { SHARE($low) } 至 { SHARE($high) }）{ $guess ->
    [none] {""}
   *[some] ；仅凭猜测可保留 { SHARE($guess) }
}。
dose-lost = 听到{ dose-name }时没有任何题被判分，故不作结论。
dose-ends = 还需测 0 与 100%（--hear 0,...,100%），才能知道声音带来多少提升。
dose-note = { $n } 题，{ $clusters } 个聚类，每题在每个剂量下各答一次。秒：平均听到的秒数。需要更多：听到{ dose-name }才能答出、只听这么多答不出的题，减去只在此剂量下答出的题，已校正猜测，占全部题的比例。括号：按聚类的 95 % 区间。两个剂量之间按直线处理。
dose-left-out = 未在每个剂量下都判分而略去的题：{ $n }

# 换一种措辞，以及分数取决于什么。
words-title = 同样的问题，换一种措辞
words-own = 按原措辞答对
words-every = 按全部措辞答对
words-right = 每种措辞都答对
words-same = 每种措辞回答都相同
words-pairs = 任意两种措辞回答相同
words-again = 同一措辞再问一次，回答相同
words-note = { $n } 题，平均每题 { NUMBER($wordings, decimals: 1) } 种措辞，选项顺序相同。未给出可读答案的，不与任何回答视为相同。括号：按聚类的 95 % 区间。本次运行的各项分数仍以原措辞计。
depends-title = 这个分数取决于什么
depends-part = { $name ->
    [items] 题目（{ WHOLE($levels) }）
    [words] 措辞{ depends-levels }
    [order] 选项顺序{ depends-levels }
    [language] 语言{ depends-levels }
    [server] 服务器{ depends-levels }
    [combined] 组合
   *[sampling] 抽样{ depends-levels }
}{ $sampling ->
    [true] 与抽样
   *[false] {""}
}
depends-levels = { $varied ->
    [true] （{ NUMBER($levels, decimals: 1) } 种）
   *[false] {""}
}
depends-not-varied = 未变化
depends-figure = 全部问法的正确率：{ SHARE($value) }（95 % 区间 { SHARE($low) } 至 { SHARE($high) }；{ $n } 题，{ $clusters } 个聚类）。
depends-note = 名称后括号内：平均每题有多少种（抽样为每题的回答数）；组合：以上各项的组合，例如仅在某一顺序下某种措辞的影响。服务器：另一台服务器，或同一服务器的另一次会话。方差：单个回答（对为 1，错为 0）的方差，附按聚类的 95 % 区间。标准误：仅此一项给正确率带来的标准误，单位为百分点；前者为每题只以一种方式问一次，后者为按这里全部问法取平均。措辞与顺序视为每题各自抽取。各分量不低于 0。
depends-se-without-variance = 方差成分为 0 时，标准误仍可能不为 0：题目的方差用矩法由不同聚类之间的乘积估计，低于 0 的估计值记为 0；题目的标准误则是聚类间的离散扣除其他各项后的余量，包含同一聚类内题目的共同部分。
depends-sampling = 没有任何问题被原样再问一次：{ $name ->
    [words] “措辞”
    [order] “选项顺序”
    [language] “语言”
    [server] “服务器”
   *[other] “组合”
}一项也包含抽样带来的波动。以同样措辞和顺序再问一次才能将两者分开。
depends-order = 顺序一项也包含对某个位置的偏好：见各水平的表。
depends-shared = 语言或服务器对所有题共同的影响不会随题数增加而抵消，已计入其标准误。
depends-left-out = 未按其他题的全部方式提问而略去的题：{ $n }
levels-title = 按措辞和正确选项位置的正确率
levels-note = 与其他水平之差：其他条件相同时，与同一批题在其余水平上的平均值之差，附按聚类的 95 % 区间；区间较多时，有些会偶然不含 0。措辞的编号不代表某一类措辞。
depends-level = { $factor ->
    [words] { $level ->
        [own] 原措辞
       *[other] 措辞 { $level }
    }
    [position] 正确选项在 { $level }
    [language] 语言 { $level }
   *[server] { $level }
}

# 哪项技能用哪个模型：plugins/methods/skills.py。
skill-order = { $others ->
    [0] { $best }
   *[other] { $alike ->
        [0] { $best } 显著优于其余每一个
       *[other] { $others ->
            [1] 两个模型没有显著差异
           *[other] { $best }，未显著优于 { AND($alike) }
        }
    }
}
skill-for-scale = { $text ->
    [none] 参照
   *[some] { $text }。参照
}：{ CLAUSES($clauses) }
skill-scale = { $side ->
    [above] { FEW($who) } 显著更高
    [level] { FEW($who) } 无显著差异
   *[below] { FEW($who) } 显著更低
}
skill-baselines = 只有基线

finding-wordings = { $who } 对 { finding-items }中的 { SHARE($value) } 在全部 { NUMBER($wordings, decimals: 1) } 种措辞下回答相同（95 % 区间 { SHARE($low) } 至 { SHARE($high) }）。
finding-dose = { $who } 听到 { NUMBER($value, decimals: 1) } 秒时达到声音所带来提升的一半（95 % 区间 { NUMBER($low, decimals: 1) } 至 { NUMBER($high, decimals: 1) } 秒，{ $items } 题；其前后实际测过的剂量：{ $first } 与 { $last }）。

# 同一批回答按各条已发表的规则读取：plugins/methods/readers.py。
readers-title = { $items } 题的 { $replies } 个回答，按所有适用的规则
readers-ours = 本程序
readers-unread = { $how ->
    [wrong] 算错
    [guess] 随机猜
    [default] 取 A
    [left-out] 不计入
   *[open] 由嵌入决定
}
readers-key = 读不出：没有找到答案；“则”：该规则的来源如何处理这样的回答。会随机猜的规则给出期望值；“抽取”：1,000 次抽取中 95 % 所在的范围
readers-bounds = { $rule }：不等于任何选项的回答要由它的嵌入模型决定（--embed）：上下限分别是这些全对与全错时的数值
readers-whatever = { $rule }：无论回答什么，大多读成同一答案：它的数值与回答无关
readers-differ = 各规则为何与本程序读得不同
readers-differ-key = 列出最常见的原因；例子：本程序读出的字母 / 该规则读出的字母（“-”为没有答案，“?”为随机猜），以及回答原文
readers-span = 同一批回答若按其他已发表程序的规则读取，正确率为：{ CLAUSES($each) }。这只说明数值在多大程度上取决于读取规则，与模型的能力无关。{ $left ->
    [0] {""}
   *[other] { OR($left) }的规则未计入。
}
readers-span-left = { $why ->
    [own] 来源没有报告本基准数值
    [same] 无论回答什么都读成同一答案（{ NAMES($rules) }）
   *[silent] 在多数回答中读不出答案
}
readers-span-of = { $who ->
    [none] {""}
   *[other] { $who }{" "}
}{ $of ->
    [none] {""}
   *[other] （{ $of } 题中的 { $n } 题）{""}
}{ POINTS($low, 1) } 至 { POINTS($high, 1) } %（共 { $rules } 条规则：{ $lowest } 最低，{ $highest } 最高），按本程序的规则为 { POINTS($ours, 1) } %

report-by-rules = { $name }：同一批回答按他人的规则读取
report-heard = 所听
report-seconds = 平均 { NUMBER($seconds, decimals: 1) } 秒

cli-plan-guess = { $name ->
    [accuracy] 正确率
    [correlation] 相关
    [cluster_size] 聚类大小
    [size_variation] 聚类大小的差异
    [icc] 聚类内相关
    [noise] 噪声
    [repeats] 重复
    [variance] 方差
    [runs] 运行
    [a] A
    [b] B
   *[other] { $plain }
} { $value }
items-few = 参与者不足四个：不计算区分度，也不选较短的题集
items-against = { $of } 题中有 { $n } 题，其余题得分低者反而更常答对

audit-n = --n { $n }：请至少抽取 1 个回答
audit-no-choice = { $folder }：其中没有按规则读作选择的回答：没有可核查的内容
audit-there = { $path } 已经存在：其中的标注会丢失
audit-no-mark = { $path }：其中没有标注属于此次抽取的回答（{ $others } 个属于别的回答）；`zhiyin audit RUN --sheet FILE` 写出应标注的回答
audit-empty = { $path }：是空的：其中应有标注
audit-object = { $where }：没有含 "id" 与 "mark" 的对象
audit-none-drawn = { $path }：其中 { $marks } 个标注都不属于此次抽取的回答

marks-none = 给出的文件中没有已标注的回答；一行例如 { $example }
marks-text = { $where }：没有作为字符串的 "text"；一行例如 { $example }
marks-options = { $where }："options" 不是文本的列表；一行例如 { $example }
marks-expect = { $where }：没有 "expect"：请给出答案的字母，没有则写 null
marks-one = { $where }："expect" 是 { $expect }：请给出一个字母，没有则写 null
marks-other = { $where }："expect" 是 { $expect }，而选项为 { $letters }

glmm-source = 请给出运行的文件夹，或 --csv FILE；参见 `zhiyin stats glmm --help`
glmm-failed = 未拟合：{ $fit }
difficulty-legend = 特征每变化一个标准差的对数优势；middle 与 upper：从其三分位起斜率增加多少

plan-runs = 给出了 { $given } 个：请给出两个用来计划，或不给
plan-register-runs = --register 不接受运行：计划先于运行
plan-same = { $runs } 与 { $runsb } 没有一题不同：无从得知方差；请给出其他运行，或不给
exam-no-model = 没有模型：`zhiyin exam BENCHMARK --bank FILE -m MODEL`，并写 --n 100 或 --se 0.3（题库是 `zhiyin stats items RUN... --bank FILE` 写出的文件）

items-no-runs = 没有运行：请给出两个或更多运行的文件夹
items-people = { $folder }：其中是多人的答案，而每人是一个参与者：请给出 `zhiyin study show --each-person` 写出的运行
items-unjudged = { $folder }：其中没有已判分的题
items-other = { $folder }：是 { $benchmark } 的运行，而 { $folders } 是 { $benchmarks } 的运行：请一次分析一个基准
items-asked = { $folder }：{ $item } 所问的与 { $where } 中不同：需要同样题目的运行（设置与种子相同）

table-fields = { $path } 第 { $line } 行：{ $header } 个列名之下有 { $row } 个值；请修正该行
table-empty = { $path }：没有数据行；请给出含表头与数据的 CSV 文件
table-unscored = { $source }：其中没有已评分的题；请先完成运行
table-no-feature = { $source }：没有特征 { $name }：{ $hint }
table-constant = { $source }：特征 { $name } 始终相同；请去掉
table-no-model = { $source }：没有为 { $model } 拟合：{ $hint }
table-few-groups = { $source }：特征相同的题中，有 { $least } 个回答的只有 { $kept } 组；至少需要 4 组：请多问一些题
table-alike = { $source }：所有题的预测难度或实际难度都相同：无从比较；请加入更易与更难的题
table-fitted = { $source }：其中 { $both } 题也曾用于拟合，例如 { $str }：请用另一个 --seed 提问

bank-few = 题库需要 { $leastparticipants } 个模型或人的答案，而现有 { $different } 个{ $alike }：请给出更多运行
bank-unread = { $path }：{ $strerror }：请给出 --bank，即 `zhiyin stats items RUN... --bank` 写出的文件
bank-format = { $path }：题库格式不同：请用 `stats items` 重新制作
bank-empty = { $path }：题库中没有题：请用 `stats items` 重新制作

plan-unread = { $place }：{ $strerror }：请给出计划的文件
plan-no-registered = { $place }：{ $why }：`zhiyin plan --register PLAN.toml` 会写出
plan-unregistered = { $place }：不是已登记的计划：`zhiyin plan --register PLAN.toml` 可由计划得到
plan-changed = { $place }：登记后被改动：请重新登记

replies-form = { $path }：既不是数组，也不是逐行的对象；它是回答的文件吗？
replies-empty = { $files }：没有条目；文件是否正确？
replies-object = { $path }，{ $where }：没有含回答的对象；请更正
replies-unknown = { $path }，{ $where }：{ $name } 不在 { $questions } 之中：{ $hint }
replies-field = { $path }：没有条目含 --field { $field }：{ $hint }
replies-two = { $path }：{ $one } 与 { $other } 的回答不同，数字取决于读哪一个：请用 --field { $one } 或 --field { $other } 选择
replies-no-text = { $path }：{ $where }：{ $given } 不是文本；请写模型所说的话
replies-fault = { $path }，{ $where }：{ $fault }；若题目在另一个文件中，请用 --questions 给出
replies-none = { $path }：没有找到回答；请用 --field 给出其字段，可用的有 { $named }

# 终端上的统计。
glmm-fixed = 固定效应，相对第一水平的对数优势
glmm-type3 = III 型检验，和为零对比
glmm-means = 边际均值：答对的概率
glmm-contrasts = 两两对比，对数优势
items-legend = 难度：答对的比例，高者为易；区分度：与其余题均值的相关
items-model = 反应模型：{ $calibration }
items-uncalibrated = 未标定：{ $n } 个参与者，而反应模型需要 { $rasch } 个（难度）或 { $slopes } 个（斜率）
items-unsettled = 未标定：{ $model } 在 { $rounds } 轮内没有收敛
items-fitted = { $model } 模型，{ $n } 个参与者
items-got = { $by ->
    [everyone] 人人答对
   *[nobody] 无人答对
}的题 { $n } 道：{ $names }
items-dead = 有无人选择的选项的题 { $n } 道：{ $names }
items-no-separating = 没有题能区分人类与模型（Fisher，Holm）
items-separating = 能区分人类与模型的题（Fisher，Holm）：{ $n } 道
items-some = { NAMES($names) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 道（见 --json）
}
items-least = 区分度最低的题
wordings-file = ：这种文件由 `zhiyin forge paraphrase` 写出；可用 --paraphrases FILE 另行指明
wordings-none = 不是改写（{ $why }）；参见 docs/how-to/paraphrase.md
audit-mark = { $where }："mark" 为 { $mark } 无效：{ $hint }
audit-options = { $where }：有 { $texts } 个 "options"；请给出 1 到 { $most } 个
bank-none = { $path }：不是题库（{ $why }）
components-few = 只有少于 { $fewest } 个题目聚类以其他聚类的所有方式提问过：请以所有方式提问每一题
bias-none-judged = { $folders }：还没有判分任何题；请先完成运行
hear-none = --hear：请至少给出一个剂量，如 0,1s,25%,100%
hear-word = --hear { $word } 无效：请写秒数（1s）、比例（25%），或 0 表示完全没有声音
hear-most = --hear { $word } 无效：请给出不超过 100% 的比例
hear-sequences = --hear：{ $name } 接下来问什么取决于回答，没有两个剂量的题目会相同；请去掉它
hear-no-sound = --hear：在这些设置下，{ $name } 没有带声音的题；请去掉它
glmm-no-column = { $source }：没有 { $name } 列：{ $hint }
glmm-no-row = { $source }：没有一行在 { NAMES($names) } 中都有值；请补上
glmm-one-group = { $source }：{ $group } 列只有 { $levels } 一组；随机效应需要两组或更多
glmm-constant = { $source }：{ $columns } 列总是 { $levels }；请从公式中去掉 { $label }
glmm-odd-value = { $source } 第 { $line } 行：{ $name } 列中有 { $value }；请用 0 与 1、true 与 false，或 correct 与 wrong
glmm-all-alike = { $source }：全部 { $n } 行的 { $name } 列都是 { $value }；在出现不同的值之前无可建模
health-none = { $folder }：其中没有已判分的选择题
health-no-group = { $folder }：没有组 { $unknown }；{ $show } 会列出各组
health-no-item = { $folder }：与 { $runs } 没有共同的题目：问的不是同样的题
plan-not-named = { $folder } 不是运行所指的计划：请将它放回原处
plan-none = { $place }：不是计划（{ $why }）：参见 docs/how-to/plan.md
plan-key = { $written }：计划会给别人看：请去掉其中的密钥
plan-fingerprint = 数据的指纹为 { $first }，而计划中的是 { $fingerprint }：请获取计划时的数据，或改正 `fingerprint`
plan-no-item = 假设 { $own }：组 { $group } 中没有题目
plan-no-chance = 假设 { $own }：自由作答或可能有多个正确选项的题没有随机水平：请以百分数给出 `than`
plan-beyond = 假设 { $own }：{ $than } 之外 { $smallest } 超出了 { $low } 到 { $high } 的范围：请改正 `smallest` 或 `than`
plan-no-model = { $place }：计划中没有 { $spec }：{ $models }
plan-shown = { $place }：计划的是 { $shown }：请照此运行，或去掉 --plan
plan-there = { $place } 已经存在：计划只登记一次；请用 --out 另取名称
plan-least = 差异 { $difference } 无效：请给出值得发现的最小差异，须大于 0
plan-so-many = { $n } 题无效：请给出不小于 1 且不超过 { $most } 的题数
serving-open = 请打开 { $address }（Ctrl-C 结束）
serving-ended = 已结束
serving-port = --port { $port } 不是端口：请给出 0（任意空闲端口）到 65535
wordings-line = { $where }：{ $why }：请改正该行或去掉它
wordings-changed = { $file }：题 { $name } 的文字与改写时不同（或语言不同）：请用 `zhiyin forge paraphrase` 重新制作该文件
wordings-sequences = --paraphrase：{ $name } 接下来问什么取决于回答，没有两种改写的题目会相同；请去掉它
wordings-none-asked = --paraphrase：{ $file } 中没有 { $name } 在这些设置下所问任何题的改写：请指明它自己的文件，或用 `zhiyin forge paraphrase` 制作
wordings-alike = 题 { $item } 的第 { $number } 种改写使两个选项相同：请改正或去掉它
formula-expected = 应为{ $what ->
    [ops] {" "}+、*、: 或结尾
    [response] 因变量的列名
    [group] 分组列的列名
    [term] 列名、1 或 (
    [column] 列名
   *[other] {" "}{ $what }
}
formula-odd = { $text } 无法理解
formula-second = 有第二个随机效应；请恰好给出一个 (1 | group)
formula-no-random = 没有随机效应；请加上 `+ (1 | group)`
formula-response = 因变量 { $response } 也出现在右边
formula-alone = 随机效应须单独列出，以 + 相连
formula-fault = 公式 { $text }：{ $what }，位于{ $place ->
    [none] 结尾
   *[other] 第 { $place } 个字符
}；请写成如 correct ~ model * modality + (1 | stimulus)
calibration-percent = 第 { $n } 个置信度为 { $value }：请给出 [0, 1] 内的概率，而非百分数
calibration-outcome = 有结果既非 0 也非 1：置信度针对的是答对与答错
calibration-bins = 分箱数 { $n } 无效：请至少给出 1
glmm-dropped = { $n } 行因有缺失值未计入
glmm-aliased = 数据无法将其中 { $n } 个系数与其余系数区分开（有空单元格，或某列与其他列重复）；已略去：{ $names }
glmm-separated = 答对与答错完全分离，部分估计没有有限值：其大小、标准误与 Wald 检验均无意义；III 型检验以及相关的对比与区间改用似然比
glmm-one-answer = 每个 { $group } 只有一个回答，其间的差异无法与随机波动区分：已略去随机截距，所列为普通 logistic 回归的结果；请为每个 { $group } 提供多个回答
glmm-singular = 奇异拟合：{ $group } 的组间方差估计为零；所列为普通 logistic 回归的结果
glmm-unconverged = 拟合未收敛；这些数值不可采信
plan-inflated = 差异 { $by }、设计效应 { $effect } 需要超过 { $most } 题：没有人能问这么多；请寻找更大的差异
plan-too-small = 差异 { $difference } 需要超过 { $most } 题：没有人能问这么多；请寻找更大的差异
plan-beyond-range = 若两者相差 { $difference } 个百分点、平均为 { $mean } %，则一个模型为 { $one } %，另一个为 { $other } %：请改用其他 --accuracy，或寻找更小的差异
plan-no-variance = 预期没有任何题的回答会不同，因此无从规划：请设正确率大于 0 且小于 1，相关系数小于 1
reading-alone = 区间为 95 % Wilson 区间，视各回答互不相关；字段 "cluster" 可标明哪些回答同属一组。
reading-clustered = 区间为 95 % Wilson 区间，采用按组计算的有效回答数。
table-of-people = { $folder } 含有多人的回答，此处视为相互独立：模型未包含同一人回答之间的相关，因而其区间过窄、p 值过小；`zhiyin study show` 给出同时针对人与题目的区间

planning-correlation = { $low ->
    [0] 聚类内相关
   *[other] 相关系数
} { $value } 超出范围：应在 { $low } 至 1 之间
planning-items = { $n } 题、正确率 { $p }：至少要有 1 题，正确率应在 0 至 1 之间
planning-variance = 方差小于 0：请给出标准差的平方
planning-repeats = 重复 { $n } 次：每题至少提问一次
planning-effect = 设计效应 { $value }：应大于 0；各题相互独立时为 1
