# 数据的缺陷，由 `zhiyin data check` 列出：contract/clips.py、recordings.py、listening.py。

flaw-at = 第 { $line } { $unit ->
    [row] 行
   *[line] 行（文本行）
}：{ $detail }
flaw-missing = 没有找到录音
flaw-not-there = 缺少已发表的录音
flaw-altered = 不是已发表的录音
flaw-sounds-like = 与 { $twin } 的声音完全相同
flaw-silent = { $seconds } 秒内没有高于 -80 dB 的采样
flaw-short = 只能解码 { $seconds } 秒，{ $says ->
    [data] 数据集
   *[header] 文件头
}声明为 { $declared } 秒
flaw-broken-off = { $fault }；能解码 { $seconds } 秒
flaw-same-words = { $choice } 与答案用词相同，按字符串匹配也算正确
flaw-target-repeated = { $choice } 在选项中出现 { $n } 次
flaw-repeated-option = 两个错误选项相同
flaw-empty-choice = 有一个选项为空，不显示
flaw-blanks = 有选项以空白开头或结尾
flaw-coverage = 已发表的 { $of } 题中的 { $n } 题
data-questions = { $n } 题
data-recordings = { $of } 段录音中的 { $n } 段
data-published = 已发表的 { $of } 段录音中有 { $n } 段
