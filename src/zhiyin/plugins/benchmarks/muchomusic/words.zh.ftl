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

# benchmark.toml：论文的图表
muchomusic-table-3 = 表 3：总体评测结果
muchomusic-figure-2 = 图 2：评测维度
muchomusic-figure-4 = 图 4：各评测维度的正确率
muchomusic-figure-5 = 图 5：样例数
muchomusic-figure-6a = 图 6(a)：干扰项的类型
muchomusic-figure-6b = 图 6(b)：音频注意力测试
