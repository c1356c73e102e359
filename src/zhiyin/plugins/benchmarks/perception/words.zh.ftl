perception-summary = 切分、移调与和弦性质，听或读，三种策略
perception-task = { $task ->
    [syncopation] 切分
    [transposition] 移调
    [chords] 和弦
   *[other] { $task }
}
perception-accuracy = { perception-task }：正确率（%）
perception-cell = { $modality ->
    [audio] 声音
    [midi] MIDI 文本
   *[other] { $modality }
}，{ $shots ->
    [zero] 零样例
    [few] 少样例
   *[other] { $shots } 样例
}，{ $strategy ->
    [standalone] 直接作答
    [cot] 思维链
    [logiclm] LogicLM
   *[other] { $strategy }
}
perception-asked = { perception-task }，{ $modality ->
    [audio] 声音
    [midi] MIDI 文本
   *[other] { $modality }
}，{ $shots ->
    [zero] 零样例
    [few] 少样例
   *[other] { $shots } 样例
}
perception-cut = 有 { $n } 题的输出被截断或为空，此处按论文略去；上面的各组按错误计
perception-none = 无
perception-execution = LogicLM：记谱的结果（%）
perception-execution-note = 可判定：求解器能够判定；正确率：基于全部 n；可判定者的正确率：基于这些题；严格：截断或空输出按错误计；修正：按所用轮数的题数；一致：模型最后的答案与求解器一致
perception-faults = { $of } 次记谱中的 { $n } 次{ $fault ->
    [none] 写在代码围栏（```）中：请在 TASK-transcribe.txt 中要求纯文本行（--prompts）
   *[other] 起初有 { $fault } 错误
}
perception-fidelity = LogicLM：记谱准确度与正确率（%）
perception-fidelity-of = { perception-task }，{ $modality }，{ $mask }，{ $label ->
    [none] 全部
   *[other] { $label }
}
perception-fidelity-note = 按标签与方式微平均（第 2.5 节，图 3）

perception-modality-figure = perception：阅读与聆听
perception-modality-caption = 估计的边际平均正确率及 95 % 区间，每个任务一个逻辑斯谛混合模型（每个刺激一个随机截距）。括线：同一模型中音频与 MIDI 之比较，Wald 检验；答案完全分离时用似然比检验。虚线：随机水平；圆点：实测正确率。{ $left ->
    [0] {""}
   *[other] 无法拟合模型：{ NAMES($left) }。
}
perception-fidelity-figure = perception：听到的与判断的
perception-fidelity-caption = 每点为一个类别（一级切分、一种和弦性质、一种答案），合并各运行与样例数：LogicLM 记谱的 F1（微平均）与其判断的正确率。实心：音频；空心：MIDI。被截断的输出略去。

perception-sync3 = 发表的等级为 6，但录音似乎有 8 次反拍击打
perception-disagrees = 文件名为 { $name }，MIDI 文件为 { $midi }
perception-partial = { $task }：已发表的 { $of } 项中的 { $n } 项；其余不在此处{ $examples ->
    [0] {""}
   *[other] （其中 { $examples } 项用到样例的录音）
}
perception-by-ear = 录音旁没有 MIDI 文件：LogicLM 的样例由参考听者记写（{ NAMES($names) }）
perception-doubt = { $file }，与 MUSE 一样作为样例：{ $doubt }
perception-estimated = 估计的正确率（%）
perception-decided = 判断的正确率（%）
perception-transcribed = 记谱的 F1（%）
perception-key = { $name ->
    [audio] 音频
    [midi] MIDI
    [on-beat] 正拍
    [off-beat] 反拍
   *[other] { $name }
}
stimuli-made = 已在 { $folder } 中生成 { $items } 题，用时 { NUMBER($seconds, decimals: 1) } 秒，音源 { $renderer }
stimuli-exemplars = { $exemplars_in } 中有 { $exemplars } 个样例
stimuli-checked = { $folder }：{ $items } 题与其文件一致（答案：{ NAMES($answers) }）

perception-level = 文件名 { $name }.wav 中的切分等级未知：应为 NoSync、Sync1、Sync2、Sync3 或 Sync4，后接 _ 与一个字母
perception-lacks = { $folder } 缺少已发表的 { $of } 段录音中的 { $n } 段：{ NAMES($names) }；请补上，或用 --partial 只运行已有的部分
perception-no-midi = 录音旁缺少 MIDI 文件：{ NAMES($names) }；请补上（或补上 mido 打印出的 .txt），或用 --modality audio 运行
perception-unsure = 少样例的 LogicLM 要给出样例的记谱：MUSE 没有 MIDI 文件，而以下各段凭听无法确定：{ NAMES($names) }；请在录音旁补上（或补上 mido 打印出的 .txt），从 --strategy 中去掉 logiclm，或写 --shots zero
perception-none-kept = { $folder }：没有可供评分的 { $task } 录音；请从 --task 中去掉 { $task }
perception-no-example = { $folder } 中没有 { $task } 的样例：请补上 { NAMES($names) }，或用 --shots zero 运行
perception-data = --data 用于 --source muse；自己的题目用 --stimuli 给出
perception-no-truth = { $root }：其中没有 { $truth }，以任务命名的文件夹中也没有；请用 `zhiyin stimuli make` 制作刺激
perception-answer = { $folder }：{ $item } 的答案是 { $key }，而 { $task } 没有这个选项；制作刺激时请不要另加和弦性质
perception-inverted = { $folder }：{ $item } 是转位和弦，而题目问的是原位和弦；制作刺激时请不要用转位
perception-unknown = 样例 { $recording } 的记谱未知：请把它的 MIDI 文件放在旁边
perception-few = { $at }：{ $task } 只有 { $n } 题，不足 { $of } 题；请减小 --n，或多制作一些
perception-same = { $sound }：同一道 { $task } 题已用作样例；请用 `zhiyin stimuli make` 制作刺激，或另选 --seed

# benchmark.toml：论文的图表
perception-table-1 = 表 1：三项音乐感知任务的正确率
perception-figure-2 = 图 2：各模态的表现，由各任务的混合模型估计
perception-figure-3 = 图 3：LogicLM 输入的质量与判断的正确率

perception-recordings = 请用 --data 给出 MUSE 录音所在的文件夹
perception-muse-data = --source muse 需要用 --data 给出 MUSE 录音所在的文件夹
perception-made = --n 和 --stimuli 只用于 --source generated；请去掉它们
