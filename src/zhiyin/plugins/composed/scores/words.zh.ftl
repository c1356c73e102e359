scores-summary = 读谱：music-bench 的图片，以及按种子新出、分级的图片
scores-rules = 音符列表，按两种规则读取
scores-rules-note = { $rule }：整个回答必须是一个 JSON 对象，音符写作 F#4 等。robust：回答中以 JSON 或文字给出的列表。没有列表的回答在两种规则下都得 0，编辑数等于音符数。
scores-intervals = 下限、上限：按例题组的 95 % 区间
scores-same = 两种规则在全部 { $n } 个回答中读出相同的列表
scores-otherwise = 读取不同：{ $of } 个回答中的 { $n } 个（{ $rule }：{ $theirs }；robust：{ $ours }）
scores-kinds = 错误类型（回答数）
scores-kinds-note = 按发表的顺序取第一个成立的：列表正是另一小节的；所有音名与变音记号正确；所有音名与八度正确
scores-families = 对照组
scores-families-note = 一组：小节中只差一个音的例题；“相同回答”：没有读出差别，或什么都没有读出
scores-mistakes = 干扰项背后的失误
scores-mistakes-note = 每个干扰项都是犯了这一失误（或这几个失误）的读谱者会给出的答案
scores-other-notes = answer_notes 与 measure_note_sequences 第 { $bar } 小节不符
scores-no-picture = 没有图片 { $picture }
scores-blank = { $picture } 只有一种颜色
scores-odd = 所问的 { $note } 在乐谱中很少见
scores-other-source = 其 LilyPond 源的第 { $bar } 小节为{ $drawn ->
    [none] 空
   *[other] {" "}{ $drawn }
}，清单却写{ $notes ->
    [none] 空
   *[other] {" "}{ $notes }
}
scores-other-clef = 其 LilyPond 源用 { $drawn } 谱号，清单却写 { $clef }
scores-no-source = { $source } 无法当作音乐读取：没有据此核对图片
scores-lone = 所属的组 { $family } 中只有它一个
scores-examples = { $split }：{ $n } 例
scores-published = 已发表的 { $of } 例中的 { $n } 例
scores-without-reply = { $n } 例没有回答，不计入任何数字
scores-differing = { $n } 个回答所附的得分与发表的规则不符
