# 多个基准共有的表：analysis、contract、judges。
head = { $name ->
    [average] 平均
    [average-score] 平均分
    [average-precision] 平均分（精确率）
    [master] 硕士
    [doctor] 博士
    [female] 音乐中的女性
    [black] 黑人非洲音乐
    [region] 地区
    [european] 欧洲
    [F1-share] F1（%）
    [IFR] 可读率
    [ability] 能力
    [acc] 正确率
    [acc-share] 正确率（%）
    [accidental] 变音记号
    [accuracy-share] 正确率（%）
    [after] 之后（%）
    [agree] 一致
    [all-right] 全对
    [among-people] 在人群中（按先验）
    [analysing] 分析（%）
    [answers] 回答
    [as-reply] 与回答一致（%）
    [before] 之前（%）
    [bias] 偏向
    [bodies] 形式
    [by-guessing] 随机猜测（%）
    [chance] 随机
    [chance-share] 随机（%）
    [chats] 对话
    [chosen] 被选
    [chosen-by] 选择方式
    [completeness] 完整性
    [cut] 截断
    [cut-off] 截断
    [depends-on] 取决于
    [difference] 差
    [dimension] 维度
    [distractors-share] 干扰项（%）
    [draws-share] 抽取或上下限（%）
    [drop] 下降
    [edits] 编辑数
    [estimate] 估计值
    [evading] 回避（%）
    [exact] 完全正确
    [exact-published] 完全正确，已发表
    [exact-share] 完全正确（%）
    [example] 例子
    [exec] 可判定
    [f1-published] F1，已发表
    [f1-share] F1（%）
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
    [group-share] 组（%）
    [heard] 听到
    [high] 上限
    [high-95] 95 % 上限
    [in-words] 不同措辞之间
    [index] 感知指数
    [instead] 换成
    [interval-95] 95 % 区间
    [it] 含义
    [items] 题数
    [kind] 题型
    [lapses-share] 失误率（%）
    [level] 水平
    [letter-most] 选得最多的字母
    [letter-share] 它占回答的比例（%）
    [lost] 损失
    [low] 下限
    [low-95] 95 % 下限
    [main] 主要方式
    [main-now] 主要方式 − 现在
    [majority] 多数（%）
    [mean] 平均
    [missing] 缺失
    [mistake] 失误
    [mode] 方式
    [moves] 随之而变
    [need-more] 需要更多（%）
    [no-list] 没有列表
    [no-vote] 无票
    [qa] 问答
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
    [precision] 精确率
    [published] 已发表
    [questions] 题数
    [comprehension] 理解
    [generation] 生成
    [recall-accuracy] 召回率
    [recall] 召回率
    [repairs] 修正
    [replies] 回答
    [replies-before] 此前的回答
    [replies-by] 读取规则
    [right] 正确
    [right-at-threshold] 该处正确率（%）
    [right-share] 正确（%）
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
    [subthemes] 子类
    [task] 任务
    [this-run] 本次运行
    [threshold] 阈值
    [to] 上限
    [total] 总分
    [tracks] 曲目
    [trials] 题数
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
    [unread-share] 读不出（%）
    [se-design] 标准误（按现设计），百分点
    [se-once] 标准误（各问一次），百分点
    [share-of-items] 占比（%）
    [share-of-it] 占总和（%）
    [variance] 方差
    [answered] 可读
    [before-and-after] 之前与现在（%）
    [input] 输入
    [output] 输出
    [cached] 缓存
    [audio] 声音
    [measure] 指标
    [minute] 每分钟
    [interval-short] 95 % 区间
    [interval-bare] 区间
    [errors-short] 出错
    [errors] 出错
    [err] 出错
    [a-second] 次/秒
    [by-chance] （随机）
    [of-answers] 占回答（%）
    [of-trials] 占题目（%）
    [recall-share] 召回率（%）
    [answers-share] 回答（%）
    [category-share] 类别（精确率，%）
    [readable-share] 可读（%）
    [readable] 可读
    [right-of-these] 其中正确
    [evasive] 回避
    [refused] 拒答
    [bare] 只有字母
    [constant] 总选一项
    [corrected] 扣除随机
    [letter] 字母
    [right-by-the-key] 标准答案
    [scores-and-chance] 得分与随机水平
    [how-it-replies] 怎样作答
    [letters] 字母
    [done] 完成
    [failed] 失败
    [left] 剩余
    [last] 最近
    [usd] usd
    [model] 模型
    [date] 日期
    [size] 大小
    [last-used] 最近使用
    [benchmark-version] 基准版本
    [lowest] 最低
    [highest] 最高
    [judged] 已评
    [pass] 通过
    [surely] 确定通过
    [surely-not] 确定不通过
    [calls] 调用
    [clips] 片段
    [time] 用时
    [to-ask] 待提问
    [stage] 阶段
    [went-in] 进入
    [fell] 淘汰
    [kept] 保留
    [number] 数
    [test] 检验
    [term] 项
    [cell] 单元
    [contrast] 对比
    [misses] 漏读
    [false] 误读
    [wrong] 错误
    [heard-as] 听成
    [chi-square] 卡方
    [df] 自由度
    [item] 题
   *[other] { $name }
}
from-to = { $low } 至 { $high }
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
one-log-ifr = { $rule } 可读率（%）
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
judged-sums = 评分者算错、以我们的计算为准的总和：{ $n } 处
judged-quotations = 评分者引用而乐评中并不存在的文字：{ $n } 处
measured = 测量结果
