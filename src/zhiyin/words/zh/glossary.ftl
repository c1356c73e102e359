# 表头缩写的含义：shown/terminal.py。

glossary-title = 表头与术语含义
glossary-key = { CLAUSES($terms) }
term = { $name ->
    [answered] 作答率，ans.
    [accuracy] 正确率，acc.
    [interval] 95 % 区间
    [precision] 精确率，prec.
    [IFR] 可读率，IFR
    [chance] 随机
    [recall] 召回率
    [MDE] 可检出差异，MDE
    [p] p
    [kappa] κ
    [alpha] α
    [floor] 随机水平
    [body] 形式，body
    [policy] robust@6
    [flips] 整簇符号翻转
    [Holm] Holm 校正
    [canary] 探测题，canary
   *[other] { $name }
}
term-brief = { $name ->
    [answered] ans.：可读答案数
    [accuracy] acc.：全部中答对的比例
    [precision] prec.：可读答案中答对的比例
    [IFR] IFR：全部中可读的比例
   *[MDE] MDE：检验功效 80 % 时可检出的最小差异
}
term-meaning = { $name ->
    [n] 已评判的题次；调用失败的不计在内
    [answered] 能读出答案的回答，以数目或占已评判题次的百分比表示
    [accuracy] 答对的题次占全部已评判题次的百分比；读不出答案的按答错计
    [interval] 95 % 置信区间；同一题的各次作答、同一录音或乐曲的各题合并计算
    [precision] 在能读出答案的回答中，答对的百分比
    [F1] 精确率与召回率的调和平均；每题只要一个答案时，召回率即正确率
    [IFR] 指令遵循率：能读出答案的回答所占比例
    [chance] 在选项中随机猜测时的平均正确率
    [recall] 实有者中被找出的比例；对某个字母：它为正确答案时被选中的比例
    [MDE] 以这样的样本量，在 80 % 的情况下能检出的最小真实差异（最小可检测效应，检验功效 80 %）
    [p] 仅凭偶然出现不小于此的差异的概率；“校正后”指已按比较次数校正
    [SD] 标准差：单个数值偏离平均值的程度
    [SE] 标准误：估计值随样本波动的程度
    [floor] 在选项中随机猜测时的平均正确率
    [body] 一段音乐的呈现形式：MIDI 文本、ABC、MusicXML、kern、图片或声音
    [RStd] 各字母召回率的标准差：0 表示各字母同样易被找出，越大表示越偏爱某些字母
    [Holm] 对多次检验的 p 值校正：其中任何一项仅凭偶然显著的概率不超过 5 %
    [flips] 差异的检验：把每段录音或每题（一个聚类）的差异符号随机翻转，看有多少次差异同样大
    [canary] 先问的几道答案显而易见的题，听得见（或看得见）的模型都能答对；未通过者不能证明用到了声音
    [policy] 从回答中读取答案的规则，@ 之后为版本
    [kappa] Cohen κ：超出随机的一致程度；0 为随机水平，1 为完全一致
   *[alpha] Krippendorff α：超出随机的一致程度；0 为随机水平，1 为完全一致
}
