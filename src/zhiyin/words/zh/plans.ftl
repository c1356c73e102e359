# Registered plans: what was expected, and what became of it.
plan-fate = { $fate ->
    [supported] 得到支持
    [refuted] 被最小关注效应否定
    [not-supported] 未得到支持
   *[undecided] 尚无定论
}
plan-title = 预注册的假设
plan-exploratory = 以下内容均未预注册，属于探索性结果：其检验均为双侧，有多个运行时还作了校正，因此可能不如预注册的单侧检验显著。
plan-no-departure = 未发现与计划不符之处。
plan-departures = 与计划不符之处
plan-departure = 与计划不符
