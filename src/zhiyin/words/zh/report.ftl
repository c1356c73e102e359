# 报告页面：标题、图表说明，以及首屏的简短回答。
nav-sections = 章节
nav-findings = 发现
nav-trials = 题目
nav-methods = 方法
skip-to-findings = 跳到发现
trials-need-scripts = 题目列表由本页的脚本驱动：请允许脚本运行。
report-browser = { FEW($who) } · Zhiyin
report-runs = { $n } 次运行
report-going = 有运行仍在进行：本页会自动更新。
report-ended = 所有运行均已结束。
report-todo = 请先处理
report-notes = 关于这些运行的说明（{ $n }）
report-hollow = 空心标记为已发表结果：{ $source }。
ask-listening = 在听吗？
ask-letter = 是否总答同一个？
ask-whole = 是否完整？
short-yes = 是
short-by-itself = { $side ->
    [worse] 更差（单独检验）
   *[better] 是（单独检验）
}
short-corrected = { P($p) }，对本页 { runs-of-page }校正后不显著；{ $text }
short-not-shown = 未能证明
short-not-tested = 未测试
short-not-known = 未知
short-elsewhere = 在别处回答
short-no-sound = 没有声音
short-canary-failed = 探测未通过
short-canary-right = { $asked } 题答对 { $right } 题
short-points-over = 比{ $other ->
    [swap] 另一首曲子
    [half] 一半噪声
    [none] 无声音
    [0] 无声音
    [noise] 噪声
    [silence] 静音
   *[other] { $other }
} { SIGNED($gap) } 个百分点
short-reading-hearing-open = 读与听无显著差异
short-reads-better = 读谱更好，高 { POINTS($gap) } 分
short-hears-better = 听力更好，高 { POINTS($gap) } 分
short-too-few = 数量太少，无法判断
short-always = 总是 { $letter }{ $others ->
    [0] {""}
   *[other] （{ $others } 次除外）
}
short-often = 偏爱 { $letter }
noted-letter = 选 { $letter } 的次数远多于其为正确答案的次数
noted-sound = 声音在此处带来的提升与别处不同：{ $text }
short-none-found = 未发现
short-letter = { $letter }：占回答 { SHARE($chosen) }，占答案 { SHARE($keyed) }
short-other-items = 其他题目
short-other-settings = 其他设置
short-in-part = 部分
short-whole-of = 完整的{ $group }
short-unfinished = 未完成
short-asked = 提问 { $n } { $unit ->
    [songs] 首歌
   *[items] 题
}
short-where-it-applies = 适用的部分
short-unfit = { $of } 题中有 { $unfit } 题不适用；回答了 { $n } 题
short-all = 全部 { $n } { $unit ->
    [songs] 首歌
   *[items] 题
}
without-figure = { $why ->
    [dead] 全部 { $n } 题失败
    [ungraded] { $n } 个回答，尚未评分
    [unscored] 尚未评分或评分方式不同：没有总分
    [measured] { $n } 个回答，测量结果见下方表格
    [altered] 仅在改动条件下有判分
    [unread] 回答中读不出任何答案
    [outside] 未被问及
   *[empty] 尚未回答
}
published-of-kind = { $kind ->
    [human] { $n ->
        [1] 已发表的人类成绩
       *[other] { $n } 项已发表的人类成绩中最高者
    }
    [chance] 已发表的随机水平
   *[model] { $n ->
        [1] 可比的已发表模型
       *[other] { $n } 个可比的已发表模型中最高者
    }
}
link-apart = 差异在哪里
link-wrong = 错在哪里{ $who ->
    [none] {""}
   *[some] ：{ $who }
}
topic-score = 答对多少？
topic-comparison = 谁更好，好在哪里？
topic-listening = 在听吗？
topic-conditions = 换一种问法有影响吗？
topic-letters = 偏爱某个字母吗？
topic-published = 与人类及已发表模型相比
topic-reading = 换一种读取规则，结果会变吗？
show-trials = 查看题目
show-table = 查看表格
report-findings = { $n } 条发现
report-not-comparable-many = 不能与已发表结果（基于整个基准）比较（{ $n } 个原因）
report-not-comparable = 不能与已发表结果（基于整个基准）比较：
report-run = 运行
report-who = 名称
report-this-run = 本次运行
report-model = 模型
report-human = 人类
report-chance = 随机
report-group = 组
report-everything = 全部
report-trials = 题目
report-planned = 计划
report-total = 总分
report-interval = 95 % 区间
score-name = { $name ->
    [f1] F1
    [accuracy] 正确率
    [precision] 精确率
    [recall] 召回率
    [ifr] 可读率
   *[other] { $plain }
}
report-of-figure = { $figure }（%）
report-figure-of = { $figure }：{ $group }
report-accuracy = 正确率
report-recall = 召回率（= 正确率）
report-precision = 精确率
report-ifr = 可读率
report-published = 与已发表结果相比
published-part = { $name ->
    [people-counts] 表 3 把人的得分印作百分数，但数值更像 114 题中答对的题数
    [outside-europe] 欧洲以外：各子类 F1 的平均（运行的数值：全部题目合并）
    [mean-of-replies] 回答旁所附得分的平均
    [one-over] 选项数的倒数
    [preliminary] 作者称为初步结果
    [unread-wrong] 读不出答案的回答按错误计
    [unread] 想必是回答读不出答案
    [not-cut-off] 只计未被截断的题的正确率
    [three-orders] 两组被试，三种顺序，每格 60 题
    [own-way] 按该团队自己的方式提问和读取
    [official-rule] 按官方规则
    [released-prompt] 论文代码的提示词
    [tokens-100] 100 个 token
    [true-audio] 真实声音
    [all-distractors] 全部干扰项
    [three-runs] 三次运行的平均
   *[other] { $name }
}
published-newer = 截至 { $date } 的已发表结果来自 `zhiyin data fetch published` 取得的表。
published-more = { $groups ->
    [0] {""}
   *[other] 另有 { $groups } 组；
}未画出的已发表结果 { $n } 行
published-head = { $name ->
    [row] 已发表
    [what] 指标
    [value] %
    [date] 日期
    [settings] 设置
   *[why] 不可比的原因
}
published-called = { $name }{ $more ->
    [0] {""}
   *[other] （{ NAMES($more) }）
}
published-way = { $flag ->
    [shots] { $value } 样例
   *[other] { $flag } { $value }
}
published-dated = { $name }，{ $date } 发表
published-person = { $name ->
    [High-school] 高中
    [Bachelor] 本科
    [Master] 硕士
    [Doctorate] 博士
    [music-major] 音乐专业
    [no-music-major] 非音乐专业
    [no-musical-background] 无音乐背景
    [some-musical-background] 有一些音乐背景
    [people] 人类
    [people-of-ziqi] GPT-4（与人类相同的 114 题）
   *[other] { $name }
}
published-why = { $flag ->
    [set] 属于 { $value }，题目不同
    [items] { $value ->
        [other] 题目不同
       *[all] 只问了 { $value } 题
    }
    [extract] 由 { $value } 读取
    [shots] { $value } 样例
    [protocol] 协议 { $value }
    [language] 题目语言 { $value }
   *[other] { $flag } 为 { $value }
}
published-why-n = { $n } 行{ published-why }
published-apart = 不可比的已发表结果：{ $n } 行（{ CLAUSES($whys) }）
published-higher = 另有 { $n } 行已发表的结果高于{ $best }的 { SHARE($value) }，但不可比（{ CLAUSES($whys) }）；其中最高的是{ $other }：{ SHARE($most) }
report-precision-note = 精确率不计读不出答案的回答。
report-below-chance = 有 { $n } 行已发表的结果低于随机水平，其提问与读取方式：{ $way }。
report-left-out = 未与整体的已发表结果并列：{ NAMES($who) }（{ $why }）
report-by-group = 分组结果
groups-more = { $shown ->
    [0] 全部 { $n } 项
   *[other] 其余（{ $n }）
}
report-differences = 同题差异
report-differences-note = 只比较两者都回答的题；同一聚类的题算一次抽样。检验为精确 McNemar，或整个聚类的符号翻转；涉及多名参与者时为 t 检验，参与者与题目都视为抽样；p 值整体按 Holm 校正，各组（探索性）按 Benjamini–Hochberg 校正。可检出：真实差异至少有这么大，才有八成把握在这么多题上显出显著；-：题数太少而无法检出。未发现显著差异不等于相同。
report-how = 检验方法
report-minus = { $a } 减 { $b }
report-minus-note = 单位为百分点；零点右侧表示排在前面的运行更好。
report-shared = 共有
report-difference = 差异
report-p-adjusted = 校正后 p
report-detectable = 可检出
report-verdict = 结论
report-better = { $who } 更好
report-no-difference = 未发现显著差异
report-same-questions = 相同的题
report-ways = { $tag ->
    [audio] 声音
    [modality] 方式
   *[other] { $tag }
}：{ $a ->
    [real] 原录音
   *[other] { $a }{" "}
}对{ $b ->
    [noise] 噪声
    [silence] 静音
    [swap] 另一首曲子
    [half] 一半噪声
    [none] 无声音
    [audio] 声音
   *[other] {" "}{ $b }
}
report-condition = { $tag ->
    [audio] { $value ->
        [real] 原录音
        [silence] 以静音代替
        [noise] 以噪声代替
        [half] 第二段换成噪声
        [swap] 换成另一首
        [nothing] 无声音
       *[other] 声音：{ $value }
    }
    [hear] 播放多少：{ $value }
    [wording] 换一种措辞（{ $value }）
   *[other] { $tag }：{ $value }
}
report-former = 前者（%）
report-latter = 后者（%）
report-letters = 所选字母与答案
letters-none = 未能证明偏爱某个字母：{ AND($names) }
report-letters-note = 条形：各字母被选的频率。竖线：它是答案的频率。召回率：以它为答案的题中答对的比例。
report-letter = 字母
report-chosen = 所选（%）
report-key = 答案（%）
report-recall-of = 召回率（%）
report-other = { $name } 为 { EXACT($value) }
report-beside = { $kind }{ $date ->
    [none] {""}
   *[other] ，{ $date }
}{ $by ->
    [none] {""}
   *[other] ，由 { $by } 测得
}{ $n ->
    [none] {""}
   *[other] ，{ $n } 次提问
}{ $more ->
    [0] {""}
   *[other] ，{ NAMES($more) }
}
report-outcomes = 题目结果
report-state = { $mark } { $state }
report-tables = { $name } 的其他表格（{ $n }）
report-figures = 图
state-correct = 正确
state-wrong = 错误
state-no-answer = 无答案
state-refused = 拒答
state-truncated = 被截断
state-error = 失败
state-ungraded = 不判对错
copy-text = 复制这段文字
copied = 已复制
methods-note = 正确率基于所有已判分的题：读不出答案的回答按错误计；失败的调用不计入，但会统计。区间为 Wilson 区间；题与题相互依赖时使用有效题数。
methods-written = 由 Zhiyin { $version } 生成。
settings-of = 设置：
figures-in-english = 未安装含汉字的字体：figures/ 的图中文字为英文
settings-name = { $name ->
    [benchmark] 基准
    [benchmark_version] 基准版本
    [confirm] 读不出时再问
    [data] 数据
    [limit] 前几题
    [model] 模型
    [model_data] 模型的数据
    [query] 筛选
    [sample] 抽样题数
    [score] 按概率计分
    [shard] 份
    [sound] 声音
   *[other] { $name }
}
settings-part = { $part ->
    [options] 选项
    [sampling] 采样
    [limits] 限制
   *[other] { $part }
}：{ $name }
settings-version = 版本：{ $name }
settings-folder = 文件夹
settings-started = 开始时间
settings-seconds = 秒

# 报告略去的内容。
without-notation = 乐谱没有排版，缺少 Verovio：{ $add }
without-parts = 缺少 { AND($parts) }：{ $why }
small-sound = 录音（{ $size }）为压缩副本（MP3）：--no-small-audio 逐字节保留原文件
without-media = { $kind ->
    [pictures] { $n } 张图片已不在原处，或与展示过的不同
   *[recordings] { $n } 段录音已不在原处，或与播放过的不同
}
without-tunes = { $n } 首曲调无法由 Verovio 读取，以文本显示
left-out-media = 这个单一文件略去了 { $n } { $kind ->
    [pictures] 张图片
   *[recordings] 段录音
}：请用 -o DIR 生成文件夹
trials-listed = { $of } 题中列出 { $n } 题，按题名抽取，与结果无关；所有数字都基于全部题目
