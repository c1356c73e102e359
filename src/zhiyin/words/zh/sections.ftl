# 多个评测共有的表：analysis、contract、judges。

measured = 测量结果

head = { $name ->
    [F1-share] F1，%
    [IFR] 可读率
    [ability] 能力
    [acc] 正确率
    [acc-share] 正确率，%
    [accidental] 变音记号
    [accuracy-share] 正确率，%
    [after] 之后，%
    [agree] 一致
    [all-right] 全对
    [among-people] 在人群中（按先验）
    [analysing] 分析，%
    [answers] 回答
    [as-reply] 与回答一致，%
    [before] 之前，%
    [bias] 偏向
    [bodies] 形式
    [by-guessing] 随机猜测，%
    [chance] 随机
    [chance-share] 随机，%
    [chats] 对话
    [chosen] 被选
    [chosen-by] 选择方式
    [completeness] 完整性
    [cut] 截断
    [cut-off] 截断
    [depends-on] 取决于
    [difference] 差
    [dimension] 维度
    [distractors-share] 干扰项，%
    [draws-share] 抽取或上下限，%
    [drop] 下降
    [edits] 编辑数
    [estimate] 估计值
    [evading] 回避，%
    [exact] 完全正确
    [exact-published] 完全正确，已发表
    [exact-share] 完全正确，%
    [example] 例子
    [exec] 可判定
    [f1-published] F1，已发表
    [f1-share] F1，%
    [fact] 事实
    [families] 组
    [faults] 错误
    [figure] 指标
    [finding] 发现
    [first-points] 前者，百分点
    [flips] 翻转
    [from] 下限
    [from-others] 与其他水平之差，百分点
    [group] 组
    [group-share] 组，%
    [heard] 听到
    [high] 上限
    [high-95] 95 % 上限
    [in-words] 不同措辞之间
    [index] 感知指数
    [instead] 换成
    [interval-95] 95 % 区间
    [it] 含义
    [items] 题
    [kind] 题型
    [lapses-share] 失误率，%
    [level] 水平
    [letter-most] 选得最多的字母
    [letter-share] 它占回答的比例，%
    [lost] 损失
    [low] 下限
    [low-95] 95 % 下限
    [main] 主要方式
    [main-now] 主要方式 − 现在
    [majority] 多数，%
    [mean] 平均
    [missing] 缺失
    [mistake] 失误
    [mode] 方式
    [moves] 随之而变
    [need-more] 需要更多，%
    [no-list] 没有列表
    [no-vote] 无票
    [novelty] 新颖性
    [now] 现在
    [octave] 八度
    [offered] 提供
    [on-exec] 可判定者的正确率
    [options] 选项
    [other-bar] 其他小节
    [other-kind] 其他
    [otherwise] 读取不同
    [ours-because] 我们的读取，原因
    [pairs] 对
    [people] 人
    [points] 百分点
    [points-lost] 损失的百分点
    [pooled] 合并
    [prec] 精确率
    [precision] 精确性
    [published] 已发表
    [questions] 题
    [recall] 召回率
    [repairs] 修正
    [replies] 回答
    [replies-before] 此前的回答
    [replies-by] 读取规则
    [right] 正确
    [right-at-threshold] 该处正确率，%
    [right-share] 正确，%
    [rule] 规则
    [same-reply] 相同回答
    [score] 得分
    [second-points] 后者，百分点
    [seconds] 最多秒数
    [seconds-heard] 秒
    [skill] 能力
    [slope] 斜率
    [some-right] 部分正确
    [song] 歌曲
    [sounds] 听到的声音
    [split] 部分
    [stays] 保持不变
    [step] 步
    [strict] 严格
    [strict-acc] 严格正确率
    [strict-f1] 严格 F1
    [subthemes] 子主题
    [task] 任务
    [this-run] 本次运行
    [threshold] 阈值
    [to] 上限
    [total] 总分
    [tracks] 曲目
    [trials] 题
    [true-audio] 真实声音
    [type] 类型
    [unit] 单位
    [unread] 未读出
    [value] 值
    [what-changed] 改变了什么
    [run] 运行
    [levels] 所问水平
    [lower] 下端
    [upper] 上端
    [told] 阈值（文字）
    [way] 方式
    [share] 比例
    [what] 内容
    [se] 标准误
    [of-them] 其中
    [read-otherwise] 不同
    [rule-because] 该规则的理由
    [source] 来源
    [unread-is] 则
    [unread-share] 读不出，%
    [se-design] 标准误（按现设计），百分点
    [se-once] 标准误（各问一次），百分点
    [share-of-items] 占比，%
    [share-of-it] 占总和，%
    [variance] 方差
   *[other] { $name }
}

from-to = { $low } 至 { $high }
all-is-main = “全部”只含评测的主要提问方式；其他条件各有自己的结果
n-of = { $of } 个中的 { $n } 个
examples-missing = 数据的一部分：{ $of } { $unit ->
    [examples] 例
   *[questions] 题
}中略去 { $n } { $unit ->
    [examples] 例
   *[questions] 题
}，缺少{ $what ->
    [pictures] 图片
   *[recordings] 录音
}

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

