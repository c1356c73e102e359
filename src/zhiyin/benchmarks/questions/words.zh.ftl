questions-summary = 您自己的题目：`zhiyin run my_questions.csv -m MODEL`
questions-kinds = 按题型
questions-note = 随机：每题随机选一项；得分：可读答案的平均，从 0 到 1（wer 与 cer：按长度的错误率，0 最好）

questions-read = { $path }：{ $n } 题（{ NAMES($kinds) }）
questions-left-out = 因无法提问而略去（--partial）：{ $n } 行（{ $unit ->
    [row] 行
   *[line] 行
} { $lines }{ $more ->
    [true] 等
   *[false] {""}
}）
questions-columns = 各列的含义：{ CLAUSES($columns) }
questions-facts = 只作为附加信息的列：{ NAMES($columns) }
questions-encoding = 文件不是 UTF-8 编码，已按 { $encoding } 读取
questions-personal = 以下各列像是个人信息，会写入记录的每一行，请先从文件中删除：{ NAMES($columns) }
questions-examples = 样例，不计分：{ $n }{ $shots ->
    [0] ，没有给出 --shots，因此都不出示
   *[other] {""}
}{ $why ->
    [0] {""}
   *[other] ；其中任何题前都不出示的：{ CLAUSES($why) }
}
questions-unshown-for = 第 { NAMES($lines) } 行（{ $why ->
    [answer] 没有答案
    [kind] 没有同类的题目
   *[further] 排在后面，同类样例已够
}）
questions-itself = { $n } 题本身也是样例：提问时从样例中去掉
questions-several = { $several } 题按多选题提问，{ $one } 题按单选题提问（--several 则全部按多选题提问）
questions-clusters = 关于同一{ $pictures ->
    [true] 录音或图片
   *[false] 录音
}的题归为一组：没有专门的列
questions-not-shuffled = 因选项互相指涉而未打乱：{ $n } 题
questions-language = 题目是中文，题目前后的提示是英文：加 --language zh 则全用中文提问
questions-conditions = “all”只含原声与全部选项；其他每种条件各有自己的数字
questions-judged = 由 { $judge } 评分；-m replay:RUN 可对同样的回答重新评分

questions-names-answer = { $file } 含有 { $answer }
questions-empty = { $file } { $kind ->
    [silent-sound] 没有可听的声音
    [cancelling-sound] 左右声道相反：立体声可听见，混成单声道（许多模型这样做）后消失
   *[blank-picture] 只有一种颜色
}
questions-again = { $file } 与 { $twin } 相同
questions-same-options = 选项 { $options } 相同{ $keyed ->
    [true] ，其中一个为正确答案
   *[false] {""}
}
questions-dates = { $dates } 像是电子表格把拍号或分数变成的日期：请在文本单元格中重新填写
questions-points = 有选项指涉其他选项
questions-is-example = 也是样例 { $id }（{ $line }）
questions-conflict = { $id }（{ $line }）以另一答案提出同一问题
questions-repeats = { $near ->
    [true] 几乎重复
   *[false] 重复
} { $id }（{ $line }）
questions-of-kind = 其中 { questions-some }
questions-some = { $n } { $kind ->
    [choice] 道单选题
    [several] 道多选题
    [free] 道自由作答题
    [example] 个样例
   *[other] 道 { $kind } 类题
}
questions-test = { $rule ->
    [longest-is-right] 最长的选项正确
    [answerable-blind] 与问题最相似的选项正确
   *[other] { $rule } 正确
}：{ $n } 题中 { $hits } 题，随机为 { $chance } 题（{ $p }）
questions-adjusted = { $test }（校正后 p { $p }）
questions-few = 选择题少于 { $n } 道：对其答案的整体分布无从判断
questions-no-near = 未查找近似重复：{ $add }
questions-column = { $meaning ->
    [question] 题目
    [options] 选项
    [answer] 答案
    [group] 分组
    [audio] 声音
    [image] 图片
    [cluster] 聚类
    [scorer] 评分方式
    [rubric] 评分标准
    [example] 样例
    [id] 编号
   *[other] { $meaning }
}来自 { $names }
questions-both = { $first }、{ $second }
questions-unclear = { $at }：答案 { $answer } 按 { $first } 和按 { $second } 读出的选项不同：请给出 --answers { $first } 或 --answers { $second }
questions-options-twice = { $where }：既有一列选项，又有 { $single }、{ $singleb } 等列：请用 --columns options=NAME 指明
questions-one-column = --columns { $pair }：{ $meaning } 只有一列；请只写一个名称
questions-rubric = --rubric { $given }：{ $why }：请给出文本文件，或直接写出标准
questions-keep-one = { $paths } 与 { $name }：请只保留其中一个
questions-figure = { $path }：{ $name }：没有 { $figure } 这个数字，可用的有 { NAMES($figures) }
questions-share = { $path }：{ $name }：{ $figure } { $value }：请写 0 到 1 的比例
questions-kind = { $path }：{ $name }：类别 { $kind } 不在 { NAMES($kinds) } 之中
questions-other-data = { $path }：其中各行说的是另一份 { $data }（SHA-256 不同）
questions-no-figures = { $path }：没有 'name' 列，或 { NAMES($figures) } 一列也没有
questions-no-number = { $path }:{ $line }：{ $figure } { $value } 不是数字：请写 0 到 1 的比例
questions-scorer = 未知评分方式 { $spec }：{ $hint }
questions-scorer-is = 评分方式 { $spec }：{ $summary }
questions-scorer-away = 此处没有评分方式 { $spec }：请安装提供它的软件包
questions-no-swap = { $path }：没有别的录音可以与它调换：请从 --audio 中去掉 swap
questions-no-recording = --audio { $audio }：第 { $line } 行没有录音：请去掉它
questions-no-distractor = --distractors { $distractors }：第 { $line } 行没有 { $kind } 类的错误答案：distractor_kinds 列说明每个选项属于哪一类（docs/how-to/your-own-questions.md）
questions-no-utf8 = 不是 UTF-8 编码
