# What `zhiyin judge` prints of a run.
judged-failures = { $run } 的失误，{ $judge ->
    [none] 仅按规则命名
   *[other] 由 { $judge } 命名
}：{ $n } 道选择题
judged-failure-shown = { $case }，由{ $by ->
    [rule] 规则
   *[other] { $by }
}：“{ $quote }”{ $reason ->
    [none] {""}
   *[other] （{ $reason }）
}
judged-failures-unnamed = 未命名：{ $n }（第一个为 { $first }：{ $reason }）
judged-note = 注：{ $what }
judged-reasoning = { $run } 的推理，由 { $judge } 评分：{ $n } 题中 { $right } 题答对；答错记 0
judged-reasoning-group = { $name }  { $score }，{ $n } 题{ $missing ->
    [0] {""}
   *[other] ，缺少评分：{ $missing }
}
judged-reasoning-trimmed = { $draws } 次评分去掉最高和最低一次：{ $score }
judged-reasoning-stable = 逐题去掉 { $draws } 次评分的最高与最低（与公布的做法一致）：{ $score }；答对率：{ $right }
judged-reasoning-missing = 缺少评分之处，数值介于一条标准都不满足与全部满足之间；再次运行同一命令会重新询问
judged-reasoning-partly = { $n } 题的 { $draws } 次评分缺少一部分，以其余的均值计；再次运行同一命令会重新询问
judged-confidence = { $title ->
    [claims] 对陈述的置信度，由 { $judge } 评分
   *[answers] 置信度
}（{ NAMES($sources) }；{ $unknown } { $title ->
    [claims] 条陈述
   *[answers] 个回答
}没有置信度）
judged-confidence-figures = 期望校准误差：{ $ece }，布赖尔分数：{ $brier }，置信度减正确率：{ $bias }
judged-confidence-bin = { $low }-{ $high }  所述 { $said }  正确 { $right } |{ $bar }| n = { $n }
judged-confidences = 各部分的置信度，由 { $judge } 评分
judged-confidence-of = { $n } { $part ->
    [qa] 个回答
    [precision] 条陈述
    [total] 个置信度
   *[other] 篇乐评
}
judged-confidence-unknown = { $name }：未知；{ $unknown }没有置信度
judged-confidence-part = { $name }：所述 { $said }，达到 { $reached }，偏差 { $bias }{ $gap ->
    [none] {""}
   *[other] ，平均差距 { $gap }
}；{ $known ->
    [none] 有置信度的各部分，按总分的权重
   *[other] { $known }（{ $unknown } 没有置信度）
}
judged-confidence-points = 完整性与新颖性是得分的比例，没有对错之分：只有偏差和平均差距，没有校准误差。
judged-close = 词表评分与 { $n } 个已评分例子的一致程度，{ $aspect ->
    [completeness] 完整性
    [precision] 属实性
    [novelty] 新颖性
   *[other] { $aspect }
}：等级相关 { $rho }，相差 { $off } { $share ->
    [true] 个百分点
   *[false] 分（满分 { $most }）
}（偏差 { $bias }）

# 评分运行的说明。
judge-instructed = { $case }：似乎在指示评分者（{ $words }）：已加界定并评分，请查看
judge-details = 似乎在指示评分者的歌曲资料：{ $n } 份（{ $words }）；请查看数据
judge-without = 没有{ $needs ->
    [details] 歌曲资料
    [heard] 测听结果
   *[evidence] 歌曲资料，也没有测听结果
}，因而没有 { $aspect }：{ $n }
judge-ours = --released { $released } 没有 { NAMES($aspects) } 的提示：以我们自己的提示提问
judge-wrong = 答错者不经评分即为 0：{ $of } 题中的 { $n } 题
judge-ruled = 按规则命名，未经评分：{ $of } 题中的 { $n } 题

