# 命令行中表格之外的结果：cli/。

cli-items = { $items } 个题目
cli-trials-of = { $trials } 次作答

# 运行开始前：问什么、怎么问（session/setup.py）
cli-opening = { $questions ->
    [none] {""}
   *[other] { $questions } 题，
}{ $calls ->
    [true] 共 { $trials } 次调用
   *[false] 共 { $trials } 次作答
}{ $repeats ->
    [none] {""}
   *[other] （--repeats { $repeats }）
}；{ $shots ->
    [none] {""}
   *[some] { $shots }，
}温度 { $temperature ->
    [none] 用模型默认值
   *[other] { $temperature }
}，种子 { $seed }

# 一个运行的开头：cli/show.py。
cli-averaged = 同一题的多次提问先取平均，因此数字是各题的平均，而不是 n 的占比：{ FEW($who) }
cli-trials = { cli-trials-of }{ $begun ->
    [0] {""}
   *[other] ，{ $begun } 个序列
}{ $items ->
    [none] {""}
   *[other] ，涉及 { cli-items }{ $clusters ->
    [none] {""}
   *[other] （{ $clusters } 组）
}（同一题目的多次作答先取平均）
}：{ NAMES($states) }{ $rate ->
    [none] {""}
   *[other] ，{ NUMBER($seconds, decimals: 1) } 秒，每秒 { $slow ->
    [true] { NUMBER($rate, decimals: 1) }
   *[false] { WHOLE($rate) }
} 次{ $timed ->
    [none] {""}
   *[other] （仅计 { $timed } 次作答：被强行终止的会话未计时）
}
}{ $earlier ->
    [0] {""}
   *[other] ；{ $replies } 个回答中有 { $earlier } 个来自先前的运行
}
cli-state = { $n } { $state ->
    [correct] 正确
    [wrong] 错误
    [no_answer] 无答案
    [refused] 拒答
    [truncated] 被截断
    [error] 出错
    [ungraded] 未评分
   *[other] { $state }
}
cli-nothing-asked = 尚未提问
cli-empty-shard = 无需提问：分片 { $shard } 不含本运行的题目（合并时也要加上）
cli-not-comparable = 不能与已发表的结果比较：{ CLAUSES($parts) }
cli-published = 已发表，{ $group ->
    [all] 全部
   *[other] { $group }
}的 { $figure }，%：{ $best } { EXACT($highest) }{ $rows ->
    [1] {""}
   *[other] ，为 { $rows } 行中最高，{ $last } 最低，为 { EXACT($lowest) }
}{ $own ->
    [none] {""}
   *[other] ；本运行 { EXACT($own) }
}{ $trust ->
    [none] {""}
   *[other] ；{ $trust }
}
cli-accuracy = { $accuracy ->
    [none] {""}
   *[other] ，正确率 { SHARE($accuracy) }
}
cli-run-result = { cli-trials-of }{ cli-accuracy }

