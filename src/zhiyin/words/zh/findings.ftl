# 报告中由数字得出的结论，每条都通向它所说的题：report/findings*.py。
finding-trials = { $n } 题
finding-items = { $items } 题
finding-interval = 95 % 区间 { SHARE($low) } 至 { SHARE($high) }
finding-signed-interval = 95 % 区间 { SIGNED($low) } 至 { SIGNED($high) }

# 对与错
finding-accuracy = { $who } { $items ->
    [none] 在 { finding-trials }{ finding-in }中答对 { SHARE($value) }
   *[some] 在 { finding-items }{ finding-in }（共 { $n } 次提问）上平均答对 { SHARE($value) }
}（{ finding-interval }）{ $guess ->
    [better] ：高于随机猜测（{ SHARE($chance) }）
    [worse] ：低于随机猜测（{ SHARE($chance) }）；请检查答案的读取
    [open] ：未显著高于随机猜测（{ SHARE($chance) }）
    [untold] ：对 { lead-clusters }的检验表明未显著高于随机猜测（{ SHARE($chance) }）
    [alone] ：{ $alone }（随机水平：{ SHARE($chance) }）
   *[free] {""}
}。
finding-in = { $group ->
    [none] {""}
   *[some] （{ $group }）
}
finding-figure = { $who } 在 { finding-items }上{ $figure ->
    [none] {""}
   *[some] 的 { $figure } {""}
}为 { AMOUNT($value, $scale) }{ $low ->
    [none] {""}
   *[some] （95 % 区间 { AMOUNT($low, $scale, $high) } 至 { AMOUNT($high, $scale, $low) }）
}。
finding-unread = { $who } 有 { $n } 个回答（{ SHARE($share) }）读不出答案，按错误计。
finding-altered = { $who } 只在 { AND($ways) } 条件下有判分：主条件下没有结果。
finding-outside = { $who } 未被问到该基准的主要题目。
finding-found = { $who } 的结果：{ $text }。
finding-measured = { $who } 不以对错计分：测量结果见下方表格。
finding-ungraded = { $who } 的回答没有标准答案，也尚未评分。
finding-dead = { $who } 的全部调用均失败：没有结果。
finding-empty = { $who } 尚未回答任何题。
finding-of-right = 就答对率而言：{ $text }
finding-mixed = { OR($ways) }的题不计入总体结果：它们另成一组。
finding-way = { $changes ->
    [sound] 改动了声音
    [dose] 只放了部分声音
    [words] 换了措辞
    [options] 换了选项
   *[other] 换了问法
}（{ $way }: { NAMES($values) }）
finding-groups = { $who } { CLAUSES($sides) }。
finding-groups-side = 明显{ $side ->
    [above] 高于
   *[below] 低于
}自身平均的组：{ NAMES($groups) }{ finding-more }
finding-more = { $more ->
    [0] {""}
   *[other] ，另有 { $more } 组
}
finding-group = { $group }（{ SHARE($value) }）

# 一次运行与另一次
finding-ranking = 在以下运行共有的 { finding-items }{ lead-in }上，正确率由高到低：{ NAMES($runs) }。{ $best } { $open ->
    [0] 优于其余各项
   *[other] 未显著优于 { NAMES($open) }
}。
finding-people-apart = { $who } 与 { FEW($others) } 所问的方式或题目不同，此处不作比较：`zhiyin compare` 在两者共有的题上检验。
finding-better = 在两者共有的 { finding-items }{ lead-in }上，{ $better } 比 { $worse } 高 { POINTS($mean) } 个百分点（95 % 区间 { POINTS($low) } 至 { POINTS($high) }；{ P($p) }）。
finding-same = { $first } 与 { $second } 对 { $items } 道共同题{ lead-in }的回答逐字相同：无法据此区分两者。
finding-apart = 在 { $items } 道共有的题{ lead-in }上，{ $first } 与 { $second } 没有显著差异（{ SIGNED($mean) } 个百分点，{ finding-signed-interval }；{ $detectable ->
    [none] { $p ->
        [none] { $over ->
            [clusters] 组数
           *[items] 题数
        }太少，无法检出差异
       *[some] { P($p) }
    }
   *[some] 检验功效为 80 % 时可检出 { POINTS($detectable) } 个百分点的差异
}）。
finding-better-in = { $better } 优于 { $worse } 的组：{ NAMES($groups) }{ finding-more }。
finding-better-by = { $group }（高 { POINTS($mean) } 个百分点）
finding-open-groups = { $of } 个主要组中，{ $first } 与 { $second } 在 { FEW($groups) } 上没有显著差异（错误发现率 5 %），但这不等于两者相同。

