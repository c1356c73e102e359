boards-again = { $title }（{ $number }）
fetched-figures = 已发表结果 { $figures } 项，来自 { $sets } 个数据集，截至 { $date }；新增或更改 { $newer } 项。此后的报告将使用它们；文件在 { $place }，删除后恢复知音自带的表
boards-aside = 已发表的 { $n } 行在网页上另列：{ $why }
boards-aside-why = { $n } 行（{ $why }）
boards-unsaid = 未说明提问方式
boards-left = { $title }：{ AND($who) }（{ $n } 次运行）{ $altered ->
    [true] 只在改动声音、只放部分声音或减少干扰项的条件下有判分，不排名：数值见 `zhiyin show`
   *[false] 没有已判分的题，故不在表中
}。
boards-not-ranked = 不排名：{ $paths ->
    [true] 题目序列按回答选题，因此各次运行的题不尽相同
   *[false] { $figure } 没有配对检验{ $tested ->
        [none] {""}
       *[some] ；`zhiyin compare --score { SHELL($tested) }` 检验 { $tested }
    }
}。
items-of = { $unit ->
    [songs] 首歌
   *[items] { $of ->
        [none] 题
       *[some] 道“{ $of }”题
    }
}
boards-ranked-on = 按所有运行共同被判分的 { $n } 题{ $of ->
    [none] {""}
   *[some] （{ $of }）
}排名；各项数值基于各运行自己的全部题，因此次序可能不同。
boards-measured = 不按对错判分：测量结果见 `zhiyin show`
boards-unread = 无法读取，略去：{ $why }
boards-total = 总分是各部分的加权平均，按歌曲配对后据此排名。乐评没有标准答案：只计其得分。

cli-run-result = { cli-trials-of }{ cli-accuracy }

cli-same-option = { cli-trials-of }中 { SHARE($share) } 选了同一选项（95 % 区间 { EXACT($low) } 至 { SHARE($high) }）
cli-kappa = 字母的 Cohen κ { NUMBER($kappa, decimals: 2) }{ $low ->
    [none] {""}
   *[other] （{ NUMBER($low, decimals: 2) } 至 { NUMBER($high, decimals: 2) }）
}，n = { $n }
cli-same-words = { $n } 个中 { SHARE($share) } 的措辞相同（{ EXACT($low) } 至 { SHARE($high) }）
cli-unread = { cli-trials-of }中两个回答都没有答案，不计入
cli-left-out = { cli-trials-of }失败或提问方式不同，不计入


# 与先前运行的对照：plugins/lab/gate.py。
gate-title = { $end ->
    [closed] 未通过：{ $of } 项中有 { $closing } 项不合格{ $failed ->
        [0] {""}
       *[other] ；{ $failed } 项未完成
    }{ $other ->
        [0] {""}
       *[other] ；{ $other } 项无法比较
    }
    [other] 无结论：{ $of ->
        [0] 没有一项得到核对
       *[other] { $of } 项中有 { $other } 项无法比较
    }{ $failed ->
        [0] {""}
       *[other] ，{ $failed } 项未完成
    }
    [failed] 无结论：{ $of } 项中有 { $failed } 项未完成
   *[open] 通过：{ $of } 项中没有一项被证明比允许的更差
}{ $unheld ->
    [0] {""}
   *[other] { $of ->
        [0] （{ $unheld } 项未核对）
       *[other] （核对 { $of } 项，{ $unheld } 项未核对）
    }
}
gate-no-verdict = 未作任何比较{ $why ->
    [none] {""}
   *[other] ：{ $why }
}
gate-asked = 测试内容
gate-verdict = 结论
gate-old = 之前{ $share ->
    [true] （%）
   *[false] {""}
}
gate-new = 现在{ $share ->
    [true] （%）
   *[false] {""}
}
gate-difference = 差值
gate-interval = 区间
gate-two = 只给出了 { $folder }：请给出两个，先前的在前
gate-points = --fail-if-worse { $points }：单位是百分点：比例 { $points } 请写作 { $meant }，不容许则写 0
gate-level = 置信水平
gate-items = 题数
gate-state = { $state ->
    [worse] 变差
    [missing] 缺题
    [unheld] 未核对
    [failed] 未完成
    [other] 无法比较
    [better] 变好
    [open] 未能证明
    [alike] 答复相同
   *[kept] { $gated ->
        [true] 保持
       *[false] 未能证明
    }
}
gate-note = { $of ->
    [run] 差值：现在减之前{ $share ->
        [true] ，单位为百分点
       *[false] ，越低越好者为之前减现在
    }，按题目配对；低于 0 表示变差。区间
    [skill] 各项能力的区间
   *[group] 各组的区间
}：置信水平 { $level } %，聚类稳健{ $n ->
    [1] 。
   *[other] ；其宽度使全部 { $n } 项同时成立的把握为 { $together } %。
}
gate-changes = { $of } 项中，{ $worse } 项变差，{ $better } 项变好{ $rest ->
    [0] {""}
   *[other] ；{ $rest } 项未能证明有变化
}{ $undone ->
    [0] {""}
   *[other] ；{ $undone } 项缺题、未完成或无法比较
}{ $unheld ->
    [0] {""}
   *[other] ；{ $unheld } 项未核对
}
gate-see = 具体差在哪里：`zhiyin report { SHELL($old) } { SHELL($new) } -o diff.html`
gate-takes = { $name }：{ $fall ->
    [none] 题目太少，再大也不能
   *[other] { APART($fall, $unit) }
}
gate-means = 变差：整个区间都{ $allowed ->
    [none] 低于 0
   *[other] 低于 0 超过 { APART($allowed, $unit) }
}。{ $each ->
    [none] {""}
   *[some] 未能证明：既不能证明变差，也不能证明没有变差；有 80 % 的把握能证明的真实下降：{ CLAUSES($each) }。
}
gate-lines = 横线为表中的区间；空心：未能证明；虚线：{ $points ->
    [none] 没有差别
   *[other] 允许变差 { APART($points, "share") }
}。
gate-nights = 先前：{ $first }；现在：{ NAMES($later) }
nights-night = 夜间运行
gate-of = { $name }：{ $why }
gate-gone = { $failed ->
    [waits] 尚未提问；先前运行有 { $n } 题
    [true] 已提问，但没有得到答复
   *[false] 先前有一次运行（{ $n } 题），这个套件中没有
}{ $why ->
    [none] {""}
   *[other] ：{ $why }
}
gate-failed = 未完成：{ $what ->
    [none] 有题没有结论
   *[other] { $what }
}{ $cause ->
    [none] {""}
   *[other] （{ $cause }）
}。表中数字只涉及两次都作答的题目{ $spent ->
    [true] {""}
   *[false] ；同一命令会补问其余题目
}
gate-missing = 先前运行有结论的 { $of } 题中，有 { $n } 题这次没有提问；表中数字只涉及其余各题。如果有意如此，请用相同的设置（例如 --sample）重做基线
gate-other = 无法比较：{ AND($settings) }：请重做基线{ $reading ->
    [true] ，或对其中一个重新评分（`zhiyin rescore`）
   *[false] {""}
}
gate-other-error = 无法比较：{ $why }
gate-setting = { $name } 之前为 { $old }，现在为 { $new }
gate-otherwise = 提问的设置不同：{ AND($settings) }
gate-same = 没有重新提问：答复就是先前运行留存的答复，不能说明模型现在如何
gate-alike = 答复逐字相同
gate-earlier = 这一次问了 { $of } 题中的 { $n } 题{ $day ->
    [none] {""}
   *[other] ；{ $n ->
        [0] 答复
       *[other] 其余答复
    }是 { $day } 的
}{ $stale ->
    [true] ，不能说明模型现在如何：请另选 --out
   *[false] {""}
}
gate-worse = 变差 { APART($points, $unit) }，且已证明变差超过 { APART($allowed, $unit) }
gate-worse-too = 在两次都作答的题目上变差 { APART($points, $unit) }，且已证明变差超过 { APART($allowed, $unit) }；{ $why }
gate-kept = 已证明变差不超过 { APART($allowed, $unit) }
gate-open = 未能证明变差超过 { APART($allowed, $unit) }，也未能证明没有变差：这些题目容许变差多达 { APART($low, $unit) }；{ $detectable ->
    [none] 题目太少，再大的下降也不能以 80 % 的把握证明
   *[other] 真实下降达 { APART($detectable, $unit) }时，有 80 % 的把握证明
}
gate-few = 只有 { $n } 题（或录音），即使全部答错也不能证明变差（至少需要 { $least }）
gate-few-right = 即使先前答对的全部答错，也不能证明变差超过所允许的：需要更多题目
gate-guessing = 先前未显示高于随机猜测：除非答案读不出来，几乎不会不通过
gate-beside = { $why }；另请注意：{ AND($told) }
gate-unread = { $of } 条答复中有 { $n } 条读不出答案（先前 { $were } 条中有 { $before } 条）
gate-cached = { $of } 条答复中有 { $n } 条来自缓存，没有为此询问模型
base-refused = { $baseline } 不是可靠的基线：实际核对的会比所说的少，因此不作核对：{ CLAUSES($each) }
base-absent = --baseline { $baseline }：没有这个文件夹：请用 `zhiyin suite { SHELL($suite) } --out { SHELL($baseline) }` 制作
base-none = 基线没有这次运行：连同它重新制作基线，或从文件中去掉这次运行或这个模型
base-gone = { $why ->
    [none] 基线中的答案已不在，或从未得到
   *[other] 基线略去了它（{ $why }）
}：再次执行基线的命令，或从文件中去掉这次运行
base-unfinished = 基线中的这次运行未完成（{ $what }）：再次执行基线的命令；预算用完的，给更多预算
base-no-sums = 缺少 { $sums }，无法确认没有改动
base-damaged = 已损坏（{ $why }）：请从完好的副本重新复制；没有完好副本的，请重新制作基线

