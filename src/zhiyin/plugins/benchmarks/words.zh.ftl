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
