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
appraisal-twice = 第 { $line } 行也有
appraisal-two-details = { $song } 的另一份资料在第 { $line } 行：两份都不使用，请只留一份
appraisal-no-json = 不是 JSON（{ $why }）：请更正或删除此行
appraisal-no-object = 不是 JSON 对象：每行写一个 {"{...}"}

# benchmark.toml：论文的图表
appraisal-results = 论文所附的输出：各项得分与总分