lab-book = 实验记录
lab-pages = 页面
lab-runs = 运行
lab-history = 历史
lab-all-runs = 全部运行
lab-further-runs = 更多运行
lab-search = 搜索
lab-search-in = 名称、模型、标签、笔记
lab-benchmark = 基准
lab-state = 状态
lab-find = 查找
lab-any = 全部
lab-compare-ticked = 比较所选运行
lab-compare-run = 比较 { $run }
lab-run = 运行
lab-started = 开始时间
lab-benchmark-of = 基准
lab-state-of = 状态
lab-right = 结果
lab-judged = 已判分
lab-failed = 失败
lab-usd = 美元
lab-latency = 每次回答，秒
lab-compare = 比较
lab-runs-of = { $part ->
    [true] { $all } 次运行中的 { $n } 次
   *[false] { $n } 次运行
}
lab-earlier-replies = { $all } 个回答中有 { $n } 个来自更早的运行
lab-done-of = { $done } / { $all }
lab-left = { $rate ->
    [none] 速度未知
   *[some] { $rate }，剩余 { TIME($time) }
}
lab-status = { $state ->
    [planned] 未开始
    [going] 进行中
    [quiet] 无动静
    [done] 已完成
    [stopped] 已停止
    [counting] 统计中
    [unread] 无法读取
    [failed] 失败
    [correct] 正确
    [wrong] 错误
    [no_answer] 无答案
    [truncated] 被截断
    [error] 失败
    [ungraded] 未评分
   *[other] { $state }
}
lab-headline = { $right ->
    [none] 没有按对错判分的题
   *[some] { $named ->
        [true] { $right }
       *[false] 正确率 { $right }
    }，共 { $judged } 题已判分
}；{ $state }
lab-report-and-trials = 报告与题目
lab-report-has = （声音、乐谱、图表）
lab-progress = 进度
lab-progress-is = { $done } / { $all } 题，{ $rate ->
    [none] 速度未知
   *[some] { $rate }，剩余 { TIME($time) }
}；{ $errors } 题失败。
lab-spent = 已花费 { $usd } 美元。
lab-notes = 笔记
lab-label = 名称
lab-rename = 改名
lab-tag = 标签
lab-add-tag = 添加标签
lab-remove-tag = 移除标签 { $tag }
lab-note = 笔记
lab-save-note = 保存笔记
lab-strike = 划去
lab-cost-and-latency = 费用与延迟
lab-not-counted = 尚未统计
lab-cost = { $usd ->
    [none] { $tokens ->
        [0] 没有记录 token 数
       *[other] 价格未知；{ $tokens } 个 token
    }
   *[some] { $usd } 美元；{ $tokens } 个 token
}；已结束的会话共 { $elapsed } 秒。
lab-latencies = 每个回答 { $median } 秒（中位数），九成不超过 { $slow } 秒。
lab-what-failed = 失败原因
lab-times = 次数
lab-cause = 原因
lab-replies = 回答
lab-search-replies = 搜索回答
lab-with-notes = 仅有笔记的
lab-trial = 题
lab-read-as = 读作
lab-reply-of = 回答
lab-tags = 标签
lab-rows = { $all ->
    [0] 无
   *[other] 第 { $first }–{ $last } 条，共 { $all } 条
}
lab-earlier = 上一页
lab-later = 下一页
lab-trial-is = { $trial }：{ $state }
lab-in-the-report = 在报告中（含声音与乐谱）
lab-read = 读作 { $letter }（{ $why }）；正确答案：{ $right }
lab-question = 题目
lab-question-of = 题目
lab-as-asked = 提问原文
lab-reply = 回答
lab-nothing = （空）
lab-compared = 比较：{ NAMES($names) }
lab-side-by-side = 在报告中并排比较
lab-side-by-side-has = （每一题，标出差异）
lab-each = 各自的结果
lab-every-group = 每个组及其检验
lab-history-is = 同一规程、相同题目上的运行：每行为一日、一周或一月，每个模型一个标记。勾选两个即可比较。
lab-over-time = { $name ->
    [accuracy] 正确率
   *[other] { $name }
}{ $unit ->
    [none] {""}
    [share] （%）
   *[other] （{ $unit }）
}{ $low ->
    [true] （越低越好）
   *[false] {""}
}随时间的变化，附 95 % 区间
lab-figure = { $name ->
    [accuracy] {""}
   *[other] { $name }：
}{ $value }{ $unit ->
    [none] {""}
   *[other] {" "}{ $unit }
}{ $ends ->
    [none] {""}
   *[other] （{ $ends }）
}
lab-change = { $who }自 { $since } 以来由 { $first } 变为 { $last } { $unit }{ $low ->
    [none] {""}
   *[some] ，其间在 { $low } 与 { $high } 之间
}
lab-names-begin = 模型名称均以 { $start } 开头
lab-canary-is = 模型未通过探测：其回答可能与声音或图片无关。
lab-earliest-first = { $n ->
    [1] 1 次运行
   *[other] { $n } 次运行，由早到晚
}
lab-no-figures = 尚无结果
lab-wrong = 出了问题
lab-no-such-page = 没有这一页
lab-damaged-address = 网址已损坏
lab-comparing = 比较
lab-not-compared = 无法比较：{ $why }
lab-several-benchmarks = 无法比较：它们分属 { AND($names) }；请勾选同一基准的运行
lab-tick-two = 请勾选两次运行，最多 { $most } 次
lab-report = 报告
lab-report-not-served = 这里不向他人提供报告：`zhiyin report RUN -o DIR` 把它写成文件，`zhiyin view RUN --host ADDRESS` 不带令牌提供

