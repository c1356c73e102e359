muse-summary = MUSE：十项感知与推理任务，在多轮对话中进行
muse-task = { $name ->
    [transposition] 移调
    [rhythm_matching] 节奏匹配
    [oddballs] 异常音检测
    [instrumentID] 乐器
    [contourID] 旋律线
    [chord_quality] 和弦性质
    [key_modulation] 转调
    [chord_progression_matching] 和弦进行匹配
    [syncopation] 切分比较
    [meter_identification] 拍子
   *[other] { $title }
}
muse-task-mode = { $task }，{ $mode ->
    [cot] 逐步推理
   *[sysinst] 短答
}
muse-right = 正确率（%），按已发表的规则与我们的规则
muse-rule = “{ $rule }”是已发表程序的规则与计数：它读不出答案的回答不计入分母。按我们的规则（robust），没有答案算错。
muse-each-trial = 此处每次作答各计一次；在各组的正确率中，同一题目的多次作答先取平均。
muse-published = “已发表”是 MUSE 为该模型给出的数字。
muse-otherwise = 两种规则读取不同的回答
muse-chats = 对话内容
muse-chats-note = 第 1 步询问是否理解任务。声音与回答是请求中的，包括该题自己的声音与样例。

muse-few-trials = { $task }：{ $of } 道公开题中的 { $n } 道；其余的录音不在
muse-few-examples = { $task }，{ $group } 组，{ $mode }：{ $of } 个样例中的 { $n } 个；其余的录音不在
muse-no-triple = 文件名没有三拍子的标记，而一道节拍题的答案为 3
muse-sync3 = 作为 3 级的样例给出，该级有 6 次反拍；听到的是 8 次
muse-logs = { $n } 份已发表记录中的回答；其中没有题目原文与声音
muse-unasked = { $n } 题未被提问：当时缺少其录音

muse-no-trial = { $path } 第 { $line } 行：{ $stimuli } 不是该任务与该组已发表的题；请给出发表时的原记录
muse-other = { $path } 第 { $line } 行：{ $of } 的答案记为 { $says }，已发表的是 '{ $key }'；请给出发表时的原记录
muse-total = { $path }：有 { $n } 题，而总计写的是 { $total }，每题一次；请给出发表时的原记录
muse-mode = { $path } 第 { $line } 行：回答的方式是 { $mode }，与文件名不符
muse-data = 请用 --data 给出 MUSE 录音的文件夹，或用 --source generated 新生成题目
muse-lacks = { $data } 缺少已发表的 { $of } 段录音中的 { $n } 段：{ NAMES($names) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 段
}；请补上，或用 --partial 只问已有的部分

# benchmark.toml：论文的图表
muse-accuracies = 各任务、各提示的正确率，两组被试、三种顺序合计

muse-flag = { $flag } 只用于 { $of }；请去掉它
muse-knob = --knob { $word }：{ $name } 须在 { $low } 至 { $high } 之间
muse-knob-value = --knob { $word }：请写成 { $name }=VALUE，并取它接受的值

muse-recordings = 请用 --data 给出 MUSE 录音所在的文件夹
muse-no-stimuli = { $data }：其中没有存放录音的 stimuli/；请给出 MUSE 的文件夹
muse-unheard = { $data }：没有一题有录音；请更正 --data
muse-no-task = { $data }：{ $task } 没有一题有录音；请略去它
