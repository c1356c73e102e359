# 模型听到了什么的页面。
hearing-what = { $model } 听到了什么
hearing-table = 同样内容的表格
hearing-run = { of-which-set }{ $folder ->
    [none] {""}
   *[some] ，{ $folder }
}：{ $trials } 题{ $whole ->
    [true] {""}
   *[false] ，未完成
}{ $cost ->
    [0] {""}
   *[other] ；{ CLAUSES($cost) }
}
hearing-cost = 合计：{ $runs } 次运行共 { MONEY($usd) }{ $lack ->
    [0] {""}
   *[other] ；另有 { $lack } 次的费用未知
}
hearing-sounds = 自己听一听
hearing-files = 论文用：
hearing-nothing = 这些运行都看不出模型能听到什么：请给出听过声音的题目的运行

stimuli-few = chords：在这些设置下只有 { $index } 题：请少要一些，或允许更多的和弦性质或转位
stimuli-many = 无法制作 { $n } 题：请要 1 至 { $mostitems } 题
stimuli-task = 未知任务 { $task }：{ $hint }
stimuli-seed = 种子 { $seed } 为负：请给出 0 或更大的数
stimuli-there = { $out } 中已有刺激：请另给文件夹，或移走这一个
stimuli-again = { $folder }：{ $id }：{ $problem }：请重新制作刺激

stimuli-field = { $field }：属于 { AND($tasks) }，而 { $task } 没有：请去掉
stimuli-twice = { $field }：{ $names } 中有重复：请每个只写一次
stimuli-qualities = qualities：没有给出：请至少写一种和弦性质
stimuli-tempo = tempo：{ $tempo } 须在每分钟 40-240 个四分音符之间递增
stimuli-noise = noise：{ $noisedb } dB 不在 -20 至 80 dB 之间
stimuli-reverb = reverb：{ $reverbs } 秒不在 0-10 秒之间
stimuli-empty = { $path } 是空的：请重新制作刺激
stimuli-item-twice = { $path } 中有题重复：请重新制作刺激
stimuli-missing = { $path }：{ $id } 需要 { $name }，而它缺失：请重新制作

listen-task = 未知任务 { $task }：{ $hint }
stimuli-interrupted = ：制作时中断了，或者它不是刺激的文件夹
stimuli-anew = { $why }：请重新制作刺激

midi-format = { $label } 是格式 2（互不相连的片段）的 MIDI 文件：请存为格式 1
midi-metre = 拍号 { $metre }：下方的数须为 1、2、4……64
midi-no-note = { $path }：没有 note_on channel=0 note=60 velocity=80 time=0 这样的行：它是 mido 打印出的 MIDI 吗？
midi-no-ticks = { $path }：没有写明 tick 的长度：请在首行加上 ticks_per_beat=480 之类
midi-lacking = { $path } 第 { $number } 行：{ $name } 缺少 { NAMES($lacking) }：请按 mido 打印的样子写消息
midi-wait = { $path }：time={ $time } 处的 { $kind }：MIDI 文件中两条消息之间至多 { $most } 个 tick

notated-other = { $what }不是 zhiyin.plugins.music.notated 所写的那种（{ $why }）
notated-accidental = { $path }：同一小节中，另一八度的同名音前有变音记号，各程序对此读法不同：请在那里也写上变音记号
notated-keys = 中途转调（先 { $first }，后 { $second }）：请截取转调之前的部分
notated-shift = { $field } 使音符移到所写之外的音高，而 music21 会略去它：请按实际音高记写

render-no-font = 没有音色库：请把 ${ $variable } 设为一个 .sf2 文件，或用 builtin
render-no-file = ${ $variable } 指向 { $path }，而它不是文件：请改正或取消设置
render-not-installed = 没有安装 tinysoundfont：请运行 pip install --no-deps tinysoundfont
render-no-preset = 音色库的第 { $bank } 音色组中没有音色 { $program }：请另选乐器或音色库
render-no-program = 内置合成器没有音色 { $program }：请另选乐器
