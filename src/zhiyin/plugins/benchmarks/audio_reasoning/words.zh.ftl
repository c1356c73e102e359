mmau-summary = MMAU test-mini：关于音乐、声音和语音的 1,000 题；字符串匹配与我们的读取并列
mmar-summary = MMAR：需要推理的 1,000 题；音乐、语音、声音及其混合
mmar-rubrics-summary = MMAR-Rubrics：MMAR 的题目，答对时由评分者逐条评定推理
mmar-rubrics-board = 按评分细则的推理：排行榜的两个数字
mmar-rubrics-head = { $name ->
    [model] 模型
    [track] 赛道
    [rubrics] 细则得分
   *[right] 答对（%）
}
mmar-rubrics-mine = 本次运行{ $judge ->
    [none] {""}
   *[other] ，评分者 { $judge }（评 { $draws } 次）
}
mmar-rubrics-track = { $agents ->
    [true] 智能体
   *[other] 单一模型
}
mmar-rubrics-note = 细则得分：五条标准中满足的比例，答错为 0；评三次及以上时逐题去掉最高与最低
mmar-rubrics-missing = { $n } 个答对的题没有评分：数值介于两者之间
mmar-rubrics-unjudged = 推理尚未评分：`zhiyin judge RUN -m JUDGE --aspects reasoning --draws 5 --language en`

reproduce-ids = { $replies }：只有 id 与回答；请同时用 --replies 给出 { $name }
