flaw-not-there = 缺少已发表的录音
flaw-altered = 不是已发表的录音
data-published = 已发表的 { $of } 段录音中有 { $n } 段
flaw-no-task = 任务 { $task } 不是 { NAMES($tasks) } 之一

flaw-coverage = { $whole ->
    [true] 已发表的 { $of } 题全部在此
   *[false] 已发表的 { $of } 题中的 { $n } 题
}{ $others ->
    [0] {""}
   *[other] ，另有 { $others } 题
}
data-questions = { $n } 题
data-recordings = { $of } 段录音中的 { $n } 段

all-is-main = “全部”只含基准的主要提问方式；其他条件各有自己的结果
reproduce-lacking = 这里没有的回答：给出 --replies PATH，或 { NAMES($commands) }
reproduce-forms = 由运行按论文的样子排出（`zhiyin table RUN... --as NAME`）：{ NAMES($names) }

reproduce-both = --csv - 与 --json 都会打印：请去掉其中一个
reproduce-which = 哪张表？只写 `zhiyin reproduce` 会列出
reproduce-no-table = { $name } 没有表 { $wanted }：{ $hint }
reproduce-no-file = { $path }：没有这个文件或文件夹；请更正 --replies

reproduce-declares-none = { $name } 没有可以重做的表：没有发表的回答，或其格式未知；可重做的见 `zhiyin reproduce`{ $own ->
    [none] {""}
   *[other] ；{ $own } 由运行制作：`zhiyin table RUN... --as { SHELL($own) }`
}
replies-not-held = { $files }：其中没有回答；请指明存放回答的键
questions-no-file = { $path }：没有这个文件；请从 { $home } 获取，或改正 --data
questions-none-asked = { $path }：其中没有所要问的题；请改正参数
recordings-two = { $path }：{ $name } 也对应 { $stem }；请只保留其一
recordings-ends = { $path }：到 { $seconds } 秒就结束了，而题目问的是 { $start } 秒之后的内容；请放上已发表的录音
questions-none-home = { $path }：没有可以提问的题；请从 { $home } 获取
mmau-no-replies = { $path }：没有 { $replies } 列：请这样命名回答所在的列
mmau-no-text = { $path }：{ $entry }：{ $column } 不是文本；请写模型所说的内容
rul-no-object = { $path }：不是按编号排列题目的对象；它是已发表的 { $file } 吗？
rul-none = { $path }：其中没有这些题；它是已发表的文件吗？
rul-distractors = { $path }：没有这个文件；--distractors own 需要其中的题目（这些题由它们改成）
reasoning-entry = { $path }：第 { $number } 条：{ $fault }：请同时给出题目文件
reasoning-replies = { $files } 中只有回答而没有题目：请用 --questions 指明 { $file }，或用 `zhiyin data fetch { SHELL($name) }` 获取
reasoning-fault = { $path } 的 { $place }：{ $fault }
reasoning-alone = { $files }：只有题目；请同时给出回答文件
reasoning-no-field = { $files }：没有存放回答的字段：应有 { NAMES($fields) } 之一
reasoning-no-list = { $path }：不是对象的列表；它是题目文件或回答文件吗？
clone-of = 请给出 { $repository } 的克隆文件夹
recordings-missing = { $root }：{ $of } 段录音中缺 { $missing } 段（{ NAMES($shown) }{ $more ->
    [true] {" "}等
   *[false] {""}
}）；请放到那里或 audio/ 中{ $partial ->
    [true] ，或用 --partial 只运行已有的部分
   *[false] {""}
}{ $instead ->
    [none] {""}
   *[other] ；{ $instead }
}
recordings-instead = --audio none 不用声音提问
