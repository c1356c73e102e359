rhythm-summary = 一项已发表的自适应节奏测试：能力与人类同一量表
rhythm-title = 能力
rhythm-not-measured = 未测得
rhythm-unread = 读不出任何答案
rhythm-off-scale = { $side ->
    [below] 低于
   *[above] 高于
}量表范围
rhythm-standing = 高于 { $share } % 的人（{ $known ->
    [most] 至多 { $high } %
    [least] 至少 { $low } %
   *[both] { $low } 至 { $high } %
}）
rhythm-ability = 能力：加权似然（Warm），以题库的 logit 为单位；95 % 区间由似然得出
rhythm-range = 题库只能区分 { $low } 与 { $high } 之间的能力：超出时只说明在哪一侧，区间端点亦然
rhythm-people = 在人群中：若能力如题库先验所设（均值 0，标准差 1），高于多少人；没有已发表的样本常模
rhythm-ours = 已发表的测试播放录音并展示图片；此处两者都由我们制作
rhythm-left-out = { $of } 个回答中有 { $n } 个没有答案，已略去

rhythm-scale-figure = 人类量表上的节奏能力
rhythm-differs = 题目及其参数为已发表者；声音、速度与节奏型的符号写法是我们的，故人类量表只在这些无影响的范围内成立
rhythm-ability-axis = 能力，题库的 logit
rhythm-ability-row = 节奏
rhythm-scale-page-note = 能力及 95 % 区间，从低于人群均值 3.5 到高于均值 3.5。阴影：按题库先验（均值 0，标准差 1；未发表样本常模）人群居中的三分之二。题库只能区分 -1.5 至 2 之间的能力。