board-leaderboard = 排行榜
board-about = 每个基准一张表。排名只在以相同方式提问的运行之间进行：题目、样例、设置和答案读取规则都相同。与默认不同的设置写在名称旁。区间为 95 %。点击列名可排序。
board-runs = { $title ->
    [none] {""}
   *[some] { $title }：
}{ $ranked ->
    [1] 1 次已完成的运行，共 { $items } { items-of }
   *[other] { $ranked } 次已完成的运行，{ $ways ->
        [1] 只计{ $who ->
            [both] 所有模型与每组至少一名参与者
            [people] 每组至少一名参与者
           *[models] 所有模型
        }都已作答的 { $items } { items-of }{ $own ->
            [false] 排名，各项数值基于各运行自己的全部题
           *[true] {""}
        }
       *[other] 以 { $ways } 种方式提问，各自排名
    }
}
board-ranks-are = 排名“a–b”：a 为显著更好的模型数加一，b 为模型总数减去显著更差的模型数（配对检验，Holm 校正，0.05；运行超过 20 次时，只检验最佳者与其余各运行）。排名相同即为并列。基线、与模型并列的参考听者、人类、已发表的结果和单独一个模型不参与排名。
board-unranked = { $title ->
    [none] 未排名
   *[some] { $title }：未排名
}
board-figures = { $all ->
    [true] 全部数值
   *[false] 其余数值
}
board-model = 模型
board-rank = 排名
board-named = { $name }（{ $kind ->
    [model] 已发表
    [human] 人类，已发表
    [people] 人类
    [baseline] 基线
    [constant] 单一答案
   *[chance] 随机
}）
board-heading = { $name }{ head-unit }
board-answered = 可读率（%）
board-unit = { $of ->
    [none] {""}
   *[some] { $of }
}{ $unit ->
    [songs] 歌曲数
   *[items] 题数
}
board-an-item = { $unit ->
    [usd] 每题美元
   *[tokens] 每题 token
}
board-report = 报告
board-trials = 题目
board-frontier = 成本为粗体：提问方式相同的模型中，没有别的以更低的成本同样好，或以相同的成本更好。
board-set-apart = 已发表，单列：{ $why }
board-protocol = 协议
board-setting = 设置
board-value = 值
board-differs = 不同（{ CLAUSES($values) }）
board-setting-of = { $run }：{ $value ->
    [none] 未设置
   *[some] { $value }
}
board-published = 已发表：{ $source }。
board-by = 按 { $figure }：{ EACH($claims) }
board-best = { AND($titles) } 上的 { $who }
board-top = { $best ->
    [0] {""}
   *[other] 优于其余所有模型：{ CLAUSES($best) }。
}{ $level ->
    [none] {""}
   *[some] { AND($level) } 上没有模型优于其余所有模型。
}{ $varied ->
    [none] {""}
   *[some] { AND($varied) } 上是否有这样的模型取决于设置。
}{ $few ->
    [none] {""}
   *[some] 没有两个可比的模型：{ CLAUSES($few) }。
}
board-way = { $settings ->
    [0] 默认
   *[other] { NAMES($settings) }
}
board-ways = { $every ->
    [true] 在每种设置下
   *[false] 在 { $n } 种设置下
}（{ CLAUSES($ways) }）：{ $claim }
board-against = { AND($who) }{ $n ->
    [1] {""}
   *[other] 均
}{ $how ->
    [worse] 显著差于
    [same] 未显示优于
   *[better] 显著优于
}{ $of ->
    [1] 基线
   *[other] 各基线
} { AND($baselines) }。
board-claim = { $alone ->
    [true] { AND($who) } 优于{ $behind ->
        [1] {" "}{ $other }
       *[other] 其余 { $behind } 个模型
    }
   *[false] { $behind ->
        [0] { AND($who) } 之间没有显著差异
       *[other] 没有模型显著优于 { AND($who) }；{ $behind ->
            [1] { $other }
           *[other] 其余 { $behind } 个均
        }显著差于另一个模型
    }
}。

of-a-run = { $text }

