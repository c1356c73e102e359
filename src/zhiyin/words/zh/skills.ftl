# 哪项技能用哪个模型：analysis/skills.py。

skill-order = { $others ->
    [0] { $best }
   *[other] { $alike ->
        [0] { $best } 显著优于其余每一个
       *[other] { $others ->
            [1] 两个模型没有显著差异
           *[other] { $best }，未显著优于 { AND($alike) }
        }
    }
}
skill-for-scale = { $text ->
    [none] 参照
   *[some] { $text }。参照
}：{ CLAUSES($clauses) }
skill-scale = { $side ->
    [above] { FEW($who) } 显著更高
    [level] { FEW($who) } 无显著差异
   *[below] { FEW($who) } 显著更低
}
skill-baselines = 只有基线
