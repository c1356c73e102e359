exam-summary = 另一基准的自适应考试：只问十分之一的题目，按信息量选题
exam-rests = { $benchmark } 的 { $items } 道题，其中 { $known } 道依据 { $takers } 个模型或人的作答标定
exam-predicted = { $n } 道题不在题库中：其难度由所属组别与标签预测（解释了难度方差的 { $share } %）
exam-title = 考试
exam-ability = 能力（题库的 logit）
exam-by-bank = 全部题目的得分，依题库
exam-by-draw = 全部题目的得分，仅依抽样
exam-always = 同上，无论何时停止都成立
exam-asked = 问了 { $n } 题，答对 { $right } 题：这不是基准上的正确率，因为题目按信息量选取；能力的标准误 { $se }
exam-asked-alone = 问了 { $n } 题，答对 { $right } 题：这不是基准上的正确率，因为题目按信息量选取
exam-few-takers = 题库所依据的模型或人不足 { $least } 个，不足以预测得分：不给出依题库的得分
exam-fit = { $fits ->
    [yes] 没有证据表明题库不适用（{ P($p) }）
   *[no] 题库不适用于该模型（{ P($p) }）：它会难题而错易题，或见过其中一部分；请只采信仅依抽样的得分
}
exam-means = 依题库：已作答的题，加上作答模型对其余题目的预测。仅依抽样：每道题以已知概率抽出，不需要任何模型
exam-ruler = 线段为 95 % 区间；下方的轴上是题库的作答者，位于各自的能力处；超出该轴的线段被截断。
exam-score = 全部题目的得分
exam-score-of = 得分 { SHARE($share) }（{ POINTS($low) }–{ POINTS($high) }）
exam-claim = 据 { $benchmark } 的{ $asked ->
    [none] 部分题目
   *[other] {" "}{ $asked } 道题
}估计，全部 { $of } 道题中：{ AND($each) }。
exam-claim-of = { $who } 答对 { SHARE($share) }{ $strange ->
    [true] （题库不适用于它）
   *[false] {""}
}
exam-logits = { $value }（{ $low } 至 { $high }）
exam-place = 在题库作答者中的位次
exam-place-of = { $edge ->
    [above] 高于全部 { $takers } 个
    [below] 低于全部 { $takers } 个
    [none] 与全部 { $takers } 个均不能区分
   *[other] 高于 { $below } 个，低于 { $above } 个，与 { $alike } 个不能区分
}
exam-edge = 题库中没有或少有与之相似的作答者：其能力的区间超出题库作答者的范围，或所有回答都相同；因此不给出依题库的得分，仅依抽样的得分不需要题库
exam-holds = 题库是否适用于它？
exam-holds-word = { $why ->
    [edge] 未知：处于题库作答者的边缘
    [strange] 否
   *[other] 没有相反证据
}
exam-finding = { $why ->
    [strange] 题库不适用于该模型；{""}
   *[other] {""}
}由所问 { $asked } 道题估计，全部 { $of } 道题的正确率为 { SHARE($share) }（95 % 区间 { SHARE($low) } 至 { SHARE($high) }{ $why ->
    [bank] {""}
   *[other] ，仅依抽样
}）{ $why ->
    [strange] {""}
   *[other] ；在题库作答者中{ $place }
}
exam-no-bank = 没有得分与位次：{ $why }

exam-bank = 请给出 --bank，即 `zhiyin stats items RUN... --bank FILE` 写出的文件
exam-other = { $bank }：是 { $benchmark } 的题库，不是 { $of } 的：请给出它自己的题库
exam-sequences = { $name } 按序列提问，而考试抽取单独的题：请用 `zhiyin run { SHELL($name) } -m MODEL` 运行
exam-none = { $name } 在题库的设置下没有题
exam-foreign = { $name } 的 { $every } 道题都不在题库中，而题库的分组与标签也无法推及其他题：请用 `zhiyin stats items` 从这些题的运行制作题库
