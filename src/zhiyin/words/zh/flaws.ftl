# 数据的缺陷，由 `zhiyin data check` 列出：clips.py、recordings.py、listening.py。
flaw-at = 第 { $line } { $unit ->
    [row] 行
   *[line] 行
}：{ $detail }
flaw-missing = 没有找到录音
flaw-sounds-like = 与 { $twin } 的声音完全相同
flaw-cancels = 左右声道相反：立体声可听见，混成单声道（许多模型这样做）后消失
flaw-silent = { $seconds } 秒内没有高于 -80 dB 的采样
flaw-short = 只能解码 { $seconds } 秒，{ $says ->
    [data] 数据集
   *[header] 文件头
}声明为 { $declared } 秒
flaw-broken-off = { $fault }；能解码 { $seconds } 秒
flaw-same-words = { $choice } 与答案用词相同，按字符串匹配也算正确
flaw-target-repeated = { $choice } 在选项中出现 { $n } 次
flaw-repeated-option = 两个干扰项相同
flaw-empty-choice = 有一个选项为空，不显示
flaw-blanks = 有选项以空白开头或结尾
flaw-mend = { $detail }：请更正{ $unit ->
    [line] 此行
   *[entry] 此条
}
flaw-no-object = 不是含有 { AND($fields) } 的对象
flaw-none = 没有 { $field }
flaw-twice = id { $id } 出现两次
flaw-choices = 有 { $n } 个选项，应为 2 至 { $most } 个
flaw-no-choice = 答案 { $answer } 不在选项之中
flaw-is-no = { $field }{ $value ->
    [none] {""}
   *[other] {" "}{ $value }
} 不是{ $what ->
    [texts] 文本列表
    [one-text] 只含一个文本的列表
    [notes] 音符列表
    [note] 如 F#4 的音符
    [bar] 从 1 起的小节号
    [share] {" "}0 到 1 的数
    [key] 如“Eb minor”的调
    [times] 如“0.38s,0.82s”的时间列表
   *[number] 数
}
flaw-kind = { $kind ->
    [no-question] 没有题目
    [bad-options] 选项有误
    [bad-answer] 答案有误
    [bad-scorer] 评分方式有误
    [no-scorer] 没有评分方式
    [bad-sound] 录音有误
    [bad-picture] 图片有误
    [bad-group] 分组有误
    [bad-example] 样例有误
    [bad-question] 题目有误
    [bad-details] 资料有误
    [two-details] 资料不一
    [repeated-id] 编号重复
    [broken-row] 行损坏
    [broken-line] 行损坏
    [unreadable] 无法读取
    [unreadable-sound] 录音无法读取
    [unreadable-picture] 图片无法读取
    [silent] 无声
    [silent-sound] 录音无声
    [cancelling] 混成单声道后消失
    [cancelling-sound] 混成单声道后消失
    [blank-picture] 图片空白
    [repeated-sound] 录音重复
    [repeated-picture] 图片重复
    [duplicate] 录音重复
    [same-file] 文件相同
    [repeated-clip] 片段重复
    [sound-names-answer] 录音文件名含答案
    [picture-names-answer] 图片文件名含答案
    [spreadsheet-dates] 选项被改成日期
    [repeated-option] 选项重复
    [repeated-key] 正确选项重复
    [empty-choice] 选项为空
    [blanks] 选项首尾有空白
    [one-choice] 只有一个选项
    [same-words] 与答案用词相同
    [target-repeated] 答案重复
    [target-within-distractor] 干扰项含有答案
    [distractor-in-caption] 干扰项出现在说明中
    [label-within-label] 标签互相包含
    [repeated-question] 题目重复
    [near-repeat] 题目近似重复
    [conflicting-answers] 答案矛盾
    [conflicting-genre] 体裁矛盾
    [cross-category-repeat] 跨类别重复
    [example-in-test] 样例也作为题目
    [order-bound] 选项依赖顺序
    [longest-is-right] 最长选项常为正确
    [answerable-blind] 与题目最像的选项常为正确
    [uneven-keys] 正确答案位置不均
    [missing] 缺少录音
    [missing-song] 缺少录音
    [missing-file] 缺少文件
    [missing-figure] 缺少图
    [missing-score] 缺少乐谱
    [incomplete] 不完整
    [altered] 与已发表的不同
    [disagreement] 标注不一致
    [doubtful-label] 标注存疑
    [unknown-rule] 未知规则
    [lone] 没有同组题
    [unusable] 不能使用
    [keyed-twice] 正确答案重复
    [no-right-option] 选项中没有正确答案
    [same-by-sound] 听来相同
    [contradicted] 题目互相矛盾
    [refuted] 答案有误
    [several-right] 不止一个正确
    [several-orders] 不止一种顺序正确
    [heard-otherwise] 听者听到的不同
    [lost-content] 内容丢失
    [stem-names-key] 题目说出答案
    [header-shows-key] 谱头写着答案
    [nested] 选项互相包含
    [solved-unheard] 无需聆听
    [contested] 他题有争议
   *[other] { $kind }
}
data-flaws = { data-flaws-of }；用 `zhiyin data check { SHELL($name) } --all` 查看
data-flaws-of = 有缺陷的题，按发表时的样子提问：{ NAMES($kinds) }
data-flaw = { $n } 题{ flaw-kind }
