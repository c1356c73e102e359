mtb-summary = MusicTheoryBench：关于音乐知识与 ABC 乐谱推理的 367 道选择题
mtb-example = 样例（dev 的 { $id }）问的是同一题
mtb-twin = 题目与选项同 { $id }{ $same ->
    [true] {""}
   *[false] ，但答案不同
}
mtb-count = { $group ->
    [all] test 的题
   *[other] { $group }
}：已发表 { $of } 题中有 { $n } 题
