# 数据的缺陷，由 `zhiyin data check` 列出：contract/clips.py、recordings.py、listening.py。
flaw-at = 第 { $line } { $unit ->
    [row] 行
   *[line] 行
}：{ $detail }
flaw-missing = 没有找到录音
flaw-sounds-like = 与 { $twin } 的声音完全相同
flaw-cancels = 左右声道相反：立体声可听见，混成单声道（许多模型这样做）后消失
flaw-silent = { $seconds } 秒内没有高于 -80 dB 的采样
flaw-short = 只能解码 { $seconds } 秒，{ $says ->
    [data] 数据集
   *[header] 文件头
}声明为 { $declared } 秒
flaw-broken-off = { $fault }；能解码 { $seconds } 秒
flaw-same-words = { $choice } 与答案用词相同，按字符串匹配也算正确
flaw-target-repeated = { $choice } 在选项中出现 { $n } 次
flaw-repeated-option = 两个干扰项相同
flaw-empty-choice = 有一个选项为空，不显示
flaw-blanks = 有选项以空白开头或结尾
flaw-mend = { $detail }：请更正{ $unit ->
    [line] 此行
   *[entry] 此条
}
flaw-no-object = 不是含有 { AND($fields) } 的对象
flaw-none = 没有 { $field }
flaw-twice = id { $id } 出现两次
flaw-choices = 有 { $n } 个选项，应为 2 至 { $most } 个
flaw-no-choice = 答案 { $answer } 不在选项之中
flaw-is-no = { $field }{ $value ->
    [none] {""}
   *[other] {" "}{ $value }
} 不是{ $what ->
    [texts] 文本列表
    [one-text] 只含一个文本的列表
    [notes] 音符列表
    [note] 如 F#4 的音符
    [bar] 从 1 起的小节号
    [share] {" "}0 到 1 的数
    [key] 如 'Eb minor' 的调
    [times] 如 '0.38s,0.82s' 的时间列表
   *[number] 数
}
