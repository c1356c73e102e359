flaw-not-there = 缺少已发表的录音
flaw-altered = 不是已发表的录音
data-published = 已发表的 { $of } 段录音中有 { $n } 段
flaw-no-task = 任务 { $task } 不是 { NAMES($tasks) } 之一