suite-told = { $name ->
    [first-look] 模型能答的每项能力各约十题。
    [music-core] 知识、乐理、读谱、听觉、推理与写作，每个基准按自己的方式提问。
    [omni-music] 全模态模型报告音乐能力时所用的题集，与其公布的结果并列。
   *[other] { $name }
}
suite-finding = { $condition ->
    [none] {""}
   *[some] { $condition } 条件下，
}{ $side ->
    [best] { $who } { $what ->
        [skills] 在以下能力上最好
       *[benchmarks] 在以下基准上优于其余所有模型
    }
    [level] { $what ->
        [skills] 以下能力上没有哪个模型被证明最好
       *[benchmarks] 以下基准上没有哪个模型被证明优于其余所有模型
    }
    [better] { $who } 在以下基准上优于随机猜测
    [worse] { $who }（请看其回答是怎样读取的）在以下基准上差于随机猜测
    [few] 未作检验（不足 { $few } 题）
   *[open] { $who } 在以下基准上未被证明优于随机猜测
}：{ AND($names) }。
suite-every = { $denied ->
    [true] {""}
   *[false] 全部{" "}
}{ $n } { $what ->
    [skills] 项能力
   *[benchmarks] 个基准
}{ $denied ->
    [true] 均如此
   *[false] {""}
}
suite-guessing-tests = 与随机猜测相比：双侧检验{ $n ->
    [1] {""}
   *[other] ，对 { $n } 个基准作 Holm 校正
}，5 %。
suite-deaf = { $mark }：探测未通过，没有证据表明模型听得见声音或看得见图片。
suite-run-title = { $benchmark }：{ $who }
suite-lacks = { $run }（{ $planned ->
    [none] 尚未提问
   *[some] { $planned } 题中已有 { $answered } 题
}）
suite-unfinished = 尚未完成：{ CLAUSES($each) }{ $more ->
    [0] {""}
   *[other] ；另有 { $more } 个
}。各项数字只计已有的答案{ $again ->
    [mended] ；排除原因后，同一命令从此处继续
    [budget] ；加大 --budget 后，同一命令从此处继续
   *[same] ；同一命令从此处继续
}。
suite-too-few = 题数太少（不足 { $few } 题），不作判断
suite-link = { $name ->
    [report] 报告
    [leaderboard] 排行榜
   *[other] { $name }
}
suite-which-model = 哪项能力用哪个模型{ $condition ->
    [none] {""}
   *[some] （{ $condition }）
}
suite-skill = 能力
suite-items = 题
suite-right-best-first = 正确率（%，由高到低）
suite-significant = 能否区分？
suite-tests = 只计所有模型都被问到的题；配对检验（按聚类翻转符号，对 { $n } 次检验作 Holm 校正，5 %）。粗体：显著优于其余所有模型。
suite-letters = 字母相同的模型之间未发现显著差异。
suite-about = { $items ->
    [none] {""}
   *[some] { $items }。
}{ EACH($each) }
suite-verdict = { $condition ->
    [none] { SENTENCE($text) }
   *[some] 在 { $condition } 下：{ SENTENCE($text) }
}
suite-as-table = 论文用的表格
suite-card = 成绩单：{ $model }{ $condition ->
    [none] {""}
   *[some] （{ $condition }）
}
suite-skill-and-parts = 能力及其组成
suite-right = 正确率（%）
suite-interval = 95 % 区间
suite-floor = 随机水平
suite-people = 人类
suite-missing = 缺少
suite-part = { $name }{ $scored ->
    [none] {""}
   *[some] ：{ $scored }
}{ $by_degrees ->
    [true] （按程度评分，无对错之分）
   *[false] {""}
}
suite-people-are = { NAMES($people) }
suite-person = { $who }：{ SHARE($share) }{ $precision ->
    [true] （精确率）
   *[false] {""}
}{ $same ->
    [true] {""}
   *[false] *
}
suite-scored = { $name }（由 { $by } 评分）
suite-whole = *：已发表的各类别结果，按此处各类别的题数加权平均；{ $asked ->
    [0] 人答的是全部数据
   *[other] 人只答了 { OR($asked) } 题
}
suite-answers = { $items }（{ $answers } 次作答）
suite-unasked = 未考查：{ NAMES($skills) }。
suite-lacking = 缺少：{ $benchmark }：{ $what }
suite-in-no-card = 未说明所考能力，或只以改变的方式提问，因此不在成绩单中：{ NAMES($names) }。
suite-runs = 运行
suite-run = 运行
suite-state-of = 状态
suite-state = { $state ->
    [planned] 未开始
    [going] 进行中
    [quiet] 无动静
    [done] 已完成
    [failed] 失败
    [stopped] 已停止
    [missing] 未包括
    [unfit] 不适用
   *[other] { $state }
}
suite-why = 原因
suite-command = 对应命令
suite-method = 方法：套件文件，SHA-256 { $hash }…
suite-file = 文件内容
suite-since = ，自 { $at } 起
suite-other-files = 此前使用过其他文件或参数：
suite-ranked = { CLAUSES($models) }
suite-model = { $name }{ $few ->
    [true] （{ EXACT($value) }）
   *[false] {" "}{ EXACT($value) }{" "}
}{ $letters }
suite-copy-as = 此表的 { $name } 源码
suite-table-files = 文件：
suite-by = { $what ->
    [skills] 各项能力的正确率
   *[other] 各基准的结果
}{ head-unit }
suite-head = { $what ->
    [skills] 能力
   *[other] 基准
}
suite-thin = { $whole ->
    [true] { $n } 题
   *[false] 不完整
}
suite-ahead = 粗体：该基准最佳的模型及与其无显著差异者，仅在有别的模型较差时标出。
suite-few = 单独置于括号中的数字：少于 { $few } 题，或运行尚不完整。
suite-left-out = 未提问：{ NAMES($names) }。
suite-unfit = 对这些模型不适用（不接受声音、图片或无选项的题）：{ NAMES($names) }。
suite-under = { $name }（{ $condition } 条件）
suite-not-marked = 有测量
suite-totals = { NAMES($names) }：评分者所给的总分。

verdicts-elsewhere = 由导出的文件还原：判定与原来一致；声音和图片的位置不得而知
import-read = { $file }：{ $format }；回答取自 { $field }；与题目对应的依据：{ $by ->
    [id] 编号
   *[words] 题面、选项与录音
}
import-compared = 已与题目核对：{ $of } 行中，{ $options } 行的选项、{ $keys } 行的答案、{ $clips } 行的录音
import-left-out = 略去 { $n } 行；第一行：{ $first }
import-same = { $n } 行与已有回答逐字相同，只计一次
import-absent = { $of } 题中有 { $n } 题不在文件里

not-judged-by = 未经 { $judge } 评分
readers-pair = { $first } 与 { $second } 对 { $n } 个回答读法不同；只有 { $first } 读对 { NUMBER($first_gains, decimals: 1) } 个，只有 { $second } 读对 { NUMBER($second_gains, decimals: 1) } 个

