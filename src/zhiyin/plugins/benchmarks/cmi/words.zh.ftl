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
cmi-lacks-files = { $data }：没有 { $wanted }{ $more ->
    [true] {" "}等
   *[false] {""}
}；请从 { $home } 获取
cmi-no-task = { $path }：名称中没有任务；请命名为 MODEL_TASK.jsonl，如 qwen2_GTZAN.jsonl
cmi-no-object = { $where }：不是对象；请给出已发表脚本所评分的文件
cmi-no-text = { $where }：{ $name } 不是文本；请给出已发表的文件
cmi-no-answer = { $where }：correct_answer 不是文本；请给出已发表的文件
cmi-odd-answer = { $where }：correct_answer { $problem }；请改正该题
cmi-no-replies = { $path }：其中没有回答；请给出已发表的文件
cmi-absent = { $data }：没有 CMI_{ $absent }.jsonl；请从 { $home } 获取，或从 --tasks 中去掉该任务
cmi-split = { $data }：没有属于 { $split } 的题；请改正 --split
cmi-two-files = { $path }：{ $other } 也属于 { $task }；每个任务请只给一个文件
cmi-twin = { $path }：{ $twin } 含有 { $model } 的另一份回答；请只给其一
cmi-which = --tasks { $name } 无效：{ $hint }
