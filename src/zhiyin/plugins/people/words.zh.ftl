study-answers = 回答（JSON lines）
people-guessing = 随机猜测的正确率为 { SHARE($value) }
people-lead = { $model } 减参与者{ $who ->
    [none] {""}
   *[some] （{ $who }）
}：{ SIGNED($lead) } 个百分点，在双方都作答的题目上为 { SHARE($ours) } 对 { SHARE($theirs) }{ $alike ->
    [none] {""}
   *[some] （每人权重相同；若模型的各题权重相同，则为 { SHARE($alike) }）
}{ $low ->
    [none] {""}
   *[some] （95 % 区间 { SIGNED($low) } 至 { SIGNED($high) }，针对其他参与者与其他题目；{ $n } 人{ $narrow ->
        [true] ；模型在少数题目上几乎全对，此区间过窄：这类区间的覆盖率更接近 90 %
       *[false] {""}
    }）
}
people-answers = { $people } 人对 { $n } 题的回答
people-averaged = 每人权重相同；区间同时针对其他人与其他题目，与 `zhiyin study show` 一致
people-orders = { $n } 个回答的选项显示顺序未知
rule-idle = 规则 { $rule } 不会排除任何人：{ $why }
rule-attention = { $n ->
    [0] 没有注意力检查题
   *[other] 只有 { $n } 道注意力检查题
}，不可能答错 { $wrong } 道：{ $n ->
    [0] 请加入检查题，或去掉这条规则
   *[other] 请改为不超过 { $n }，或增加检查题
}
rule-gold = { $n ->
    [0] 没有已知答案的题目：请指定若干题，或去掉这条规则
   *[other] 正确率不会低于 0：请提高，或去掉这条规则
}
rule-seconds = 没有人快于 0 秒：请提高，或去掉这条规则
rule-place = { $whole ->
    [true] 比例不会大于 1：请降低，或去掉这条规则
   *[false] 每人只作 { $n } 次选择，全部选同一位置也可能是偶然：请让每人多答有选项的题，或去掉这条规则
}
rule-reference = 没有哪道题在声音中隐藏了参考：请去掉这条规则，或改为在参考旁给声音评分
rule-answers = 回答数不会少于 0：请提高，或去掉这条规则
person-always = 总是选{ $words ->
    [none] 列表中的第 { $place } 项
   *[some] “{ $words }”
}
people-always = 计入的参与者中有 { $n } 人无论问什么总选同一答案或同一位置：其正确率不能说明他们的能力，而已声明的规则没有排除他们（same_place 检查位置）
people-percentile = { $model } 在 { $n } 人{ $who ->
    [none] {""}
   *[some] （{ $who }）
}中的百分等级为 { SHARE($share) }（同分计一半）{ $low ->
    [none] {""}
   *[other] ，95 % 区间 { EXACT($low) }–{ EXACT($high) }
}
study-value = { $value ->
    [education] 最高学历
    [music_major] 主修音乐（在读或已毕业）
    [music_background] 音乐背景
    [lessons_years] 学习音乐年数
    [instrument] 主要乐器
    [age] 年龄（岁）
    [hearing] 听力
    [high_school] 高中
    [bachelor] 本科
    [master] 硕士
    [doctorate] 博士
    [other] 其他
    [unsaid] 不愿透露
    [yes] 是
    [no] 否
    [normal] 正常
    [loss] 听力损失
    [unsure] 不确定
    [years_0] 无
    [years_1_2] 1–2 年
    [years_3_5] 3–5 年
    [years_6_9] 6–9 年
    [years_over_9] 10 年及以上
    [none] 无
    [voice] 声乐
    [piano] 键盘
    [strings] 弓弦
    [plucked] 弹拨
    [wind] 管乐
    [percussion] 打击乐
    [electronic] 电子
    [language] 页面语言
    [de] 德文
    [en] 英文
    [zh] 中文
    [woods] 音高响度判断（Woods 2017）
    [huggins] Huggins 音高（Milne 2021）
    [any] 标记了任一干扰项
    [each] 逐个干扰项
   *[other] { $shown }
}
study-each = { NAMES($each) }
study-people-n = 参与者{ $n ->
    [none] {""}
   *[other] （{ $n } 人）
}
study-group-n = { $group }{ $n ->
    [none] {""}
   *[other] （{ $n } 人）
}
study-field-is = { $field }为“{ $value }”
people-not-said = --by { $field }：答案中没有这一项；{ $known ->
    [none] 其中没有任何背景信息
   *[some] 已知的有 { NAMES($known) }
}
people-nothing-asked = { $folder }：这个运行没有提问过任何题
people-other-exam = { $name }：参与者要做的题，它一道也没有问：请给出同一份考试的运行，或用 `zhiyin run BENCHMARK -m MODEL` 加上制作研究时的选项（如 --data、--sample、--seed）另做一次
people-other-question = { $name }：{ $trial } 问的与参与者被问的不同：请给出数据与设置相同的运行，或用 `zhiyin run BENCHMARK -m MODEL` 另做一次
people-none-counts = 没有剩下任何计入的答案：请检查排除规则
people-other-benchmark = { $folder } 是 { $benchmark } 的运行，而参与者做的是 { $name }
people-no-common = { $model }：这些人被问的题，它一道也没有答
people-no-rows = { $path }：没有任何行
people-no-trial-column = { $path }：没有一列以考试中的题命名（例如 { $like }）：请在 [items] 下写 "column" = "id of the trial"
people-no-answers = { $path }：这些列中没有答案
people-no-column = { $path }：没有 { $column } 列（映射：{ $name }）：{ $hint }
people-nobody = { $where }：没有指明是谁：请为每行给出参与者
people-yes-no = { $where }：{ $value } 既不是 yes 也不是 no
people-two-backgrounds = { $where }：{ $value }，而同一人此前为 { $before }：请为每人只给一种背景
people-no-column-of = { $place }：没有 { $column } 列（映射：people.{ $field }）
people-role = { $where }：{ $role } 不是角色：可用的有 { NAMES($roles) }；请在 [values.role] 下说明它的含义
people-no-trial = { $where }：考试中没有题 { $name }，其中有 { NAMES($like) }：请在 [items] 下说明是哪一题
people-free = { $place }：{ $name } 是自由作答题，而表格中是选项：请略去它
people-many-answers = { $where }：有 { $keys } 个答案，而只应有一个
people-which-option = { $where }：{ $answer } 作为 { $form ->
    [none] key 或 text
   *[other] { $form }
} { $several ->
    [true] 对应 { $trial } 的多个选项
   *[false] 不是 { $trial } 的任何选项
}；选项：{ $known }：请在 [values.answer] 下说明是哪一个，或用 answers = 说明它指什么（docs/people.md）
people-keys = { $where }：没有让每个选项的 key 恰好出现一次
people-time = { $where }：{ $text } 不是时间
people-format = { $where }，format 列：格式为第 { $format } 版，而本版本读取第 { $reads } 版：请用同一版本的 zhiyin 导出研究
people-no-line = { $where }，trial 列：{ $trial } 不在 { $name } 中：请重新导出研究
people-none-yet = { $path }：还没有答案：有人参与之后再导出研究
people-kinds = { $path }：其中有多种答案（{ NAMES($kinds) }）：请给出一项研究的导出文件
rule-unknown = 规则 { $name }：答案中没有它所问的信息：请指明该列，或去掉这条规则
people-no-option = { $place }：{ $strange } 不是 { $trial } 的选项：请重新导出答案
people-order = { $trial }：所显示的选项顺序不属于这道题
people-toml = { $path }：不是 TOML（{ $why }）；请改正该行
people-column-missing = { $where }：缺少 columns.{ $name }：请指明该列，例如 { $name } = "..."
people-no-field = { $where }：values.{ $unknown }：没有这一项；可用的有 { NAMES($fields) }
people-cells = { $place }：{ $names } 个列名下有 { $cells } 个单元格：请改正该行
people-object = { $path }：应为对象之处是 { $value }
people-potato = { $path }：其中没有 PERSON/annotated_instances.jsonl：请给出 Potato 的输出文件夹
people-potato-labels = { $place }：没有 label_annotations：请给出 Potato 的 annotated_instances.jsonl
people-labels = { $place }，{ $scheme } 列：应为标签，而不是 { $labels }
people-annotations = { $place }：没有标注：请以 JSON 而非 JSON-MIN 导出项目
people-annotation-object = { $place }的第 { $at } 条标注：应为对象
people-no-right = { $name }：没有正确选项，因此无从验证
people-none-finished = 没有计入的答案：无人完成，或所有人都被排除
people-cell = { $place }、{ $column } 列
people-row = { $file } 第 { $number } { $unit ->
    [row] 行
    [task] 个任务
   *[entry] 条
}
people-annotation = { $place }的第 { $number } 条标注
people-line = 第 { $line } 行
people-json = { $where }：不是 JSON（{ $why }）
people-skipped = 有 { $n } 条标注被标注者跳过
people-truths = 有 { $n } 条标注记为标准答案，不算作答
people-misfit = { $path }：{ $why }{ $see }
people-correct = ；请改正 { $flag }
people-see-tables = ；参见 docs/people.md 的 `Tables of others`
people-see-exclusions = ；参见 docs/people.md 的 `Exclusions`
people-no-such = { $what ->
    [answer] 不是研究导出的答案
    [codebook] 不是研究的编码手册
   *[trial] 不是题
}（{ $why }）
people-empty = 有 { $n } 个空答案{ $missing ->
    [true] ，作为缺失，不计入任何数字
   *[false] ，按映射记为未答
}
people-no-item = 有 { $n } 行没有题目，不算作答
people-again = 有 { $n } 个重复的答案：只取各自的第一个
people-lacking = 参与者答过的题中有 { $n } 道，{ $name } 没有被问
people-all-hidden = 不显示全体参与者的数字：减去所显示的各组，便可推知其余 { $n } 人的答案
people-part = 每位参与者答了 { $n } 题中的 { $least }{ $most ->
    [none] {""}
   *[other] {" "}至 { $most }
} 题：各人的得分出自不同的题目
people-blank = 参与者有 { $n } 处未答：不算答案，也不计入精确率
people-silent = 有 { $n } 人什么都没有答：不计入任何数字
people-model-blank = { $who } 对 { $n } 题中的 { $without } 题没有作答，或并非每次都答：这些题不计入精确率
people-model-lacks = { $who } 对这 { $n } 题中的 { $few } 题没有已判分的答案：只就其余题目比较