# 诊断：运行之前检查模型。
doctor-plan = 最多提问 { $calls } 个短问题{ $trials ->
    [0] {""}
   *[other] ，再提问最多 { $trials } 道音乐题（听不到、看不到的不问）
}{ $spends ->
    [true] { $usd ->
        [none] ；该模型的价格未知
       *[some] ；最多约 { MONEY($usd) }
    }
   *[false] ；不产生费用
}{ $limit ->
    [none] {""}
   *[some] ；回答最多 { $limit } 个 token（--max-tokens）
}
doctor-about = { $about ->
    [words] 文字
    [format] 答案格式
    [system] 系统消息
    [sound] 声音
    [image] 图片
    [clips] 两段声音
    [turns] 样例中的声音
    [end] { NAMES($each) } 秒的声音
    [ends] 长声音
    [whole] 长回答
    [settings] 设置
   *[other] { $about }
}
doctor-state = { $state ->
    [yes] 是
    [no] 否
   *[unknown] 未知
}
doctor-said = 回答为“{ $text }”{ $seconds ->
    [none] {""}
   *[some] ，用时 { NUMBER($seconds, decimals: 2) } 秒
}
doctor-format = { $read ->
    [0] { $of } 个回答中没有一个给出选项：“{ $text }”
   *[other] { $of } 个回答中有 { $read } 个给出选项，其中 { $alone } 个只写字母
}
doctor-system = { $followed ->
    [true] 模型遵从系统消息
   *[false] 接受系统消息，但没有遵从
}
doctor-declared = 由模型声明{ $most ->
    [none] {""}
   *[some] ：最长 { $most } 秒
}
doctor-unasked = 未提问：这类模型按自己的规则回答
doctor-canary = { $why ->
    [none] { $of } 题答对 { $right } 题
   *[some] { $why }
}{ $silent ->
    [none] {""}
   *[some] ；换成静音时 { $of } 题答对 { $silent } 题
}{ $same ->
    [true] ，回答完全相同：声音不起作用
   *[false] {""}
}
doctor-right = { $of } 题答对 { $right } 题，需要 { $needed } 题（随机猜测：{ POINTS($odds) } %）
doctor-cut = { $told }；而且{ $cut }
doctor-heard = 只听了 { $seconds } 秒
doctor-no-more = token 数不多于 { $seconds } 秒的声音
doctor-each = { NAMES($each) }{ $what ->
    [end] {" "}秒：听到了结尾
    [setting] ：各项设置都按预期改变回答
   *[other] ：{ $told }
}
doctor-setting = { $how ->
    [declared] 由模型声明：不能设置
    [failed] 调用失败：{ $why }
    [refused] 服务器指名拒绝，已不再发送
    [heat] 温度为 0 时 { $n } 个回答{ $alike ->
        [true] 相同
       *[false] 不全相同
    }，温度为 1 时 { $n } 个回答{ $varies ->
        [true] 各不相同
       *[false] 并非各不相同
    }
    [wide] { $value }、温度为 1 时 { $n } 个回答不全相同
    [narrow] { $value }、温度为 1 时 { $n } 个回答相同，不设时各不相同
    [constant] 不设时回答也不变化
    [unseeded] 温度为 1 时，相同的种子给出不同的回答
    [seeded] 温度为 1 时，相同的种子两次都给出相同的回答
    [beyond] 允许 { $n } 个 token，却来了 { $numbers } 个数
    [unsaid] 回答自行结束，或被截断而没有说明
    [cut] 回答被截断时有说明
   *[whole] { $end ->
        [cut] 写到 300 个数中的第 { $count } 个时被截断：请设置 --max-tokens
        [whole] 不设 --max-tokens 时写出了 300 个数中的 { $count } 个
       *[itself] 写到 300 个数中的第 { $count } 个时自行结束
    }
}
doctor-stopped = 其余未提问：{ $why }
doctor-minute = 一分钟声音相当于 { WHOLE($tokens) } 个 token
doctor-thousand = 一千道 150 个 token 的题{ $sound ->
    [true] ，各带 30 秒声音
   *[false] {""}
}：{ MONEY($usd) }
doctor-used = 本次共 { cost-calls }{ $tokens ->
    [none] {""}
   *[some] ，{ WHOLE($tokens) } 个 token
}{ $sound ->
    [none] {""}
   *[some] ，{ WHOLE($sound) } 秒声音
}{ $seconds ->
    [none] {""}
   *[some] ；每次调用 { NUMBER($seconds, decimals: 2) } 秒
}{ $rate ->
    [none] {""}
   *[some] ，每秒 { WHOLE($rate) } 个 token
}
doctor-over = 数值所依据的题：{ CLAUSES($each) }
doctor-asked = { $of } 的 { $n } 题（{ $skill }）
doctor-not-asked = 未提问：{ NAMES($skills) }，需要他人的数据（--data，docs/doctor.md）
doctor-why = { $failing ->
    [true] 退出状态 1：接受却没有用上，或回答中读不出答案
   *[false] 警告：能接受，但看不出用上了（文本模型，或会丢弃它的服务器，都是如此）
}：{ NAMES($each) }
doctor-failed = 失败
doctor-page = 逐题结果{ $deaf ->
    [true] {""}
   *[false] （可听声音）
}：{ $page }
doctor-suite = 它听不见；不含声音的套件
# 套件与数据：出错信息
suite-no-model = { $path }：没有写明模型：请加 [[models]]，或用 -m 给出
suite-none = 没有指定套件：`zhiyin suite FILE.toml`，或知音自带的套件（{ NAMES($known) }）加 -m MODEL
suite-damaged = { $path }：不是套件的状态文件，或已损坏（{ $why }）：请从完好的副本重新复制
suite-no-file = { $path }：{ $why }：请给出 TOML 文件，或知音自带的套件（{ NAMES($known) }）
suite-not-utf8 = { $path }：不是 UTF-8 编码：请另存为 UTF-8
suite-no-toml = { $path }:{ $line }：不是 TOML：{ $why }
data-none = { $name } 没有可以获取的已发表数据
data-no-source = { $name } 没有来源 { $source }：{ $hint }
suite-at = { $where }：{ $key ->
    [none] {""}
   *[other] { $key }：
}{ $why }
suite-called = 套件 { $name }：{ $at }
plan-head = { $head ->
    [run] 运行
    [trials] 题
    [to-ask] 待提问
    [calls] 调用
    [clips] 声音
    [time] 用时
    [fall] 下降
   *[other] { $head }
}
plan-fall = { $fall ->
    [none] 没有
   *[other] { APART($fall, $unit) }
}
plan-gate = 下降：有 80 % 的把握判为未通过的最小真实下降（允许 { APART($points, $unit) }；设同一题两次作答的相关为 0.5）
plan-fewer = { $name }：将因缺题而不通过：计划 { $n } 题，基线有结论的为 { $of } 题
plan-held = { $state ->
    [unheld] { $name }：不核对：{ $why }
    [stale] { $name }：不核对：答复已超过一天，也没有要问的题：请另选 --out
    [alone] 基线中的 { $name }：这个套件没有这次运行，将不通过
   *[other] { $name }：不会有结论：{ $why }
}
suite-is-done = 已完成
plan-state = { $state ->
    [unfit] 不适用
    [missing] 未纳入
    [cannot] 无法开始
    [failed] 失败
    [stopped] 已停止
   *[other] { $state }
}：{ FEW($names) }：{ $why }
suite-total = { $runs } 个运行{ $done ->
    [0] {""}
   *[other] ，{ $done } 个已完成
}；待问 { $asked } 题，{ $calls } 次调用，{ $clips } 段声音
suite-cost = 费用：{ $usd ->
    [none] 有的模型价格未知
   *[other] { $usd }{ $most ->
        [none] {""}
       *[other] ，最多 { $most }
    } usd
}
suite-judges = 评分者的提问不在此估计之内
suite-budget = 预算：已用 { $spent }{ $beyond ->
    [true] ：按此估计不够问完
   *[false] {""}
}
suite-time = 用时：{ $time ->
    [none] 每个模型答过一些之后才能估计
   *[other] 按以前的速度为 { TIME($time) }
}
suite-ended = 套件 { $name }：{ $of } 个运行完成 { $done } 个{ $unfit ->
    [0] {""}
   *[other] ，{ $unfit } 个不适用
}{ $missing ->
    [0] {""}
   *[other] ，{ $missing } 个未纳入
}，位于 { $at }
suite-spent = 已用：{ $spent }
suite-paid = 全部运行：{ $calls } 次有答复的调用，{ WHOLE($tokens) } 个 token{ $usd ->
    [none] ；有的模型价格未知
   *[some] ，{ MONEY($usd) }
}
suite-paid-each = { $calls } 次调用，{ WHOLE($tokens) } 个 token{ $usd ->
    [none] {""}
   *[some] ，{ MONEY($usd) }
}
suite-paid-for = 费用
suite-open = 请打开 { $page }
suite-paper = 用于论文：{ $path }
suite-already = { $n } 个运行已完成

# zhiyin data
data-lie = 获取的数据位于 { $folder }
data-by-hand = { $name } 须手动获取：{ $line }
data-head = { $head ->
    [name] 名称
    [here] 本机
    [files] 文件
    [what] 内容
   *[licence] 许可
}
data-state = { $state ->
    [not-here] 没有
    [by-hand] 须手动
    [here] 已有
    [part] 部分
   *[other] { $state }
}
data-files = { $of ->
    [0] {""}
   *[other] { $of } 个中的{" "}
}{ $n } 个，{ $size }

# zhiyin verify
verify-state = { $folder } { $state ->
    [faults] 未通过验证
    [covered] 与写出时一致
   *[open] 没有错误，但并非全部受到保护
}：{ $n } 条记录
verify-wrong = 错误
verify-again = 重新评分：{ $of } 条中 { $alike } 条一致
suite-unknown = 未知：{ $hint }
suite-key-missing = 缺少 { $name }
suite-none-of = 文件中没有 { $name }：{ $hint ->
    [none] 文件中一个也没有
   *[other] { $hint }
}