judge-setting = { setting-name }{ $value ->
    [none] {""}
   *[some] ：{ AND($each) }
}
judged-songs = 各首歌的得分
judged-part = { $name ->
    [qa] 问答
   *[other] { table-part }
}
judged-for = { $only ->
    [true] 只评
   *[false] 评
}{ AND($names) }
judged-why = { $why ->
    [every-judgement-failed] 全部评分失败
    [not-run] 未运行
    [every-question-failed] 全部题目失败
    [nothing-to-judge] 没有可评的内容
    [nothing-is-known-of-any-song] 没有任何歌曲的资料
    [no-review-makes-a-claim-that-the-evidence-decides] 没有乐评提出证据可判定的陈述
    [no-review-makes-a-claim-that-the-judgements-there-are-decide] 没有乐评提出现有评分可判定的陈述
   *[other] { $why }
}
judged-head = { $name }{ $most ->
    [none] {""}
   *[other] { " " }/{ $most }
}
judged-title = 评分者：{ $who }{ $by ->
    [none] {""}
   *[other] （按 { $by }）
}
judged-bounds = 若缺失的全部最差或全部最好：总分 { SHARE($low) } 至 { SHARE($high) }
judged-same = 评分者与被评模型相同（{ $judge }）：模型偏爱自己的文字
judged-kin = 评分者 { $judge } 与被评模型 { $candidate } 属同一家族（{ $family }）：模型偏爱同族；请再由另一家族评分
judged-lacking = { judged-part }（{ judged-why }）
judged-no-total = 没有总分：{ $whole ->
    [true] {""}
   *[false] 评分缺失，一无所知：
}{ NAMES($parts) }
log-judge-error = 评分出错：{ $why }
log-judge-also = { $first }；另外：{ $second }
log-judge-no-json = 回答中没有 JSON 对象
log-judge-cut = JSON 不完整，被截断
log-judge-tangled = JSON 错误太多，无法修复
log-judge-full = 回答达到长度上限：{ $why }
log-judge-no-field = JSON 对象中没有下列任何一个字段：{ NAMES($fields) }
log-judge-no-number = “{ $field }”为{ $shown }，不是 0 至 { $most } 的数
log-judge-out-of = “{ $field }”为{ $shown }，满分不是 { $most }
log-judge-range = “{ $field }”为 { $score }，不在 { $low } 至 { $high } 之间
log-judge-yes-no = “{ $field }”为{ $shown }，既不是 true 也不是 false
log-judge-no-word = “{ $field }”为{ $shown }，不是 { NAMES($words) } 之一
log-judge-no-list = 没有列表“{ $field }”
log-judge-not-list = “{ $field }”不是由对象组成的列表
log-judge-value = “{ $value }”
log-judge-missing = 空
log-judge-list = 含 { $n } 项的列表
log-judge-object = 含 { $n } 项的对象
log-judge-points = 缺少要点：{ NAMES($points) }
log-judge-unheard = “{ $field }”依据“heard”（所听），而录音没有测听
log-judge-heading = { $heading } 之后没有数字
log-judge-unstated = 既没有写出事实声明的总数，也没有写出百分比
log-judge-novelty = 没有写出满分为 4 的新颖性得分
log-judge-quote = 引文“{ $quote }”不在被评的回答中
log-judge-no-quote = 没有引用被评的回答
log-judge-criterion = “criterion”为 { $number }，不是 1 至 { $count } 的编号
log-judge-twice = 第 { $number } 条标准评了两次
log-judge-lost = { $count } 条标准中的第 { $number } 条没有评
log-judge-mark = “answer”为 { $answer }，不是选项，也不是“none”或“unsure”
log-judge-no-rule = 没有规则可以命名：请交给评分者
log-judge-no-reply = 没有回答
log-judge-not-asked = 没有询问评分者
judged-without = 总分不含 { NAMES($parts) }：只基于 { AND($names) }，权重 { $weights }
judged-unwritten = 未写出的乐评，无论谁评分都没有要点和陈述：{ $n } 篇
judged-missing = { $of } 次评分中缺失 { $n } 次，不计入任何数字：{ FEW($cases) }（第一次：{ $first }）；再次运行同一命令即可补问
judged-silent = 没有陈述的乐评，按发布的规则属实性计 0：{ $n } 篇
judged-lexical = lexical 评分者依据词表：其得分不能与语言模型的评分比较
judged-heard = { $of } 段录音中听了 { $n } 段；据此{ $decided ->
    [0] 没有陈述可以判定
   *[other] 判定陈述 { $decided } 条，其中 { $right } 条正确
}
judged-open = 证据无法判定、不计入任何数字的陈述：{ $n }
judged-warning = 警告：{ $what }
judged-spread = { $judge }，{ $aspect }：{ $n } 段文字的 { $draws } 次评分相差 SD { $sd }（最大极差 { $widest }）
judged-agreement = { AND($judges) }，{ $aspect }，{ $n } 段文字：
judged-measure = { $kind ->
    [alpha] Krippendorff α
    [icc] ICC(A,1)
   *[kappa] 加权 kappa
} { $figure }{ $texts ->
    [none] {""}
   *[other] ，{ $texts } 段文字
}
judged-length = { $judge }，{ $aspect } 与长度：等级相关 { $rank }，{ $n } 段文字
judged-scales = 人按 { $low } 至 { $high } 评分，评分者各有自己的量表：无法给出 alpha 与偏差
judged-people = { $judge } 与{ $people ->
    [none] 人
   *[other] { $people } 人
}相比，{ $aspect }：{ $alpha ->
    [none] {""}
   *[other] alpha { $alpha }，
}等级相关 { $rank }{ $bias ->
    [none] {""}
   *[other] ，偏差 { $bias }
}，{ $n } 段文字
judged-powered = 校正后的均值（prediction-powered）：{ $figure }；{ $judge ->
    [none] {""}
   *[other] 仅评分者 { $judge }，
}仅人 { $people }