# 选项的对数概率。

likelihood-title = 按选项的对数概率
likelihood-way = { $way ->
    [reply] 回答，按读取
    [letter] 字母
    [letter-prior] 字母，减去本来就会说的倾向
    [text] 文字
    [text-length] 文字，按字节
   *[text-prior] 文字，减去本来就会说的倾向
}
likelihood-note = 选择：模型认为最可能首先说出的选项；正确：仅就有正确答案的题；与回答一致：两者都作出选择时选项相同
likelihood-missing = { $of } 题中 { $n } 题没有对数概率（{ $times } × { $cause }）

# 同一日志，按多种规则读取。

one-log-title = 同一日志，按多种规则读取
one-log-columns = 各列：{ NAMES($rules) }
one-log-ifr = { $rule } 可读率，%
one-log-same = { $ours } 与 { $other } 在全部 { $n } 个回答中得到相同的正确答案
one-log-differ = 按 { $ours } 正确而按 { $other } 不正确：{ $of } 个回答中的 { $n } 个{ $causes ->
    [none] {""}
   *[other] （{ CLAUSES($causes) }）
}；相反的情况：{ $won } 个

# 音频注意力测试与干扰项。

attention-title = 音频注意力
attention-few = 音频注意力测试：无法判定；对 { $n } 首曲目的检验无法显示下降
attention-not-run = 音频注意力测试：无法判定，因为 noise 与 swap 都没有运行
attention-verdict = 音频注意力测试：{ $passed ->
    [true] 通过；换成 { AND($audio) } 后正确率显著下降
   *[false] 未通过；换成 { AND($audio) } 后没有显著下降
}{ $missing ->
    [none] {""}
   *[other] （未运行 { $missing }）
}
attention-passed = { $passed ->
    [true] 通过
    [false] 未通过
   *[none] -
}
attention-note = 真实声音、现在：真实声音与替换后的正确率（%）；不作回答按猜测计；下降：百分点，及按曲目的 95 % 区间；翻转：按曲目的符号翻转 p（以此为准）；McNemar：按题的精确 p
attention-left-out = 只在一种条件下判分的 { $n } 题被略去
distractors-title = 干扰项（图 6a）
distractors-with = { $name }（音频 { $audio }）
distractors-note = { NAMES($kinds) }：错误但相关、正确但无关、错误且无关

# 评分者对一次运行的评分。

judged-songs = 各首歌的得分
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
judged-lacking = { $name }（{ $why ->
    [failed] 全部评分失败
    [not-run] 未运行
    [questions-failed] 全部题目失败
    [nothing] 没有可评的内容
    [unknown] 对任何歌曲都一无所知
    [undecided] 没有乐评提出证据可判定的说法
    [undecided-there] 没有乐评提出现有评分可判定的说法
   *[other] { $why }
}）
judged-no-total = 没有总分：{ $whole ->
    [true] 全部失败
   *[false] 评分缺失，一无所知
}：{ NAMES($parts) }
judged-without = 总分不含 { NAMES($parts) }：只基于 { $names }，权重 { $weights }
judged-unwritten = 未写出的乐评，无论谁评分都没有要点和说法：{ $n } 篇
judged-missing = { $of } 次评分中缺失 { $n } 次，不计入任何数字（第一次：{ $first }）；再次运行同一命令即可补问
judged-sums = 评分者算错、以我们的计算为准的总和：{ $n } 处
judged-quotations = 评分者引用而乐评中并不存在的文字：{ $n } 处
judged-silent = 没有说法的乐评，按发布的规则精确性计 0：{ $n } 篇
judged-lexical = lexical 评分者依据词表：其得分不能与语言模型的评分比较
judged-heard = { $of } 段录音中听了 { $n } 段；由此判定的说法：{ $decided } 条（{ $right } 条正确）
judged-warning = 警告：{ $what }
judged-spread = { $judge }，{ $aspect }：{ $n } 段文字的 { $draws } 次评分相差 SD { $sd }（最大极差 { $widest }）
judged-agreement = { AND($judges) }，{ $aspect }，{ $n } 段文字：
judged-measure = { $kind ->
    [alpha] Krippendorff's alpha
    [icc] ICC(A,1)
   *[kappa] 加权 kappa
} { $figure }{ $texts ->
    [none] {""}
   *[other] ，{ $texts } 段文字
}
judged-length = { $judge }，{ $aspect } 与长度：秩相关 { $rank }，{ $n } 段文字
judged-scales = 人按 { $low } 至 { $high } 评分，评分者各有自己的量表：无法给出 alpha 与偏差
judged-people = { $judge } 与{ $people ->
    [none] 人
   *[other] { $people } 人
}相比，{ $aspect }：{ $alpha ->
    [none] {""}
   *[other] alpha { $alpha }，
}秩相关 { $rank }{ $bias ->
    [none] {""}
   *[other] ，偏差 { $bias }
}，{ $n } 段文字
judged-powered = 校正后的均值（prediction-powered）：{ $figure }；{ $judge ->
    [none] {""}
   *[other] 仅评分者 { $judge }，
}仅人 { $people }