# zhiyin data fetch
data-what = { $source ->
    [abc-eval-data] 十项任务，1,086 题
    [appraisal-data] 选择题与歌曲资料
    [cmi-data] 各任务的题目文件
    [cmi-replies] 各模型已发表的回答
    [mmar-data] 1,000 题，附推理与评分标准
    [mmar-rubrics-data] 1,000 题，附推理与评分标准
    [mmau-data] test-mini 的 1,000 题
    [mmau-pro-data] 5,305 题及其录音（约 47.5 GB）
    [msu-bench-data] 1,800 题及答案，150 份乐谱的链接
    [muchomusic-data] 1,187 题
    [muse-data] 所有题目与样例的录音
    [muse-logs] 四个模型的运行记录
    [musictheorybench-data] 367 题，以及供选作样例的五题
    [rul-data] 1,187 题，干扰项更难
    [scores-data] 两个部分的图片与题目，以及各模型的回答
    [ziqi-data] 14,334 题，每类附五个样例
   *[other] { $what }
}
fetch-fact = { $key ->
    [from] {"  "}来源：{ $value }
    [revision] {"  "}版本：{ $value }
    [size] {"  "}大小：{ $value }
    [licence] {"  "}许可：{ $value }
   *[to] {"  "}存到：{ $value }
}
fetch-size = { $n ->
    [0] 一个压缩包
   *[other] { fetch-files }
}{ $size ->
    [local] {""}
    [none] ，总大小下载前未知
   *[some] ，{ $size }
}
fetch-now = {"  "}正在获取 { $file }
fetch-done = { $state ->
    [came] 新取得 { fetch-files }
    [kept] { fetch-files }早已在此，未曾改动
    [trusted] 其中 { fetch-files }没有已公布的校验和：暂按收到的内容记下，以后获取时据此核对
   *[missing] 镜像中没有的：{ fetch-files }（{ NAMES($files) }）；此处只是一部分
}
fetch-files = { $n } 个文件
fetch-by-hand = 须手动获取：{ $line }
fetch-found = `zhiyin run { SHELL($name) } -m MODEL` 不带 --data 也能找到这些数据
fetch-hub = { $what }：未能从 Hugging Face 获取（{ $why }）；已取得的都保留着：请稍后重试，或用 --from 给出存有数据的文件夹或镜像，或在 `zhiyin run` 中用 --data 给出文件夹（也可设置 HF_ENDPOINT）
fetch-reach = { $url }：无法连接（{ $why }）；请稍后重试，或用 --from 给出存有数据的文件夹或镜像，或在 `zhiyin run` 中用 --data 给出文件夹
fetch-broke = { $url }：收到 { $n }{ $of ->
    [none] {""}
   *[some] （共 { $of }）
} 字节后中断；同一命令从该处继续
fetch-status = { $url }：服务器答复 { $why }；也许已经搬走：请用 --from 给出存有数据的文件夹或镜像，或在 `zhiyin run` 中用 --data 给出文件夹
fetch-changed = { $where }：文件与原来的不同（SHA-256 为 { $actual }，应为 { $expected }）；没有保留：请查看来源有何改动，或用 --from 给出未改动的副本
fetch-commit = { $repo }：Hugging Face 上没有它的提交 { $commit }；请用 --from 给出副本
fetch-only-by-hand = { $name } 无法自动获取：{ CLAUSES($lines) }
fetch-table = data fetch published：请用 --from 给出 CSV 文件或其网址；各列为 { NAMES($columns) }
fetch-from = --from { $mirror }：既不是文件夹，也不是 http 网址；请改正
fetch-link = --link 只用于 --from 给出文件夹时；请去掉
fetch-offline = { $name }：{ $folder } 中缺少 { $n } 个文件（{ NAMES($files) }）；请不带 --offline 获取
fetch-nothing = { $mirror }：其中没有 { $name } 的任何文件，如 { $example }；请改正 --from
fetch-other = { $path }：不是已发表或此前取得的那个文件（SHA-256 为 { $actual }，应为 { $expected }）；请移开它，再次获取
data-step = { $step ->
    [appraisal-data-1] 没有许可允许下载：请向作者索取 option_qa.jsonl 与 song_details.jsonl，与歌曲放在同一个文件夹中，见其页面
    [cmi-data-1] 录音：各任务的数据集须从各自的页面获取，并按题目文件中的路径放置
    [mmar-data-1] 录音：从 huggingface.co/datasets/BoJack/MMAR 获取，放在题目旁的 audio/ID.wav
    [mmar-rubrics-data-1] 录音：从 huggingface.co/datasets/BoJack/MMAR 获取，放在题目旁的 audio/ID.wav
    [mmau-data-1] 录音：从作者页面获取 test-mini-audios，放在题目旁的 test-mini-audios/ID.wav
    [mmau-pro-data-1] 从 huggingface.co/datasets/gamma-lab-umd/MMAU-Pro 获取 test.parquet 与 data.zip：在表格旁解开录音，位置按 audio_path 一列
    [msu-bench-data-1] 从 github.com/Congren-Dai/MSU-Bench 的该提交获取 msu-bench.xlsx 与 metadata.xlsx，放入同一个文件夹
    [msu-bench-data-2] 乐谱本身只有链接，没有公布：把您有的乐谱文件或图片放入一个文件夹，用 --scores 指明
    [muchomusic-data-1] Song Describer：从其页面获取 song_describer.csv 与录音，放在 sdd/song_describer.csv 与 sdd/audio/
    [muchomusic-data-2] MusicCaps：从其页面获取 musiccaps-public.csv，从视频中截取片段，放在 musiccaps/musiccaps-public.csv 与 musiccaps/audio/[ytid]-[s-e].wav
    [rul-data-1] 录音：把原有题目的录音放在文件旁的 audio/NUMBER.mp3，编号按该文件
    [rul-data-2] 用 --distractors own 时，原有题目也须放在旁边
   *[other] { $line }
}

# zhiyin status，以及进行中的套件
status-state = { $state ->
    [planned] 未开始
    [going] 进行中
    [quiet] 无动静
    [stopped] 已停止
    [failed] 失败
    [done] 已完成
    [missing] 未纳入
    [unfit] 不适用
   *[other] { $state }
}
status-waiting = 未开始：{ NAMES($names) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
}
status-left = { status-state }：{ $name }{ $more ->
    [0] {""}
   *[other] {" "}及另外 { $more } 个
}：{ $why }
status-summary = { $of } 个运行中已完成 { $done } 个，{ $planned ->
    [0] 尚未提问
   *[other] { $planned } 题中已有 { $answered } 题
}{ $failed ->
    [0] {""}
   *[other] ，失败 { $failed } 题
}{ $usd ->
    [none] {""}
   *[some] ，{ $usd } usd
}
status-longest = 剩余时间最长：{ $name }，{ TIME($left) }
status-slow = { $many ->
    [true] 最慢的模型
   *[false] 模型
} { $model }：回答时间的中位数为 { $middle } 秒，最慢的 5 % 为 { $most } 秒
status-server = 最慢的服务器 { $name }：回答时间的中位数为 { $wait } 秒，共 { $n } 个回答
suite-on-page = 见网页
suite-course = { $done }/{ $of } 个运行，{ $wanted } 题中已问 { $asked } 题，每秒 { $rate } 题{ $left ->
    [none] {""}
   *[some] ，剩余 { TIME($left) }
}{ $slowest ->
    [none] {""}
   *[some] （最慢：{ $slowest }）
}{ $spent ->
    [none] {""}
   *[some] ，已用 { $spent }
}{ $errors ->
    [0] {""}
   *[other] ，{ $errors } 次出错
}