# `zhiyin stats`：cli/stats.py、cli/stats_health.py、cli/stats_items.py。
cli-model = { $formula }
    { $n } 个回答，{ $groups } 组；对数似然 { NUMBER($likelihood, decimals: 3) }，AIC { NUMBER($aic, decimals: 2) }
    随机截距：{ $sd ->
    [none] 无，见警告
   *[other] 标准差 { NUMBER($sd, decimals: 4) }，似然比 { NUMBER($ratio, decimals: 2) }，{ P($p) }
}
cli-rotations = 选项轮换：{ cli-items }各问 { $asked } 次；平均正确率 { SHARE($accuracy) }，每次轮换都对 { SHARE($all_right) }，{ SHARE($agreement) } 的成对回答选了同一内容
cli-constant = { EXACT($accuracy) } { $letter }
cli-letters = { $test ->
    [key] 所选字母与答案字母相比
    [wrong] 只看答错的题（Stuart–Maxwell）
   *[recall] 各字母的召回率不同
}：卡方({ $df }) = { NUMBER($statistic, decimals: 1) }，{ P($p) }{ $enough ->
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

# `zhiyin plan`、`zhiyin parity`、`zhiyin reading`、`zhiyin study show`、`zhiyin study show`、`zhiyin suite`。
cli-plan = { cli-items }在两个模型回答同样题目时，以 { $power } % 的功效、p < { $alpha }（双侧）{ $detectable ->
    [none] 检验不出任何差异。
   *[other] 可检验出 { FINE($detectable) } 个百分点的真实差异。
}
cli-plan-margin = 单个模型得分的误差范围为 ± { FINE($margin) } 个百分点（95 %）。
cli-plan-basis = 依据：差异的方差 { NUMBER($variance, decimals: 4) }，设计效应 { NUMBER($effect, decimals: 2) }；{ NAMES($facts) }。
cli-same-option = { cli-trials-of }中 { SHARE($share) } 选了同一选项（95 % 区间 { EXACT($low) } 至 { SHARE($high) }）
cli-kappa = 字母的 Cohen κ { NUMBER($kappa, decimals: 2) }{ $low ->
    [none] {""}
   *[other] （{ NUMBER($low, decimals: 2) } 至 { NUMBER($high, decimals: 2) }）
}，n = { $n }
cli-same-words = { $n } 个中 { SHARE($share) } 的措辞相同（{ EXACT($low) } 至 { SHARE($high) }）
cli-unread = { cli-trials-of }中两个回答都没有答案，不计入
cli-left-out = { cli-trials-of }失败或提问方式不同，不计入
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
cli-percentile = { $model } 在 { $who } 中的百分等级为 { SHARE($share) }（同分计一半）{ $low ->
    [none] {""}
   *[other] ，95 % 区间 { EXACT($low) }–{ EXACT($high) }
}
cli-alpha = Krippendorff α { $alpha ->
    [none] 无定义：所有标注都相同
   *[other] { NUMBER($alpha, decimals: 3) }{ $low ->
    [none] {""}
   *[other] ，95 % 区间 { NUMBER($low, decimals: 3) } 至 { NUMBER($high, decimals: 3) }
}
}（{ $people } 人，{ $questions } 题，{ $answers } 个回答）
cli-alpha-unknown = Krippendorff α 未知：没有由两个人判断的内容
cli-alpha-of = { $measure }：{ $alpha }

# `zhiyin forge`：cli/forge.py。
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
# zhiyin stats health、zhiyin data check

health-legend = acc. 中没有答案按错误计；corrected：0 为猜测，1 为全对；constant：所有题都选同一字母的最高正确率；RStd：各字母召回率的标准差（百分点），以及纯随机时的值；bare：只有一个字母；检验：按题计，同一题在重复或轮换中的答案合计权重为 1
health-left = { $n } 个{ $what ->
    [failed] 失败
    [free] 没有选项
   *[altered] 属于其他条件
}
health-trials = { $of } 个试次中的 { $n } 个选择题试次{ $left ->
    [0] {""}
   *[other] （{ NAMES($left) }）
}
health-judged = { $run }：{ $of } 个中的 { $n } 个
health-of = { $run }：{ $finding }
health-more = { $what ->
    [words] 所有组、所有发现以及用语的含义
   *[letters] 字母、各组与所有发现
}：{ $flag }
cli-flaws-of = { $n } 处 { $kind }，如 { $place }：{ $detail }
cli-count-of = { $n } 处 { $kind }
cli-flaws = { $n } 题：{ $counts ->
    [0] 没有缺陷
   *[other] { NAMES($counts) }
}{ $more ->
    [true] （用 --all 列出）
   *[false] {""}
}

# 其他措辞：cli/forge.py。
cli-wordings = { $wordings ->
    [0] 没有其他措辞
   *[other] { $wordings } 种措辞
}：{ $of } 题中的 { $items } 题
cli-wordings-file = { $file }：用 `{ $command }` 以这些措辞提问
cli-wordings-people = 可由人确认：`zhiyin study make --from { $questions } --kind validate --out DIR`，再以 --annotations 读入其导出文件

cli-warning = 警告
cli-note = 说明
cli-more = … 另有 { $n } 条
cli-also = 另有：{ CLAUSES($tables) }
cli-each-whole = 各自的分组、其他表格与说明
cli-published-in = 已发表
cli-differs = 不同设置：{ $setting }（{ $each }）
cli-every-group = 所有分组及各列含义
cli-unfinished = 运行尚未完成
cli-group = 分组，%
cli-run = 运行，%
cli-course = { $what ->
    [tunes] 排版：共 { $of } 首，已完成 { $done } 首
   *[runs] 比较：共 { $of } 次运行，已读取 { $done } 次
}
