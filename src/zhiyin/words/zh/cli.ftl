# 命令行中表格之外的结果：cli/。
cli-items = { $items } 题
cli-trials-of = { $trials } 次作答

# 运行开始前：问什么、怎么问（session/setup.py）
cli-opening = { $questions ->
    [none] {""}
   *[other] { $questions } 题，
}{ $calls ->
    [true] 共 { $trials } 次调用
   *[false] 共 { $trials } { $grades ->
        [true] 次评分
       *[false] 次作答
    }
}{ $repeats ->
    [none] {""}
   *[other] （--repeats { $repeats }）
}；{ $shots ->
    [none] {""}
   *[some] { $shots }，
}{ $grades ->
    [true] {""}
   *[false] 温度{ $temperature ->
        [none] 用模型默认值
       *[other] {" "}{ $temperature }
    }，
}种子 { $seed }

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
   *[other] （仅计已正常结束的会话中的 { $timed } 次作答）
}
}{ $earlier ->
    [0] {""}
   *[other] ；{ $replies } 个回答中有 { $earlier } 个来自先前的运行
}
cli-state = { $state ->
    [correct] 正确
    [wrong] 错误
    [no_answer] 无答案
    [refused] 拒答
    [truncated] 被截断
    [error] 出错
    [ungraded] 未评分
   *[other] { $state }
} { $n }
cli-nothing-asked = 尚未提问
cli-empty-shard = 无需提问：分片 { $shard } 不含本运行的题目（合并时也要加上）
cli-not-comparable = 不能与已发表的结果比较：{ CLAUSES($parts) }
cli-published = 已发表，{ $group ->
    [all] 全部
   *[other] { $group }
}的{ $figure ->
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
   *[other] {" "}{ $figure }{" "}
}（%）：{ $best } { EXACT($highest) }{ $rows ->
    [1] {""}
   *[other] ，为 { $rows } 行可比结果中最高，{ $last } 最低，为 { EXACT($lowest) }
}{ $own ->
    [none] {""}
   *[other] ；本运行 { EXACT($own) }
}{ $higher ->
    [none] {""}
   *[other] ；{ $higher }
}{ $trust ->
    [none] {""}
   *[other] ；{ $trust }
}
cli-accuracy = { $accuracy ->
    [none] {""}
   *[other] ，正确率 { SHARE($accuracy) }
}

# zhiyin stats health、zhiyin data check
cli-count-of = { $n } 处{ $kind }

# 其他措辞。
cli-warning = 警告
cli-note = 说明
cli-more = … 另有 { $n } 条
cli-also = 另有：{ CLAUSES($tables) }
published-range = { FEW($who) }：数字后括号内为求此平均的各单项得分的最低与最高，不是置信区间
published-of-part = { $who ->
    [none] 已发表的各行
   *[some] { NAMES($who) }
}：仅就其中 { $items } 题，因此不能与整体比较
cli-each-whole = 各自的分组、其他表格与说明
cli-published-in = 已发表
cli-differs = 不同设置：{ $setting }（{ CLAUSES($each) }）
cli-unset = { $name ->
    [sample] 全部题目
    [limit] 全部题目
   *[other] 未设置
}
cli-every-group = 所有分组及各列含义
cli-unfinished = 运行尚未完成
cli-group = 分组（%）
cli-run = 运行（%）
cli-course = { $what ->
    [tunes] 排版：共 { $of } 首，已完成 { $done } 首
    [plan] 计划：共 { $of } 次运行，已查看 { $done } 次
   *[runs] 比较：共 { $of } 次运行，已读取 { $done } 次
}

# 运行过程中的各行：session/progress.py
progress-rate = { $seconds ->
    [true] 每秒
   *[false] 每分钟
} { $rate } 题
progress-usd = { $limit ->
    [none] 已用
   *[some] 预算 { $limit } 中已用
} { $usd } usd
progress-tokens = 已用 { $tokens } token
progress-fraction = { $total ->
    [none] {""}
   *[other] { $total } 题中的{" "}
}{ $done }
progress-resuming = 继续：已有 { $done } 题{ $total ->
   *[other] {""}
}
progress-trials = { $done } 题{ $n ->
   *[other] {""}
}
progress-held = 服务器要求等待 { $wait }
progress-left = 剩余 { $time }
progress-right = { $share ->
    [none] 尚未评分
   *[other] 正确 { $share }
}
progress-errors = { $n } 次出错
progress-session = 本次会话：{ $text }
progress-stopping = 正在停止：最多等待 { $seconds } 秒以收回答；再按一次 Ctrl-C 则放弃
cli-again = 用 `{ $show }` { $compares ->
    [true] 与已发表的结果对照
   *[false] 再次查看
}
cli-judging = 评分{ $ended ->
    [stopped] 已停止
    [failed] 失败
   *[other] {" "}{ $ended }
}：{ $why }
cli-replies-of = 没有提问：回答来自 { $when }；另选 --out 可重新提问
cli-labelled = { $label }：{ $text }

