bodies-summary = 同一乐曲的六种形式：就声音、MIDI、ABC、MusicXML、kern、图片提同样的问题
bodies-losses = 从阅读到聆听到看谱，损失了多少
bodies-losses-note = 损失的百分点及 95 % 区间；p 由符号翻转得出。每题与自身配对，每首乐曲为一次抽样，只计两种方式都问过的题。
bodies-reading = 阅读：MIDI 文本、ABC、MusicXML 与 kern 的平均。
bodies-from = 从{ bodies-first }到{ bodies-second }
bodies-first = { $first ->
    [reading] 阅读
    [hearing] 聆听
    [seeing] 看谱
   *[other] { $first }
}
bodies-second = { $second ->
    [reading] 阅读
    [hearing] 聆听
    [seeing] 看谱
   *[other] { $second }
}
bodies-skills = 各形式的能力
bodies-skill = { $skill ->
    [pitch] 音高
    [spelling] 音名拼写
    [interval] 音程
    [key] 调性
    [metre] 拍号
    [contour] 旋律线
    [chord] 和弦
    [cadence] 终止式
    [repeated-bar] 重复的小节
    [repeat-marks] 反复记号
    [upbeat] 弱起
    [form] 曲式
    [transposition] 移调
    [instruments] 乐器
    [changed-note] 改变的音
   *[other] { $skill }
}
bodies-in-all = 各形式都问过的 { $n } 题
bodies-share = 正确的百分比（括号内为题数）。空白：该形式无法承载此题。
bodies-last-row = 各形式的整体只在最后一行比较：每列是相同的题。
bodies-body = { $body ->
    [sound] 声音
    [midi] MIDI 文本
    [abc] ABC
    [musicxml] MusicXML
    [kern] **kern
    [image] 乐谱图片
   *[other] { $body }
}
bodies-pairs = 形式之间的比较
bodies-two = { $first } − { $second }
bodies-two-note = 前者减后者；p 由符号翻转得出，按 Holm 法校正 { $n } 次比较。
bodies-more = 前者多损失多少
bodies-compared = 前者：{ $first }。后者：{ $second }。
bodies-none = 没有一题在两者中都以两种方式问过。

bodies-losses-figure = bodies：阅读、聆听、看谱
bodies-losses-caption = 正确率及 95 % 区间，每首乐曲为一次抽样，只计该运行以图中各种方式都问过的题。阅读为 MIDI 文本、ABC、MusicXML 与 kern 的平均。虚线：随机水平。
bodies-matrix-figure = bodies：各技能与各形式
bodies-matrix-caption = 正确率（%）。空白：该形式无法承载此题，或未曾提问。

bodies-left-out = 略去：{ $fault }
bodies-no-question = 没有乐曲可以出这些题：{ NAMES($skills) }
bodies-way = { $way ->
    [reading] 阅读
    [hearing] 聆听
    [seeing] 看谱
   *[other] { $way }
}

losses-other = { $run } 是 { $benchmark } 的运行：请给出 bodies 的运行
losses-none = { $run }：还没有回答：再次运行开始它的命令即可继续
losses-one = { $run }：没有以两种形式提问的题：请用 --body sound,abc,image 或全部形式运行 bodies
bodies-out = --out：请指明要写入的文件夹
bodies-there = { $out }：不是空的：请指明新的文件夹
bodies-data = 请给出 --data，即 MusicXML、ABC 或 kern 的文件，或它们所在的文件夹
bodies-no-file = { $place }：没有可用的文件；第一个：{ $faults }
bodies-none-of = { $data }：做不出 { NAMES($skills) } 的题
bodies-leave-out = { $why }（或用 --partial 略去它）