# 字母
finding-letter = { $verdict ->
    [always] { $who } 总是回答 { $letter }：它的选择与音乐无关。
    [alone] 单独检验时 { $who } 偏爱选项 { $letter }（{ P($p) }），但对本页 { runs-of-page }校正后不显著：{ finding-chosen }。{ finding-recall }
   *[favours] { $who } 偏爱选项 { $letter }：{ finding-chosen }（{ P($p) }）。{ finding-recall }
}
finding-no-letter = { AND($who) } 没有明显偏爱某个字母：超出标准答案最多的是 { $letter }，占 { $most } 回答的 { SHARE($chosen) }，占标准答案的 { SHARE($keyed) }。
finding-chosen = { $letter } 占其回答的 { SHARE($chosen) }，占答案的 { SHARE($keyed) }
finding-recall = { $rstd ->
    [none] {""}
   *[some] 各字母召回率的标准差为 { POINTS($rstd) } 个百分点（RStd；若无偏好，预期{ $most ->
    [true] 至多
   *[false] {""}
}为 { POINTS($by_chance) }{ $rare ->
        [0] {""}
       *[other] ；不计 { AND($rare) }，以其为答案的题不足 { $least } 道
    }）。
}

# 声音
finding-listening = { $verdict ->
    [better] { $who } 在听：真实声音下比{ finding-instead }时更好
    [worse] 没有证据表明 { $who } 在听：真实声音下比{ finding-instead }时更差
   *[open] 没有证据表明 { $who } 在听：真实声音与{ finding-instead }没有显著差异
}，{ finding-against }{ $guessed ->
    [true] ，不作回答按猜测计
   *[false] {""}
}。
finding-instead = { $instead ->
    [noise] 换成噪声
    [swap] 换成另一首曲子
    [half] 两段录音中的一段换成噪声
    [silence] 静音
    [no-sound] 没有声音
   *[other] { $instead }
}
finding-reading = { $verdict ->
    [better] { $who } 读谱好于听音
    [worse] { $who } 听音好于读谱
   *[open] { $who } 读谱与听音没有显著差异
}：读 MIDI 文本与听，{ finding-against }。
finding-setting-none = 无
finding-condition = { $way ->
    [none] {""}
   *[other] { $way }：
}{ $verdict ->
    [better] { $who } 在 { $first } 时好于 { $second }
    [worse] { $who } 在 { $second } 时好于 { $first }
   *[open] { $who } 在 { $first } 与 { $second } 之间没有显著差异
}，{ finding-against }。
finding-against = 同样 { $n } 题，{ SHARE($a) } 对 { SHARE($b) }（相差 { SIGNED($mean) } 个百分点，{ finding-signed-interval }；{ P($p) }）

# 已发表的结果
finding-published = { $items ->
    [none] 可比的已发表结果中最好的{ $kind ->
        [human] 人类成绩
       *[model] 模型
    }（{ $name }）
   *[some] 已发表的人类成绩中最好的（{ $name }），只答了 { $items } 题，不能与全部题目相比
}：{ finding-published-figure } { SHARE($value) }。这里正确率最高的运行 { AND($who) }：{ finding-published-figure } { SHARE($ours) }{ $answered ->
    [none] {""}
   *[some] （仅限读得出答案的 { SHARE($answered) } 的题；全部题中为 { SHARE($accuracy) }）
}。{ $higher ->
    [none] {""}
   *[other] { $higher }。
}来源：{ $source }。
finding-published-figure = { $figure ->
    [accuracy] 正确率
    [precision] 属实性
    [recall] 召回率
    [f1] F1
   *[other] { $figure }
}

# 评分者的结果
finding-judged = { $who }（评分者：{ $by }）{ $total ->
    [none] 没有总分
   *[some] 总分 { $total }
}：{ CLAUSES($parts) }。{ $songs ->
    [none] {""}
   *[some] 区间为 95 %，共 { $songs } 首歌。
}
finding-judged-part = { $name ->
    [questions] 问答
    [completeness] 完整性
    [precision] 属实性
    [novelty] 新颖性
   *[other] { $name }
} { $figure }
finding-judged-figure = { SHARE($value) }（{ POINTS($low) } 至 { POINTS($high) }）
finding-judged-nothing = 尚无
finding-judged-note = { $who }：{ $note }。
finding-judged-better = { $by } 评分：在 { finding-songs }的总分上{ finding-judged-without }，{ $better } 比 { $worse } 高 { POINTS($mean) } 个百分点（{ finding-signed-interval }，前者减后者；{ P($p) }）。
finding-judged-apart = { $by } 评分：在 { finding-songs }的总分上{ finding-judged-without }，{ $first } 与 { $second } 没有显著差异（{ SIGNED($mean) } 个百分点，{ finding-signed-interval }；{ P($p) }）。
finding-judged-without = { $without ->
    [none] {""}
   *[some] （其中一方没有{ AND($without) }，双方都不计）
}
finding-songs = { $n } 首歌

# 评分者是否可靠
no-published-items = 没有已发表的题目
finding-registered = { $confirmatory ->
    [true] 验证性结果：{ CLAUSES($each) }。
   *[false] { SENTENCE($each) }
}
finding-exploratory = { $text }（这是本页自己的双侧检验，属探索性；以预注册计划的 { $name } 为准。）