# zhiyin import
import-no-file = 没有回答的文件：`zhiyin import { SHELL($benchmark) } FILE --from auto`
import-whose = { $file }：不知道回答的是哪个基准的题目（{ $fit ->
    [0] { $here ->
        [0] { $data ->
            [none] 没有取得任何题目
           *[some] { $data } 中没有题目
        }
       *[other] 不是 { OR($here) } 的题目
    }
   *[other] 可能是 { OR($fit) } 的题目
}）：{ $again }
import-is-data = { $file } 就是数据：请去掉 --data
import-needs = { $name }：需要它的题目：请给出 --data FOLDER，或用 `zhiyin data fetch { SHELL($name) }` 获取
import-partial = { $fault }；--partial 可略去这样的行
import-no-row = 没有一行可用：{ $fault }
import-no-id = { $at }：没有 id 为 { $id } 的题
import-neither = { $at }：既没有这些题的 id，也没有题目原文
import-asks-none = { $at }：问的不是这些题：{ $question }
import-alike = { $at }：有 { $n } 题的措辞相同（{ NAMES($names) }）：请给每行写上 id
wrote-size = 已写出 { $path }（{ $size }）
status-none = { $folder }：其中没有运行，也没有套件：请给出含有它们的文件夹
import-no-single = { $name }：没有可以与回答对应的单题
suite-merged = 已合并 { $n } 次运行，共 { $trials } 题，在 { $out }
suite-merged-report = `zhiyin suite FILE.toml --out { SHELL($out) }` 写出报告

readers-two = --between 要两条规则，例如 --between string-match,robust
readers-files = --field 与 --questions 用于文件；运行中二者皆有
readers-none = { $replies }：其中没有可由多条规则读取的回答：已知的规则用于选择题、音符序列与封闭集合的标签
readers-no-rule = --between：这里没有规则 { $name }：{ $hint }
readers-same = --between { $wanted }：请给出两条不同的规则
readers-embed = --embed { $spec }：请写 python:FILE.py:FUNCTION
readers-embed-function = --embed { $spec }：不是函数；请给出由文本列表得到向量的函数
readers-embed-failed = --embed { $spec }：执行失败：{ $error }；请更正
readers-embed-vectors = --embed { $spec }：请为每段文本给出一个有限数值的向量
parity-models = 要比较两个模型：请写 `zhiyin parity SPEC SPEC --n 50`
parity-on = --on 没有给出基准：请写 --on BENCHMARK；参见 `zhiyin list`
parity-n = { $written }：请写提问多少题，例如 --n 50
parity-more = 另有 { $more } 条：见 --json
parity-compare = `zhiyin compare { SHELL($one) } { SHELL($other) }` 说明谁在哪些方面更好

parity-none = { $one } 与 { $two }：没有两者都作答的题；`zhiyin show { SHELL($oneb) }` 说明原因

reports-out = --reports 与页面放在一起：请加上 --out DIR
import-eee = --from eee 不需要 --field、--questions 或 --data：文件中都有
import-questions = --questions 用于已发表的文件：用 --from 时请以 --data 给出数据
import-which-file = 没有回答的文件：`zhiyin import { SHELL($benchmark) } FILE`
import-data = --data 与 --partial 用于其他程序的文件：--from auto
import-flag = { $benchmark } 不接受 --{ $given }：其文件按发表时的格式；--from auto 读取其他程序的文件

doctor-seconds = --seconds { $value }：请写 6 至 3600 秒的时长，以逗号分隔

export-one = --to { $kind } 只接受一个运行，而不是 { $runs } 个：请逐个导出
export-partial = --partial 用于 --to hf；--to { $kind } 接受任何运行：请去掉
export-there = { $path } 已经存在：请移走，或用 -o 另选位置
export-condition = { $run }：{ $part }；hub 上的数字对应原声与全部干扰项：请运行这些
export-unjudged = { $run }：还没有已判分的题；请先完成运行
export-part = { $run }：{ $part }；hub 的读者会把它当作整个基准：请完成或重做运行，或写 --partial，文件中会注明

export-eee-there = { $path } 已经存在：请移走，或用 -o 另选位置
export-no-key = { $run }：其中的题没有标准答案，也没有人评分：该格式没有其他结果的位置；请用 --to parquet
export-unscored = { $run }：还没有已评分的题；请完成运行

import-moved = { $path }：其 id 属于 `zhiyin trials` 以其他设置或数据写出的题：请把文件移到它写出的文件夹中
import-second = { $where }：{ $item } 的第二个回答，与 { $whereb } 的不同：请保留一个，或用 --field 给出回答的字段
import-none = { $path }：没有可用的回答
import-repeats = 多次重复分在几个文件中：请给出一个文件
import-other = { $where }：所问的题与 { $folder } 中该处写出的题不同：{ $asked }；请给出由该文件夹得到的文件

# 写出的题、导出、核对的运行、两个引擎。
trials-wrote = 已将 { $n } 题{ $media ->
    [0] {""}
   *[other] 和 { $media } 个声音或图片文件
}写入 { $folder }
trials-key = 警告：这些文件含有标准答案：不得让任何模型看到
trials-in = 在 { $folder } 中：
trials-becomes = 它写出的结果留在该文件夹中，即可做成运行：
trials-answers = 回答写成含 id 与 text 的 JSON 行，放在 { $file }，然后运行：
verify-later = 运行之后写出，不在 { $sums } 中：{ NAMES($files) }
verify-no-sum = 第 { $line } 行没有写出文件夹中的某个文件及其 SHA-256
verify-gone = 有其校验和，但文件已不在
verify-changed = 与{ $at ->
    [SHA256SUMS] 写入 SHA256SUMS 时
   *[other] 计算校验和时（{ $at }）
}不同
verify-torn = 第 { $line } 行被改动过，或因断电而残缺
verify-no-records = records.jsonl：另有 { $n } 行不是记录
verify-other-medium = { $path }：不是当时发送的声音或图片（SHA-256）
verify-other-media = 另有 { $n } 个声音或图片与当时不同
verify-unchecked = 没有校验和，未核对：{ NAMES($files) }
eee-unknown = source_organization_name 为“unknown”，evaluator_relationship 为“other”：发布前请填写您是谁
eee-no-samples = 没有一题有自己的标准答案：只有数字，没有样本
eee-part = 只是基准的一部分（{ $part }）：每个结果都注明
eee-private = 样本含有私有种子的题目：请在公布种子之后再发布
eee-unscored = 失败或没有标准答案的题：{ $n } 道：该格式要求得分，故放在 { $folder }/ 中，可用 `zhiyin import --from eee` 读取
hub-part = 只是基准的一部分（{ $part }）：两个文件都注明
hub-merge = 请把 README.md 的文首元数据并入模型自己的卡片
hub-none = { $benchmark } 在 hub 上没有数据集：请在两个文件中填入其 id
hub-registered = 只有 { $dataset } 登记为含这些任务 id 的基准，hub 才会显示 { $file }
parity-title = { AND($specs) } 的对照
parity-unanswered = 无答案
parity-example = 题 { $id }：{ AND($letters) }：{ $asked }