# 试算（--dry-run）：cli/run.py
dry-nothing = { $model }：没有提问
dry-in-folder = 运行文件夹中已有
dry-in-cache = 缓存中已有
dry-to-ask = 待提问
dry-before = 提问之前
dry-sent = 发送
dry-back = 返回
dry-cost = 费用
dry-trials = 题
dry-free = 题，不花费用
dry-canary = 道简短的探测题
dry-tokens = 个 token，{ $how }
dry-sound = 秒声音，占其中 { $tokens } 个 token
dry-usd = usd{ $most ->
    [none] {""}
   *[other] ，最多 { $most }
}（{ $price }）
log-counted = 由服务器计数
log-by-script = 按文字种类估计
log-from-counted = 按服务器计数的 { $n } 次请求估计
log-from-run = 按本次运行的 { $n } 次请求估计
log-as-in = 每个回答 { $each } 个，同本次运行的 { $n } 个回答
log-assumed = 假定每个回答 { $each } 个；先问一些（--limit { $limit }）便可得知
log-here = 在本机作答
log-nothing-asked = 无需提问
log-no-price = 价格未知：见 `zhiyin prices`

# 可用的内容与写出的文件：cli/list.py、cli/pages.py
cli-kind = { $kind ->
    [benchmarks] 基准
    [protocols] 协议
    [models] 模型
    [policies] 提取规则
    [judges] 评分者
   *[other] { $kind }
}
cli-listed = { cli-kind }：{ $names }
cli-fact = { $key ->
    [paper] 论文
    [licence] 许可
    [version] 版本
    [commands] 命令
    [from] 来自
   *[other] { $key }
}：{ $value }
cli-unusable = 无法使用
cli-list-more = 论文、许可与全部名称：`zhiyin list --all`；单个基准：`zhiyin list NAME`
cli-wrote = 已写出 { $path }
cli-wrote-page = 已写出 { $page }：{ $trials } 题，{ $sounds } 段录音，{ $tunes } 首乐谱（{ $size }）

holds-trials = { $of } 题中的 { $n } 题

holds-sequences = { $of } 个序列中的 { $n } 个{ $trials ->
    [none] {""}
   *[other] ，另有 { $trials } 题中的 { $beside } 题
}

holds-more = 文件夹中的内容多于这次所问（{ $now }）；其中全部内容都计入

cli-nothing-kept = 尚未保存任何回答：{ $path }

# 总览：cli/__init__.py
overview = { $key ->
    [opening] 用法：zhiyin COMMAND ...     语言模型懂音乐吗？
    [group-examine] 评测
    [group-read-results] 查看结果
    [group-people] 人类
    [group-make] 出题
    [group-data] 数据
    [group-trust] 可信
    [also] 另有：
    [flags] 参数：zhiyin COMMAND --help。每个命令一行：zhiyin --help-all。
    [exit-status] 退出状态：0 完成，1 有题失败，2 输入有误，3 变差，130 被中断。
    [run] 用一项基准评测一个模型（主要命令）
    [list] 可用的内容：基准、模型、提取规则
    [merge] 把多台机器分担的部分合成一个运行
    [status] 各运行的进度，本机或别处
    [suite] 用一个文件写明多个模型与基准，出一份报告
    [doctor] 模型接受什么、能否听见、费用多少
    [trials] 写出将要提问的题，供在别处运行的模型使用
    [import] 把别处得到的答案做成一个运行
    [batch] 用 Ray Data 成批提问已写出的题
    [exam] 按信息量只选十分之一的题
    [show] 运行的结果，与已发表的结果对照
    [compare] 谁在哪些方面更好？把握多大？
    [report] 生成网页报告，双击即可打开
    [table] 论文用的表格，LaTeX 等格式
    [rescore] 用另一条提取规则重新评分
    [extract] 从自由文本中读出答案
    [losses] 从读到听、再到看，各损失多少
    [judge] 请模型为文本评分，或归类失败
    [view] 在浏览器中查看运行，进行中也可以
    [leaderboard] 把一个文件夹的运行排成可排序的网页
    [export] 导出运行：Parquet、CSV、Inspect、Every Eval Ever、hub
    [readers] 同样的回答，用每条已发表的规则和我们的规则来读
    [stats] 运行的统计
    [plan] 差异需要多少题才看得出；登记计划
    [reading] 规则读取已标注回答的准确程度
    [attention] 听不到音乐时，模型会答得更差吗？
    [hearing] 模型能听到什么，用一页展示
    [study] 请人答同样的题，与模型对照
    [forge] 出题：由描述生成题目，换更难的干扰项
    [listen] 参考听者在录音中听到什么
    [stimuli] 新的感知题：声音、MIDI、正确答案；检查文件夹
    [cache] 已付费并保存的回答
    [prices] 模型的价格：查看，或导入 LiteLLM 的价格
    [data] 获取、制作或检查基准的数据与您的题目
    [errata] 机器可以证明的题目缺陷
    [reproduce] 用已发表的回答重做已发表的表格
    [audit] 回答被误读的频率及其影响
    [verify] 运行与写出时一致吗？
    [parity] 同一检查点的两个服务器答得一样吗？
    [seed] 私有种子：运行前承诺，运行后公布
    [card] 由一项基准可以得出什么结论，依据是什么
   *[other] { $english }
}

