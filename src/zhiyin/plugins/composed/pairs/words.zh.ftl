pairs-summary = 最小对立对：答案是否只随事实而变，不随其他因素而变？
pairs-bases = 是否使用了音频？
pairs-few = 题太少，无法判断：{ $n } 题，至少需要 { $least } 题。
pairs-percent = { $mean } %（{ $low }–{ $high }）
pairs-unanswered = 在 { $share } 的题中，它对原版或改变版没有作答：无从知道其答案依据什么。
pairs-options = 它只读题干与选项：在 { $share } 的题中，对所有版本、静音和噪声的答案都相同。
pairs-listens = 在最小对立对中，它根据声音作答（{ $effect }）。
pairs-misled = 有声音时正确的答案比没有声音时更少（{ $effect }）：声音影响了答案，但方向相反。
pairs-deaf = 在最小对立对中，没有迹象表明它根据声音作答（{ $effect }）。
pairs-effect = 与{ $control ->
    [silence] 静音
    [noise] 噪声
   *[other] { $control }
}相比：{ SIGNED($mean) } 个百分点，95 % 区间 { SIGNED($low) } 至 { POINTS($high) }，{ P($p) }
pairs-follows = 它的答案随{ $change ->
    [gain] 响度
    [codec] 编码格式
    [resampling] 采样率
    [key] 调
    [font] 音色库
    [reverb] 混响
   *[padding] 录音长度
}而变，而这与事实无关：在 { $share } 的题中随之改变，多于其他改变。
pairs-first-alone = 两段录音中它只用第一段：第二段改变或换成噪声时，只有 { $share } 的题答案随之改变。
pairs-facts = 各事实的对立对
pairs-moves = 随之而变：原版与改变版都答对，占对数的百分比；猜测得 25，始终同一答案得 0。保持不变：与事实无关的改变不影响答案，百分比。
pairs-against-note = 与静音、噪声相比：原版与改变版比以其代替声音时多答对的百分点；对其没有作答按猜测计。
pairs-intervals = 95 % 区间；每题为一次抽样。
pairs-against = 与{ $control ->
    [silence] 静音
    [noise] 噪声
   *[other] { $control }
}相比
pairs-changes = 什么使答案改变
pairs-changes-note = 答案与对原版的答案不同的比例，占题数的百分比，95 % 区间。只有播放静音或噪声时，没有作答才算另一种答案。
pairs-version = { $version ->
    [changed] 事实
    [gain] 响度
    [codec] 编码格式
    [resampling] 采样率
    [key] 调
    [font] 音色库
    [reverb] 混响
    [padding] 录音长度
    [silence-base] 以静音代替
    [noise-base] 以噪声代替
    [half-base] 第二段换成噪声
   *[other] { $version }
}
pairs-should = { $part ->
    [changed] 应当
    [change] 不应当
   *[control] 看是否在听
}

pairs-moved-figure = pairs：什么使答案改变
pairs-moved-caption = 答案与原版不同的题所占比例，附 95 % Wilson 区间。事实改变时答案应改变，以下各项改变时则不应改变。
pairs-consistency-figure = pairs：答案是否只随事实而变？
pairs-consistency-caption = { pairs-consistency-page-note }是否使用了音频？{ EACH($bases) }
pairs-fact-counted = { $fact }：{ $counted }
pairs-base-of = { $who }：{ EACH($what) }
pairs-without = 不含 { NAMES($changes) }：需要音色库（附加组件 soundfont）
pairs-fact = { $fact ->
    [third] 和弦性质
    [note] 旋律中的一个音
    [bars] 小节顺序
    [instrument] 乐器
    [tempo] 速度
    [accent] 重音
    [onset] 一个音的起拍时间
    [all] 全部
   *[other] { $fact }
}
pairs-panel-of = { $panel ->
    [moves] 随事实而变
   *[stays] 其余保持不变
}
pairs-bases-all = 是否使用了音频？{ EACH($each) }
pairs-consistency-page-note = 随之而变：原版与改变版都答对的题对（95 % Wilson 区间；虚线：随机水平；对一切给出同一答案者得零）。不变：与事实无关的改变中，答案与原版相同的比例（按题的 95 % 区间）。
