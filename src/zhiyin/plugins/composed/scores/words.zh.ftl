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
scores-for-published = --{ $name } 用于 --source published；请去掉它
scores-music-bench = --extract music-bench 按已发表的脚本读取音符列表，而生成的题目还有其他答案；请去掉它
scores-asking = --asking published 用于 --source published；请去掉它
scores-generated = --{ $name } 用于 --source generated；请加上它，或去掉该参数
scores-english = --asking published：已发表的题目只有英文
scores-twin = { $data }：id { $example } 既在 { $split } 中，又在 { $other } 中；请给出 --split
scores-none = { $data }：其中没有可以提问的题
scores-data = 请给出 --data，即已发表图片的文件夹（来自 { $home }），或 --source generated
scores-no-folder = { $root }：没有这个文件夹；请改正 --data
scores-one-split = { $root }：只是其中一个 split；请给出 --data { $parent } --split { $split }
scores-no-manifest = { $root }：其中没有 SPLIT/{ $manifest }；请从 { $home } 获取图片
scores-split = --split { $name } 无效：{ $root } 中有 { NAMES($splits) }
scores-no-task = 用这些参数无法制作 { $task } 类的题：请从 --task 中去掉它，或放宽限制（谱号、调、临时记号、加线、休止符、和弦、力度）
scores-out = 请给出 --out，即要制作的文件夹
scores-set-there = { $folder }：其中已有一套题；请用 --out 另选文件夹
scores-models = -m { $model }：这些文件属于 { NAMES($models) }；请一次导入一个
scores-same-split = { $path }：是 { $model } 对 { $split } 的回答，与 { $other } 相同；请去掉其一
scores-no-replies = { $path }：其中没有回答；请从 { $home } 获取该文件
scores-second = { $path }:{ $number }：对 { $id } 的第二个回答；请去掉其一
scores-several = { $path }：含有 { NAMES($models) } 的回答；每个模型请用一个文件
scores-silent = { $path }：{ $silent } 行都没有回答；请重新获取该文件
scores-layout = { $path }：旁边或上一级文件夹中没有含答案的 { $manifest }；请保持 SPLIT/{ $manifest }、SPLIT/{ $results }/NAME.jsonl 的布局，或运行 `zhiyin data fetch scores`
scores-no-object = { $place }：不是带有 id、model 与 raw_response 的对象；请重新获取该文件
scores-lacks = { $place }：没有 { $name }；请重新获取该文件
scores-no-example = { $place }：清单中没有 { $entry }；它属于另一个 split 吗？
scores-no-text = { $place }：raw_response 不是文本；请重新获取该文件
scores-away = { $path }：没有 { $example } 的图片（{ $of } 张中缺 { $missing } 张）：请复制到那里{ $partial ->
    [true] ；--partial 可略去这些例题
   *[false] {""}
}
