# 图中的文字：坐标轴、分图、图例。
picture-chance = 随机水平
picture-panel = { $letter }   { $title }
picture-accuracy = 正确率，%
picture-right = 答对，%
picture-answers = 占答案的 %
picture-rstd = { $rstd ->
    [none] {""}
   *[other] RStd { POINTS($rstd) }{ $chance ->
        [none] {""}
       *[other] （随机时为 { POINTS($chance) }）
    }
}
picture-confidence = 所报置信度，%
picture-calibration = 校准误差 { POINTS($error) }
picture-bias = 偏差 { SIGNED($bias) }
picture-unit = 每题{ $unit ->
    [tokens] 词元数
    [seconds] 秒数
   *[milliseconds] 毫秒数
}
picture-score = 正确率
picture-following = 遵循指令率
picture-examples = 题前的示例数
picture-heard = 听到的秒数
picture-all-three = 三种都有
picture-played = { $played ->
    [true] 原曲
    [swap] 另一首曲子
    [noise] 噪声
    [silence] 静音
   *[none] 没有声音
}
picture-all-questions = 全部题目
picture-all-items = 全部题目
picture-difference = 正确率之差，百分点
picture-left-better = ← { $run } 更好
picture-right-better = { $run } 更好 →
