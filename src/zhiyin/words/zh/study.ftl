# 研究者页面；参与者所读文字在 zhiyin/study/languages 中。

study-researcher = 研究者
study-wrong-token = 令牌不正确。
study-token = `zhiyin study serve` 打印的令牌
study-enter = 进入
study-title = 研究 { $name }，类型 { $kind }
study-answers = 回答
study-codebook = 编码簿
study-as-json = 以 JSON 查看这些数字
study-people = 参与者
study-of-people = 参与者
study-number = 人数
study-state = { $state ->
    [begun] 已开始
    [complete] 已完成
    [under_way] 进行中
    [screened_out] 被筛除
    [no_consent] 未同意
    [full] 名额已满
    [withdrawn] 已退出
   *[other] { $state }
}
study-excluded = 按预先声明的规则排除：{ $n }
study-agreement = 一致性
study-alpha-is = Krippendorff α，不含被排除者与练习题。选择题中每个选项为一个单位：选中或未选中。区间为对单位作刀切法所得的 95 % 区间。
study-measure = 指标
study-from = 下限
study-to = 上限
study-units = 单位
study-values = 数值
study-items = 题目
study-item = 题目
study-group = 组
study-n-answers = 回答数
study-closed = 已关闭
study-median-s = 中位用时，秒
study-right = 正确
study-distractors = 干扰项
study-decision = 结论
study-yes = 是
