appraisal-summary = 关于歌曲的选择题，以及事后评分的乐评（`zhiyin judge`）
appraisal-title = 鉴赏
appraisal-questions = 选择题：正确率
appraisal-written = 乐评：写出的比例
appraisal-earlier = 由较早的版本记录，它把乐评算作正确答案：`zhiyin rescore RUN --extract POLICY --out NEW_RUN` 可改正
appraisal-left-out = 略去：{ $file }，{ $id }：{ $detail }
appraisal-missing = 略去：{ $of } 首歌中的 { $n } 首，这里没有录音
appraisal-recordings = { $n } 首歌有录音
appraisal-no-recordings = { $n } 首歌在这里都没有录音{ $first ->
    [none] {""}
   *[other] （第一首：{ $first }）
}：请放到数据所写的位置，或给出 --audio-root DIR
appraisal-not-judged = 其乐评尚未评分：`zhiyin judge RUN -m JUDGE`
appraisal-absent = 不存在（在 { NAMES($folders) } 中寻找）
appraisal-outside = { $fault }；也可用 --audio-root 给出其文件夹
appraisal-one = { $id }：{ $detail }
appraisal-no-data = 没有数据：请用 --data DIR 给出含 { $questions } 或 { $details } 的文件夹，或用 --source generated
appraisal-no-options = options 不是由文字组成的列表
appraisal-many-options = 有 { $n } 个选项：请给出 2 至 { $most } 个
appraisal-no-answer = 没有答案：请在 answer 中写正确选项的字母
appraisal-two-answers = answer 与 correct_answer 不同：请留下正确的一个
appraisal-other-answer = 答案“{ $answer }”不是选项字母 A 至 { $last } 之一
appraisal-no-text = { $field } { $missing ->
    [true] 缺失
   *[false] 不是文字
}
appraisal-other-pieces = { $folder }：其中是另一批乐曲：请另给 --stimuli，或删去它
appraisal-line = 第 { $number } 行
appraisal-twice = 第 { $line } 行也有
appraisal-two-details = { $song } 的另一份资料在第 { $line } 行：两份都不使用，请只留一份
appraisal-no-json = 不是 JSON（{ $why }）：请更正或删除此行
appraisal-no-object = 不是 JSON 对象：每行写一个 {"{...}"}
appraisal-odd = { $path }：不是 save_results 所写的样子（{ $why }）：应有 summary，以及含 qa_results 的 detailed_results

# benchmark.toml：论文的图表
appraisal-results = 论文所附的输出：各项得分与总分
