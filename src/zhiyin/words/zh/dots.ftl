# 一个基准的图：每行一项任务或一个模型。

dots-task = 任务
dots-right = 正确率（%）
dots-sizes = 题数 { $sizes }
dots-items = 共 { $n } { lead-units }
dots-apart = 两者之差{ $unit ->
    [none] （百分点）
   *[other] （{ $unit }）
}
dots-behind = 落后于{ $best ->
    [none] 同一设定中的最佳者
   *[other] { $best }
}{ $unit ->
    [none] （百分点）
   *[other] （{ $unit }）
}
dots-lines = 横线为 95 % 区间。
dots-dashed = 虚线为随机猜测{ $bold ->
    [true] ；粗体数字显著高于猜测{ $tasks ->
        [true] （对全部任务与模型作了校正）
       *[false] { dots-runs }
    }
   *[false] ；{ $n ->
        [1] 该数字未显著高于猜测
       *[other] { $n } 个有区间的数字均未显著高于猜测{ $tasks ->
            [true] （对全部任务与模型作了校正）
           *[false] { dots-runs }
        }
    }
}。
dots-runs = { $n ->
    [1] {""}
   *[other] （对本页全部运行作了校正）
}
dots-gaps = 差值为{ $first ->
    [none] {""}
   *[other] { $first } 减 { $second }，
}两者共有题目上的配对差{ $bold ->
    [true] ；粗体者按所有比较校正后显著
   *[false] ；{ $n ->
        [1] 不显著
       *[other] 按全部 { $n } 项比较校正后均不显著
    }
}。
dots-people = 人
dots-guessing = 虚线：随机水平。
dots-settings = 颜色较浅、横线断开：同一模型的另一种设置。
dots-hollow = 空心：对所有题（或百分之九十九）给出同一答案，正确与否只取决于答案分布，故不画区间。
dots-published = 灰色空心：{ $name }，已发表的结果。
dots-small = 未画出：{ NAMES($names) }，所问不足 { $least } 题。
dots-published-more = 另有 { $n } 项已发表的结果只涉及其中一部分或其他指标，例如 { $name }：{ $group } 的 { $figure } 为 { SHARE($value) }。

# 一句话说明在多少项任务上高于猜测

claim-tasks = { EACH($each) }
claim-dose = { $who } 听到 { NUMBER($value, decimals: 1) } 秒时达到声音所带来提升的一半。
claim-with = 仅在{ $alone }时：{ $text }
claim-better = { $who } { $also ->
    [true] { $n ->
        [all] 也在全部 { $of } 项中高于随机猜测
        [0] 没有一项高于随机猜测
       *[other] 有 { $n } 项高于随机猜测
    }
   *[false] { $n ->
        [all] 在全部 { $of } 项任务中都高于随机猜测
        [0] 在 { $of } 项任务中没有一项高于随机猜测
       *[other] 在 { $of } 项任务中有 { $n } 项高于随机猜测
    }{ $small ->
        [0] {""}
       *[other] （另有 { $small } 项题数太少，无法判断）
    }
}{ $always ->
    [0] {""}
    [all] ，并在每项中始终（或几乎始终）给出同一答案
   *[other] ，并在 { $always } 项中始终（或几乎始终）给出同一答案
}。

# 图下的检查

ask-read = 能否读出答案？
check-read = { $so ->
    [yes] 能
    [no] 不能
   *[part] 部分
}
check-read-of = { WHOLE($of) } 个回答中有 { WHOLE($n) } 个能读出答案
check-in-tasks = { $of } 项任务中的 { $n } 项
check-task = { $task }一项（{ $text }）
check-within = { $so ->
    [true] 其中
   *[false] 不包括
}{ FEW($each) }
check-of = { FEW($who) }：{ $text }
check-each = { CLAUSES($each) }
