thresholds-summary = 能听出多小的差异：音高、时间、响度、噪声、记忆
thresholds-title = 阈值
thresholds-dimension = { $name ->
    [pitch] 音高
    [direction] 音程方向
    [tempo] 速度
    [onset] 起音偏差
    [loudness] 响度
    [mistuning] 失谐泛音
    [gap] 噪声中的间隙
    [chord-in-noise] 噪声中的和弦
    [melody-memory] 旋律记忆
   *[other] { $title }
}
thresholds-unit = { $unit ->
    [cents] 音分
    [notes] 音符
    [ms] 毫秒
   *[other] { $unit }
}
thresholds-told = { $how ->
    [worse] 差于 { $level }
    [better] 优于 { $level }
    [signed] { $level }（{ $low } 至 { $high }）
    [measured] { $level } ({ $low }–{ $high })
   *[none] 未测得
}
thresholds-always = 总是{ $answer ->
    [first] 第一个
    [second] 第二个
    [no] 否
   *[yes] 是
}
thresholds-bias = { $answer ->
    [first] 第一个
    [second] 第二个
    [no] 否
   *[yes] 是
} { $size }
thresholds-meaning = 阈值：d' 为 1 处，后验均值及 95 % 可信区间；先验在各级别及其外半个数量级内均匀；偏向：偏好的答案，以及判据 c 及其标准差
thresholds-fitted = 斜率：差异每增大十倍，d' 增大多少个数量级；失误率：随意作答的比例（%）；均为后验均值与标准差，回答很少时主要取决于先验（斜率 0.35 至 3，失误率 0 至 10 %）；阈值处的正确率：已去除偏向，无失误时二区间为 76 %，是否判断为 69 %
thresholds-methods = 阈值以{ $method ->
    [two-interval] 二区间迫选法（差异出现在其中一个区间）
   *[yes-no] 是否判断法（半数题有差异）
}测得；难度由{ $procedure ->
    [quest] {" "}QUEST+（Watson 2017）选定：对阈值、斜率（0.35 至 3）、失误率（0 至 10 %）与判断标准取后验分布，每次选期望熵最小的难度，直至 95 % 可信区间两端之比降至 { NUMBER($precision, decimals: 1) } 或满 { $most } 题
    [staircase] 加权阶梯法（Kaernbach 1991）选定，直至方向转折 { $turns } 次或满 { $most } 题
   *[constant] 恒定刺激法给出，共 { $most } 题
}。阈值为 d' 等于 1 时的差异（无偏向、无失误时正确率为 { $method ->
    [two-interval] 76
   *[yes-no] 69
} %），取后验均值及其 95 % 可信区间。
thresholds-harder = 旋律记忆：音符越多越难，因此阈值越高越好
thresholds-beyond = 优于、差于：区间超出可提问的级别；对符合先验的听者，模拟中该界限有 96 至 98 % 成立；对答案改善缓慢且有失误的听者，“差于”有 81 % 成立
thresholds-none = 未测得，{ NAMES($of) }：{ $why }
thresholds-unread = 读不出任何答案
thresholds-one-answer = 对每题都是同一答案，只显示偏向
thresholds-turned = { $of } 个答案中 { $n } 个正确，明显少于猜测：听到的被说反了，或答案被误读
thresholds-left-out = 没有答案的回答不说明听力，已略去
thresholds-people = 人，{ $of }：{ $who }（{ $source }）

thresholds-audiogram-figure = 能听出多小的差异
thresholds-audiogram-caption = 各维度的阈值（d' = 1）及 95 % 可信区间；每行各有一条对数刻度，从所问的最难水平到最易水平。箭头：区间超出所问水平。蓝色带与线：文献中人的阈值，所用声音与方法不同；没有可靠数字处不画。{ $left ->
    [0] {""}
   *[other] { EACH($left) }
}
thresholds-left = 未测得，{ $who }，{ NAMES($names) }：{ $why }。
thresholds-functions-figure = 心理测量函数
thresholds-functions-caption = 各水平的正确率，越靠右越易。标记：实际作答，题越多越大；曲线：拟合的无偏听者；竖线：阈值，即 d' 为 1 处。虚线：随机水平。
thresholds-axis = { $name }，{ $unit }
thresholds-hearing = ← 听觉精细 · 阈值 · 听觉粗略 →

thresholds-sample = { $kind ->
    [heard] 模型能听出：{ $level } { $unit }
    [unheard] 模型听不出：{ $level } { $unit }
   *[people] 人能听出：{ $level } { $unit }
}
thresholds-finding = { $measured ->
    [0] { $who }：未能测得任何阈值。
   *[other] { $who } { CLAUSES($parts) }。
}
thresholds-against = { $how ->
    [finer] 能听出比人更小的差异：{ NAMES($of) }
    [coarser] 只能听出比人更大的差异：{ NAMES($of) }
    [beyond] 阈值超出可问的范围：{ NAMES($of) }
    [alone] 已测得阈值，但没有可靠的人类数值可比：{ NAMES($of) }
   *[alike] 与人没有明显差别：{ NAMES($of) }
}
thresholds-page-note = 阈值：d' 为 1 处及 95 % 可信区间；每行各有一条对数刻度，左为所问的最难水平，右为最易水平；标记在边缘表示超出该水平。阴影：文献中人的阈值，所用声音与方法不同。
thresholds-played = 每段录音先放原来的声音，再放有差异的声音（旋律：先放原曲，再放改动过的，最后放同一旋律），差异取区间两端。
thresholds-tracks = --tracks 用于自适应程序：请改为提高 --most