judges-unknown = 尚不清楚：每段文字只由一个评分者评过一次；请用 --draws 再评，或换一个评分者

report-judges = 评分者的可靠性：
audit-drawn = 已从 { $of } 个回答中抽取 { $n } 个，尚未标注

aspect-unread = { $path }：{ $strerror }：文件是否存在，是否为文件？
aspect-titled = { $title }
aspect-name = { $path }：名称 { $name }：请用小写字母、数字、- 与 _
aspect-taken = { $path }：名称 { $name } 已被占用：请另取一个
aspect-scale = { $path }：scale [{ $low }, { $high }]：请先写最低分（不小于 0），再写最高分
aspect-of = { $path }：of：自定义的方面只用于乐评：请去掉
aspect-no-prompt = { $path }：没有提示：请写 prompt = "..."，其中含 {"{"}text{"}"}：{ $see }
aspects-mixed = --aspects { $value }：failures 与 reasoning 针对选择题，其余针对乐评：请只写 failures 或 reasoning，或写 { $graded } 中的几项以及您的文件
aspects-twice = --aspects { $name }：名称 { $nameb } 已被另一项占用

judge-none-written = { $folder }：{ $empty } 篇乐评都没有写出：没有可评的内容
judge-default = 没有用 -m 指定评分者，因此默认用 { $judge }（设置了 OPENAI_BASE_URL 则在该地址）：{ $why }；-m MODEL 可换用别的模型{ $lexical ->
    [true] ，-m lexical 按词表评分，不需要模型和密钥
   *[false] {""}
}
judge-no-review = { $folder }：其中没有可评的乐评：请给出要求写乐评的基准的运行，或用 --aspects failures 归类失误
judge-none-wrong = { $folder }：其中没有答错的选择题：没有可归类的失误
judge-no-criteria = { $folder }：其中的题都没有推理的评分标准：请给出数据带有标准的基准的运行，例如每题附有评分细则的基准

judge-weights = --weights { $text }：请为 { $components } 写四个数，例如 30/40/20/10

judge-human-failures = --human：失误的归类没有人的评分；请去掉
judge-human-reviews = --human：人的评分针对乐评；请去掉
audit-no-terminal = 没有终端可显示标注页面的地址：请用 `zhiyin audit { SHELL($run) } --sheet FILE`，或给出 --port
audit-by-judge = --by 用于人：评分模型以自己的名字标注；请去掉
audit-by-name = --by { $by }：以 { $judge } 开头的名字属于模型
audit-others = 另有 { $others } 题不是按规则读作选择的，不作核查

lexical-released = lexical 评分者依据词表，不使用提示：请去掉 --released
lexical-failures = lexical 评分者只按规则归类，此外无法归类：请给出一个模型
lexical-reasoning = lexical 评分者不能评分推理：请给出一个模型
lexical-aspect = lexical 评分者依据词表，而 { $name } 没有词表：请给出一个模型，或从 --aspects 中去掉它
audit-not-drawn = { $run }：尚未抽取：请先运行 { $first }
audit-no-run = 没有要核查的运行：请写 `zhiyin audit RUN --judge MODEL`

