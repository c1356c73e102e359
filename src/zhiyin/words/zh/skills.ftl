# 哪项技能用哪个模型：analysis/skills.py。

skill-order = { $alike ->
    [0] { $best } 显著优于其余每一个
   *[other] { $others ->
        [1] 两个模型没有显著差异
       *[other] { $best }，未显著优于 { AND($alike) }
    }
}
skill-below = { $best }，但显著差于 { AND($above) }
skill-baselines = 只有基线
