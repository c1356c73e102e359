cmi-summary = CMI-Bench：以文字提问体裁、调性、标签、节拍、歌词、描述等
cmi-by = { $published ->
    [true] 按已发表的脚本
   *[false] 按该领域的标准
}
cmi-interval = 下限、上限：95 % 区间，取整段片段 1,000 次重抽样的百分位；可能无值或全部相同时没有区间
cmi-unread = 没有可读答案的回答，按空回答计（在 R² 与 r 中略去）：{ CLAUSES($tasks) }
cmi-unread-in = { $task } 中 { $of } 个里的 { $n } 个
cmi-same-labels = EMO_valence 与 EMO_arousal 的标签相同：它们是同一任务的两次运行
cmi-tasks = 任务：{ NAMES($tasks) }
cmi-no-files = 没有这些任务的题目文件：{ NAMES($tasks) }
cmi-same-bytes = 与 { $twin } 的字节相同
cmi-same = 与 { $twin } 相同
cmi-within = { $label } 包含另一个标签：按发表的规则永远不算正确（{ $n } 段）
cmi-questions = 测试集 { $n } 题，共 { $tasks } 项任务