# zhiyin rescore、prices、cache
rule-default = 默认规则
cli-differ-now = { $of } 个判定中有 { $n } 个不同
prices-unit = 单位为美元：每百万 token，或每分钟声音。此文件可由您编辑：{ $own }
cache-freed = 已释放 { $size }：{ $path }
cache-pruned = 已删除 { $n } 个回答；文件现为 { $size }
cache-total = 已用 { $total }，上限 { $room }：{ $path }
cache-size = --to { $text } 无效：请写成 100MB 这样的大小
cache-prune-alone = --to 和 --unused-for 只用于 `zhiyin cache prune`
cache-prune-how = 请写 `zhiyin cache prune --to SIZE`，或给出 --unused-for DAYS
cli-this-run = { $name }（本次）
cli-reference = { $title }：{ $figure ->
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
    [f1] F1
   *[other] { $figure }
}（%）
cli-merged = 已合并 { $shards } 个分片：{ $trials } 题，在 { $folder }
cli-merged-judge = 同一 `run` 命令去掉 --shard，并给出 --out { SHELL($folder) }，即请评分者评分

policy-summary = { $name ->
    [robust] 最后一个成立的、声明的答案；我们的默认规则
    [first-letter] 任意位置的第一个大写 A 至 D（Li 等 2024，第 4.1 节）
    [final-line] 最后的“Final Answer: X”，否则最后一行（Carone、Roman 与 Ripollés）
    [flexible] 第一个单独的 a 至 d，包括冠词（ReactionEval）
    [abc-eval] 选项的编号，从 0 数起，按 ABC-Eval 的要求
    [string-match] 含一个选项的全部词而不含其他选项的词（Sakshi 等 2024；Ma 等 2025）
    [lmms-mmau] (A)、两侧有空格的 A、A.；否则随机取 A 至 D（lmms-eval：MMAU）
    [lmms-mmar] (A)、后有空格的 A、A.、选项原文；否则随机取一个选项（lmms-eval：MMAR、MMSU）
    [evalscope-mmau] 第一个 ANSWER: X，否则同 lmms-mmau，再否则取 A（EvalScope：MMAU）
    [audiobench] 同 string-match，但每个选项去掉四个字符（AudioBench）
    [desta] string-match，去掉“The correct answer is: ”（DeSTA2.5-Audio）
    [r1-aqa] 对 <answer> 中的内容用 string-match（R1-AQA）
    [mimo] 对声明的答案、最后的粗体文字或第一行用 string-match（MiMo-Audio）
    [faithfulness-omni] <Conclusion> 中或末尾的字母（Qwen2.5-Omni 对 MMAR 的回答）
    [faithfulness-flamingo] 任意位置括号中的第一个字母（Audio Flamingo 对 MMAR 的回答）
    [cmi] 唯一被包含的选项原文，忽略空格与标点（CMI-Bench）
    [evalscope] 最后的 ANSWER: X，否则回答中最后一个大写字母（EvalScope：通用）
    [evalscope-zh] 最后的“答案：X”，否则回答中最后一个大写字母（EvalScope：其中文提示）
    [lm-eval-first] 第一个 (A) 至 (Z)，否则选项原文，再否则“: A”（lm-evaluation-harness：MMLU）
    [lm-eval-last] 最后一个 (A) 至 (Z)，否则选项原文，再否则“: A”（lm-evaluation-harness：GPQA）
    [lm-eval-mmlu-pro] 第一个“answer is”之后的 A 至 J（lm-evaluation-harness：MMLU-Pro）
    [inspect] 最后一个仅为 ANSWER: X 的行，否则最后的 ANSWER: X（Inspect：choice）
    [air-bench] 第一个字符，否则倒数第二个；其余不计入（AIR-Bench）
    [mmau-pro] 按嵌入最接近的选项；没有嵌入则只认与选项相同的回答（MMAU-Pro）
    [muchomusic] 字母或全文，且只给出一个时（MuChoMusic 的论文）
    [muchomusic-code] A 至 D 中唯一的大写字母，词内的也算（MuChoMusic 的代码）
    [lmms-muchomusic] (A)、两侧有空格的 A、A.；否则随机取 A 至 D（lmms-eval：MuChoMusic）
    [muse] 最后结束的已发表答案，字母与句号按其运行程序的要求（MUSE）
    [muse-af3] 同 muse，AF3 另有读法之处照其读，字母与句号按其运行程序的要求（MUSE）
    [muse-table] 最后结束的已发表答案，句号可缺，与其正确率表相同（MUSE）
    [muse-af3-table] 同 muse，AF3 另有读法之处照其读，句号可缺，与其正确率表相同（MUSE）
    [rul] [[A]]，或表示选择的词，或第一个 (A)，或选项原文（Zang 等 2025）
    [music-bench] 整个回答是含音符列表的 JSON 对象；只用于这种列表（music-bench）
   *[other] { $summary }
}