human-header = { $path }:1：请写表头，含 song 以及 { $graded } 中的几项
human-fields = { $path }:{ $number }：{ $header } 列之下有 { $row } 个字段：请修正该行
human-song = { $path }:{ $number }：这个运行中没有歌曲 { $cells }：请按运行中的写法填写
human-songs = { $path }:{ $number }：{ $cells } 有 { $songs } 篇乐评：请改写题目的 id
human-grade = { $where } { $cell } 不是 { $low } 至 { $high } 的数
human-folder = --human { $path }：是文件夹：请给出表格，或 `zhiyin study export` 写出的文件
human-no-texts = { $path }：其中没有人评过文本：请给出 rate 类研究的导出（不带 --pairs）
human-excluded = { $path }：其中没有有效的评分：这些人都被排除了
human-codebook = { $path }：其码本不含被评的文本：请重新导出该研究
human-other-run = { $path }：其中评过的文本都不属于这个运行：请给出制作该研究所用的运行

pack-list = { $path }：没有 { $missing }：请加上这个列表，可以为空
pack-group = { $path }：patterns，{ $name }：没有 (?P<{ $missing }>...)：请加上
pack-claim = { $path }：patterns，{ $name }：请把所陈述的内容放在 (...) 中
pack-rubric = { $folder }：评分标准 { $rubric } 没有 { $missing }：请加上
pack-unknown = 未知的 --language { $named }：{ $hint }；或给出语言包的文件夹，其中含 { $words }
pack-twice = { $folder }：语言 { $language } 已经有了：请为语言包另取名称
pack-unread = { $path }：{ $strerror }：语言包需要这个文件

heard-other = { $path }：已不是当时播放的录音

lexical-only = { $name } 只能评分：请用 `zhiyin judge RUN -m { SHELL($nameb) }`

# `zhiyin judge` 与 `zhiyin audit` 的其他输出。
judged-mode = { $mode ->
    [auditory_hallucination] 听觉幻觉
    [language_hallucination] 语言幻觉
    [training_data_bias] 训练数据偏差
    [matching_error] 匹配错误
    [comprehension_error] 理解错误
    [reasoning_error] 推理错误
    [silence] 没有文字
    [refusal] 拒绝作答
    [evasion] 回避
    [bare_letter] 只有字母
    [guess] 猜测
    [caption] 以描述代替作答
    [other] 其他
   *[unknown] { $mode }
}：{ $n } 题（{ SHARE($share) }）
judged-none = 无
judged-between = ，介于 { $low }（缺失的全部最差）与 { $high }（全部最好）之间
judged-reliability = 评分者的可靠性
judged-kind = { $kind ->
    [personal_reactions] 个人感受
    [technical_analysis] 技术分析
    [creative_interpretations] 创意解读
    [cultural_context] 文化语境
   *[comparative_analysis] 对比分析
}
judged-whole = 各首歌、各条陈述、一致程度、全部说明：--groups all
judged-brief = 题目与乐评，由 { $judge } 评分{ $by ->
    [none] {""}
   *[other] ，按 { $by }
}
judged-brief-total = 总分：{ $figure }
judged-brief-part = { judged-part }：{ $figure ->
    [none] 无，{ judged-why }
   *[other] { $figure }，n = { $n } { $name ->
        [qa] 题
       *[other] 首歌
    }{ $missing ->
        [0] {""}
       *[other] ；缺失 { $missing }
    }
}{ $weight ->
    [none] {""}
   *[other] ，权重 { $weight }
}
audit-took = 已从 { $path } 读入 { $n } 个标注{ $draw ->
    [true] 及其抽样
   *[false] {""}
}{ $others ->
    [0] {""}
   *[other] ；{ $others } 个标注的回答不在此次抽样中
}
audit-wrote = 已将 { $n } 个回答写入 { $sheet }：请在每个“mark”中填写字母、“none”或“unsure”，然后运行 `{ $command }`
audit-unmarked = { $judge } 有 { $n } 个回答未标注：{ $why }
audit-unreadable = 其回答中没有可以读出的标注
audit-open = 请打开 { $address } 标注 { $n } 个回答（Ctrl-C 结束；每个标注立即保存）


aspects-unknown = 未知的 --aspects “{ $name }”：{ $hint }
rules-unknown = 未知的 --protocol “{ $name }”：{ $hint }
judge-holds-none = { $folder }：没有可评分的乐评：请给出要求撰写乐评的基准的运行；zhiyin.failures(run) 可指出选错的题错在何处
judge-no-clone = --released { $folder }：其中既无 prompt/{ $prompt } 也无 { $prompt }：请给出 karroyan/ReactionEvalBenchmark 的克隆
