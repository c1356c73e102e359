muchomusic-summary = MuChoMusic：关于 644 段录音的 1,187 道选择题；音频注意力测试
muchomusic-intervals = 按曲目的区间，以及各次重复的离散程度
muchomusic-intervals-note = 下限、上限：按曲目聚类的 95 % 区间；SD、min、max：各次重复的正确率
muchomusic-flaws = { muchomusic-flaws-of }；用 `zhiyin data check muchomusic --all` 查看
muchomusic-flaws-of = 缺陷，按发表时的样子提问：{ NAMES($kinds) }

muchomusic-repeats = 与 { $twin } 重复
muchomusic-genre = 体裁为 { $own }，而 { $of } 为 { $other }
muchomusic-also = { $answer } 也是一个干扰项
muchomusic-two-same = 有两个干扰项相同
muchomusic-unknown = { $label } 不是 { $category } 的维度
muchomusic-neither = 既不属知识，也不属推理
mucho-shown = { $path }：{ $why }：请写成列表，每项为一个问题与四个选项，正确的在最前

# benchmark.toml：论文的图表
muchomusic-table-3 = 表 3：总体评测结果
muchomusic-figure-2 = 图 2：评测维度
muchomusic-figure-4 = 图 4：各评测维度的正确率
muchomusic-figure-5 = 图 5：样例数
muchomusic-figure-6a = 图 6(a)：干扰项的类型
muchomusic-figure-6b = 图 6(b)：音频注意力测试
mucho-no-swap = { $recording }：{ $place ->
    [none] 数据
   *[other] { $place }{" "}
}中没有{ $genre ->
    [true] 另一已知体裁的
   *[false] 别的
}录音可与之调换：{ $further ->
    [none] {""}
   *[some] 请给出 { OR($further) }，或
}请从 --audio 中去掉 swap
mucho-out = 制作 muchomusic 的小型基准需要 --out，即要写入的文件夹
mucho-there = { $out } 中已有题目：请另选文件夹，或移除它
mucho-ask = --ask { $unknown } 无效：{ $hint }
mucho-no-column = { $path }:1：没有 { $absent } 列：它是已发表的 { $file } 吗？
mucho-none = { $path }：没有可以提问的题；文件完整吗？
mucho-no-bytes = { $path } 第 { $row } 行：{ $column } 中没有字节；请获取内嵌声音的版本
mucho-answers = { $where }：有 { $answers } 个答案；请给出 2 到 { $most } 个
mucho-blank = { $where }：有一个答案为空；请给出每个选项的文字
mucho-orders = { $where }：answer_orders { $given } 不是 0 到 { $last } 的排列；请把每个选项在数据中的位置各写一次
mucho-json = { $path }：{ $why }；请给出已发表代码所评分的 JSON
mucho-no-items = { $path }：其中没有题目；请给出已发表代码所评分的 JSON
mucho-differ = { $path }：把 { $stem } 作为 { $tags } 来问，而 { $files } 不是；请给出同一套题、同一顺序的文件
mucho-other-number = { $path }：有 { $pairs } 题，而 { $files } 有 { $first } 题
mucho-no-answers = { $run }：还没有答案
mucho-out-there = { $path } 已经存在：请移除它，或用 -o 另选位置
mucho-one-way = { $run }：已发表的 JSON 只有一种提问方式，且四个选项齐全：请不加 --audio、--distractors 与 --rotations 运行 muchomusic
mucho-two-prompts = --prompts { $folder } 与 --released { $released }：请只给出一个
mucho-no-audio = { $root }：{ $audio } 不存在：请改正其路径
mucho-released = --released { $folder } 无效：{ $file }：{ $why }：{ $clone }
mucho-yaml = { $path }：不是 YAML：{ $clone }
mucho-no-texts = { $path }：in_context_examples 之下没有文本的列表：{ $clone }
mucho-examples = { $where } 中有 { $count } 个样例；--shots { $shots } 需要同样多个
mucho-recorded = --shots 的 { $shown } 个样例中有 { $sounds } 个带录音：请在 { $examples } 中为每个样例都给出 "audio"，或都不给
mucho-clip = --clip { $text } 无效：请写 all、first:SECONDS 或 middle:SECONDS
