# 回答如何读取、费用多少、遵循哪个协议：analysis。
reading-answers = 答案读取规则 { NAMES($policies) }：{ NAMES($counts) }
reading-count = { $n } 个{ $how ->
    [declared] 明确给出
    [inferred] 推断得出
    [by-text-alone] 仅凭文字
   *[other] { $how }
}
reading-confirmed = 又只问字母一次：{ $asked } 个回答，其中 { $settled } 个由此确定{ $failed ->
    [0] {""}
   *[other] ，{ $failed } 次调用失败
}{ $without ->
    [none] {""}
   *[some] ；否则可读率为 { POINTS($without, 2) } %
}
cost-spent = 费用：{ $usd ->
    [none] {""}
   *[some] { MONEY($usd) }，
}{ cost-calls }{ $canary ->
    [0] {""}
   *[other] （其中 { $canary } 次为探测）
}{ cost-failed }{ $cached ->
    [0] {""}
   *[other] ，{ $cached } 个回答来自缓存
}；发送 { $input } 个 token，收到 { $output } 个
cost-calls = { $calls } 次调用
cost-failed = { $failed ->
    [0] {""}
   *[other] （其中 { $failed } 次没有回答）
}
cost-not-counted = 费用：{ cost-calls }{ cost-failed }，服务器没有统计 token
cost-per-right = 每答对一题：{ $usd ->
    [none] {""}
   *[some] { MONEY($usd) } 和 {""}
}{ WHOLE($tokens) } 个 token{ $cached ->
    [0] {""}
   *[other] ，缓存的回答按原价计
}
cost-uncounted = 服务器没有统计 { cost-calls }的 token
cost-prices = 价格：{ $source ->
    [none] 没有日期和出处
   *[some] { $source }
}{ $today ->
    [true] （按今天的价格表）
   *[false] {""}
}
cost-judge = 评分者{ $judge ->
    [none] {""}
   *[some] {" "}{ $judge }
}：{ $usd ->
    [none] {""}
   *[some] { MONEY($usd) }，
}{ cost-calls }；收发 { $tokens } 个 token
cost-judge-unknown = 评分者{ $judge ->
    [none] {""}
   *[some] {" "}{ $judge }
}：费用不明：{ $fault }
protocol-followed = 协议 { $name }（{ $source }），{ $departures ->
    [0] 没有偏离
   *[other] 偏离之处：{ CLAUSES($departures) }
}
protocol-differs = 与 { $name } 不同之处：{ CLAUSES($differs) }
reading-why = { $why ->
    [letter] 答案只写了字母
    [empty] 空回答
    [reasoning] 推理之外没有内容
    [unnamed] 没有提到任何选项
    [fits-none] 称没有合适的选项
    [declines] 拒答时提到了选项
    [cases] 有歧义：不同情况下选不同选项
    [depends] 有歧义：视情况而定
    [equally] 有歧义：几个选项可能性相同
    [lines] 有歧义：几个选项各占一行
    [several-right] 有歧义：称几个选项都正确
    [several-possible] 有歧义：认为几个选项都有可能
    [several-named] 有歧义：提到几个选项
    [none-declared] 有歧义：提到几个选项，没有声明答案
    [listed] 有歧义：列出几个选项，没有声明答案
    [cut-off] 在给出答案前被截断
    [draft] 只有草稿，没有答案
    [no-single] 字母或文字不对应任何一个选项
    [rejected] 排除了选项，没有声明答案
    [discussed] 讨论了一个选项，没有声明答案
    [words] 仅含某一选项的文字
    [only] 唯一提到的选项
    [left] 所声明的选项中唯一剩下的
    [sentence] 结论：句子最终落到的选项
    [wrong] 唯一错误的一项，其余都正确
    [marked] 标为正确的一项
    [ranking] 排序中的第一项
    [full-text] 某一选项的全文
    [letter-text] 字母与文字
    [different] 字母与文字属于不同选项
    [side-by-side] 含糊：两个答案并列
    [together] 含糊：同时提到多个选项
    [lone] 单独一个字母
    [whole] 整个回答就是某一选项的字母
    [no-capital] 没有大写的 A 至 D
    [none-apart] 没有单独的 A 至 D
    [no-words] 没有文字
    [all-words] 只含某一选项的全部词语
    [other-words] 也含另一选项的词语
    [not-all-words] 没有任何选项的词语全部出现
    [either-case] 第一个单独的 A 至 D，不论大小写
    [first-capital] 第一个大写的 A 至 D
    [glued] 紧接“选项”一词的字母
    [last-capital] 回答中最后一个大写字母
    [last-foreign] 最后一个大写字母不是选项
    [capital-none] 没有大写字母
    [no-form] 没有所查找形式的字母或文字
    [none-behind] “answer is”之后没有字母
    [behind] “answer is”之后的字母
    [marker-several] 最后一个 ANSWER: 之后不止一个字母
    [marker-none] 没有带字母的 ANSWER:
    [marker] 最后一个带选项字母的 ANSWER:
    [label-several] 最后一个带选项字母的 ANSWER: 之后不止一个
    [marker-zh] 最后一个带选项字母的“答案：”
    [label-several-zh] 最后一个带选项字母的“答案：”之后不止一个
    [no-ends] 首字符和倒数第二个字符都不是 A 至 D
    [first-sign] 首字符
    [last-but-one] 倒数第二个字符
    [bracketed] 括号中的大写字母
    [bracketed-first] 第一个括号中的字母
    [an-option] 某一选项的文字
    [no-option-text] 不是任何选项的文字
    [colon] 冒号之后的字母
    [short-form] 简短形式的字母
    [last-apart] 最后一个单独的 a 至 d
    [no-such] 没有这个选项，按已答且错误计
    [no-options] 没有选项
    [before-bracket] 第一个括号前的字母
    [behind-bracket] 第一个括号后的字母
    [behind-word] 第一个位于“选项”“答案”等词之后的字母
    [bracketed-last] 最后一个括号中的字母
    [before-stop] 空格或句号之前的字母
    [stands-last] 文字出现得最靠后的选项
    [after-marker] ANSWER: 之后的第一个字母
    [in-conclusion] <Conclusion> 中的字母
    [at-end] 末尾的字母
    [no-conclusion] <Conclusion> 中和末尾都没有字母
    [whole-reply] 整个回答
    [no-letter-form] 没有所查找形式的字母
    [first-contained] 第一个其文字出现在回答中的选项
    [only-contained] 唯一其文字出现在回答中的选项
    [not-one-contained] 没有或有几个选项的文字出现在回答中
    [several-capitals] 有几个 A 至 D 的大写字母
    [no-capital-text] 既无大写字母，也无选项文字
    [only-capital] 唯一的 A 至 D 大写字母
    [several-given] 给出几个选项
    [none-given] 没有给出选项
    [only-given] 唯一给出的选项
    [neither] 既无字母，也无选项文字
    [no-option] 没有选项
    [takes-a] A：读不懂的回答一律算作 A
    [stands-as] 第一个作为选项出现的字母
    [after-choosing] 表示选择的词语之后的最后一个字母
    [double-brackets] 最后一个双方括号中的字母
    [equal] 与某一选项相同
    [embedding] 由嵌入模型决定
    [ends-last] 结尾最靠后的已发表答案
    [no-stop] 去掉句号的已发表答案
    [option-letter] 某一选项的字母
    [option-words] 某一选项的文字内容
    [no-number] 不是任何选项的数字
    [opens] 选项位于回答开头
    [own-line] 选项独占一行
    [last-alone] 选项在最后一行
    [option-alone] 回答只有选项
    [own-sentence] 选项自成一句
    [changed-to] 改选了它
    [was-not] 并非先前所说
    [said-likely] 称其可能正确
    [said-of-other] 用一个选项说明另一个
    [sentence-end] 句末的词
    [spoken-of] 谈到它
    [spoken-first] 最先谈到它
    [corrected-to] 更正为它
    [as-good] 与前一个同样好
    [better-of-two] 两者中更好的一个
    [only-seems] 只是看似如此
    [ranked-first] 排序中的第一个
    [same-again] 再次提到同一选项
    [only-fits] 只有它合适
    [all-excluded] 其余各项均被排除
    [no-other] 不可能是其他选项
    [not-just] 不只是它
    [asked-no] 自问后答“否”
    [asked-yes] 自问后答“是”
    [what-else] 除此之外别无可能
    [those-right] 选它的人是对的
    [opposite-denied] 其反面被否定
    [others-excluded] 其他选项均被排除
    [alike] 有歧义：同样明确地给出了几个答案
    [shared-text] 有歧义：两个选项共有的文字
    [taken-back] 有歧义：收回了答案
    [letter-and-other] 有歧义：字母与文字属于不同选项
    [weighed] 有歧义：权衡了几个选项，没有选定
    [asks-back] 反问时提到了选项
    [values-rejected] 否定了一些取值，没有给出答案
    [no-words-due] 应写答案之处没有文字
    [none-declared-at-all] 没有给出任何选项
    [answer-back] 收回了答案
    [stated-first] 最先说出
    [endless] 其中的数为无穷
    [own-marks] 选项自身的标记
    [only-number] 提到的唯一一个数
    [yes-no-first] 开头的“是”或“否”
    [value-unnamed] 没有提到任何取值
    [only-value] 唯一提到的取值
    [several-values] 有歧义：提到几个取值
    [values-undeclared] 有歧义：提到几个取值，没有声明答案
    [values-together] 有歧义：一并提到几个取值
    [none-in] { $what } 中没有选项
    [declared] 明确给出：{ $what }
    [possible] 认为可能：{ $what }
    [likeliest] 最可能：{ $what }
    [concluded] 结论：{ $what }
    [corrected] 更正：{ $what }
    [instead] 改为：{ $what }
    [said-of-it] 说到它：{ $what }
    [asked-again] 再次询问后：{ $what }
    [last-line] 最后一行：{ $what }
    [final-answer] “Final Answer” 之后：{ $what }
    [of-statement] 谈到这一陈述：{ $what }
    [speaks-for] 支持它：{ $what }
    [marked-as] 标记为 { $what }
    [said-as] 其中说：{ $what }
    [beyond] 给出的字母不在选项之中：{ $what }
    [taken-back-by] 有歧义：收回了答案：{ $what }
   *[before-another] { $what }，在另一个问题之前
}