export-unknown = 未知格式 { $kind }：{ $hint }
eee-bring = ；{ $name } 提到了它：请一并带来
eee-no-sample = 不是样本（{ $why }）
lab-from = { $place }：{ $n }：请改正该表格后重新获取
fetch-unencrypted = { $url }：转向未加密的 { $leads }；已拒绝
fetch-leaves = { $path }：其中的 { $name } 在文件夹之外；已拒绝
fetch-much = { $path }：解压后过大；已拒绝
fetch-broken = { $path }：其中的 { $name } 已损坏；请重新获取
eee-version = { $path }：schema_version 为 { $given }，而可读的是 { $schema }：请先转换
eee-none = { $path }：没有写明样本：单有数字不成其为运行
eee-place = { $path }：不在 data/COLLECTION/DEVELOPER/MODEL/ 之下：请放到那里
eee-other = { $samples }：它的 { $hash } 为 { $found }...，而 { $path } 写的是 { $checksum }...：不是一同写出的那个文件
eee-not-whole = { $samples }：有 { $rows } 个样本，而 { $path } 写的是 { $total } 个：文件不完整
eee-twice = { $samples } 第 { $number } 行：样本 { $record } 出现了两次：请保留其一
fetch-unread = { $folder }：无法读取（{ $why }）；请移除它后重新获取
fetch-none-of = { $at }：压缩包中没有 { $kinds }
gate-summary = --summary 须与 --fail-if-worse 同用：它写出后者的结果
gate-summary-ends = --summary { $file } 无效：请以 .xml（JUnit）或 .md（Markdown）结尾
gate-summary-folder = --summary { $file }：{ $why ->
    [folder] 这是一个文件夹
    [closed] 那里无法写入
   *[none] 没有文件夹 { $folder }
}：请指明一个存在且可写的文件夹中的文件
import-no-rows = { $path }：没有任何行；请重新获取该文件
import-field = { $path }：没有一行含有 --field { $field }：{ $hint }
import-no-words = { $path }：没有文字的回答（{ $why }）：请用 --field 指明回答的字段
import-object = { $where }：不是 JSON 对象；请重新获取该文件
import-no-list = { $path }：是 JSON 文件，但没有行的列表（在 { NAMES($inside) } 之下寻找）
import-inspect = { $path }：无法作为 Inspect 的日志读取（{ $why }）
import-no-reply = { $path }：{ $names } 之下没有回答：请用 --field 指明回答的字段
import-which = { $path }：{ $held } 之下都有回答，且不相同（{ $where }）：请说明哪个是回答：{ $lines }
import-order = { $where }：没有说明选项的显示顺序，而数据总是先列正确选项
inspect-sequences = { $name } 有 { $sequences } 个序列，其中每一题取决于前面的答案：请用 `zhiyin run { SHELL($name) } -m inspect:PROVIDER/MODEL` 运行
labbook-empty = 什么都没有写入：{ $kind } 至少要有一个字
labbook-long = { $kind } 有 { $text } 个字符：请至多写 { $most } 个
runs-no-folder = { $root }：没有这个文件夹；请给出运行，或存放运行的文件夹
runs-none-in = { $root }：其中没有运行；请给出运行，或存放运行的文件夹
layout-cannot = --layout { $layout }：{ $why }：请去掉 --layout，或换一种
board-ignore = --ignore { $name }：在这一项上不同的运行不能列入同一张表
board-none-judged = { $root }：其中没有一个运行有已判分的题
board-own-way = { $root }：其中没有一个运行以基准自己的方式（原声、全部干扰项）判过分（{ $within } 不是）：请完成它，或添加一个
board-no-setting = --ignore { $name }：没有运行有这项设置：{ $hint }
board-unread = { $places }：其中没有可读的运行：{ $text }
track-which = --track { $name } 无效：{ $hint }
track-wandb = --track wandb：尚未登录：请运行 `wandb login`，或设置 WANDB_MODE=offline，之后再运行 `wandb sync`
track-mlflow = --track mlflow：{ $uri } 无法使用（{ $why }）：请设置 MLFLOW_TRACKING_URI
written-sequences = { $benchmark } 有 { $sequences } 个序列，其中每一题取决于前面的答案，无法预先写出；请在 Zhiyin 能连到模型之处提问
written-again = { $benchmark }：题 { $trial } 在回答之后还会再问，无法预先写出：请换一种提问方式（例如去掉 --confirm），或在 Zhiyin 能连到模型之处提问
written-file = { $folder }：是文件：请用 --out 另选文件夹
written-there = { $folder } 中已有 { $other }：请用 --out 另选文件夹
written-list = --layout list 每题只有一个提示、至多一段声音和若干选项，而这个基准不是这样提问：请去掉 --layout
board-private = 报告中含有私有种子的题目：在公开种子之前，发布页面时请勿附上报告
serve-everybody = 凡能访问 { $host } 者都能读取这些运行并听到其中的录音；不加 --host 则仅限本机
export-once = 每段声音和每张图片只存一份：有 { $n } 处样本指向存有它的另一个样本
gate-undeclared = { $benchmark } 未声明 { $measure } 是越低越好还是越高越好：请在其 measures 中补上
baseline-strange = --baseline { $baseline }：其中没有一次运行在名称或所问内容上属于本套件：它有 { $then }；套件有 { $today }：请让各模型沿用那里的名称（[[models]] 下的 `name`），或重新生成基线
suite-shards = { $first } 与 { $folder } 是不同套件的分片：其 { $file } 或命令行参数不同
suite-no-shard = { $folder } 不是套件的分片：请给出 `suite --shard` 的文件夹
verify-no-sums = 没有 { $sums }：上一次会话未正常结束，或运行由较早的版本写出；再次运行其命令即可写出
verify-run-gone = 套件记录它已完成，但这里没有它：请从完好的副本重新复制
verify-fewer = 计划 { $planned } 题，现有 { $records } 条记录：运行未完成，或有记录被移走
verify-other-items = 此处基准的题目与运行时不同：数据、提示或版本有别
verify-version = 原由 { $name } 的版本 { $then } 评分，现由版本 { $now } 重新评分
suite-replaced-run = { $name }（{ CLAUSES($other) }；已回答 { $n } 题）
suite-replaced = { $folder } 中已有同名的其他运行：{ NAMES($runs) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
}：它们的回答不会计入；--changed 会将其移开并重新提问，--out 则另起一个文件夹

folder-no-suite = { $folder } 不是套件：其中没有 { $file }
folder-unread = { $path }：无法读取（{ $why }）
folder-file = { $folder } 是文件：请用 --out 另选一个文件夹
folder-other = { $folder } 中有 { $there }，却没有套件：请用 --out 另选一个文件夹
folder-taken = { $folder } 正由另一个 zhiyin 运行：请等它结束
folder-unwritten = 无法写入 { $folder }：{ $why }；请用 --out 另选一处
folder-shard-twice = { $folder } 与另一个文件夹都是分片 { $shard }：每个分片只给一次
folder-shards-missing = 缺少分片 { NAMES($shards) }：请给出套件的全部分片
folder-other-shard = { $folder } 中是{ $before ->
    [none] 整个套件
   *[some] 分片 { $before }
}，而不是{ $now ->
    [none] 整个套件
   *[some] 分片 { $now }
}：请用 --out 另选一个文件夹
base-empty = { $baseline }：其中没有一次运行有回答：请重新运行它
base-lacking = { $flag } 规定怎样与另一套件的运行相比：请加上 --baseline FOLDER
base-same = --baseline { $baseline }：它就是本套件：请用 --out 另选一个文件夹
suite-no-cell = { $path }：没有剩下任何运行：全被跳过，或没有提问条件
suite-data-form = --data { $text }：请写成 BENCHMARK=DIR，如 --data NAME=data/name
