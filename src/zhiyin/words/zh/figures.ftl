# 图中的文字：坐标轴、分图、图例。
picture-chance = 随机水平
picture-panel = { $letter }   { $title }
picture-accuracy = 正确率（%）
picture-right = 答对（%）
picture-answers = 占答案的 %
picture-rstd = { $rstd ->
    [none] {""}
   *[other] RStd { POINTS($rstd) }{ $chance ->
        [none] {""}
       *[other] （若无偏好，预期为 { POINTS($chance) }）
    }
}
picture-confidence = 所报置信度（%）
picture-calibration = 校准误差 { POINTS($error) }
picture-bias = 偏差 { SIGNED($bias) }
picture-unit = 每题{ $unit ->
    [tokens] {" "}token 数
    [seconds] 秒数
   *[milliseconds] 毫秒数
}
picture-score = 正确率
picture-following = 遵循指令率
picture-examples = 题前的样例数
picture-all-three = 三种都有
picture-played = { $played ->
    [of-true] 原曲
    [of-swap] 另一首曲子
    [of-noise] 噪声
    [of-silence] 静音
   *[of-none] 没有声音
}
picture-difference = ← { $second } 更好 · 正确率之差，百分点 · { $first } 更好 →
picture-published = { $name }
    { $about }
picture-row = { $name }{ $about ->
    [none] {""}
   *[other] （{ $about }）
}
