cli-alpha = Krippendorff α { $alpha ->
    [none] 无定义：所有标注都相同
   *[other] { NUMBER($alpha, decimals: 3) }{ $low ->
    [none] {""}
   *[other] ，95 % 区间 { NUMBER($low, decimals: 3) } 至 { NUMBER($high, decimals: 3) }
}
}（{ $people } 人，{ $questions } 题，{ $answers } 个回答）
cli-alpha-unknown = Krippendorff α 未知：没有由两个人判断的内容
cli-alpha-of = { study-measure-is }：{ $alpha }
annotate-sound = 标准答案正确，而且只有它正确
annotate-another = 标准答案正确，另有选项也正确
annotate-wrong = 标准答案错误，另一选项正确
annotate-none = 没有正确选项
annotate-given = 不听（看）音乐也能选出答案
annotate-unclear = 凭现有材料无法判断
# 研究者页面；参与者所读文字在 zhiyin/plugins/studies/languages 中。
study-researcher = 研究者页面
study-wrong-token = 令牌不正确。
study-token = 令牌（由 `zhiyin study serve` 输出）
study-enter = 进入
study-title = 研究 { $name }，类型：{ $kind ->
    [exam] 考试
    [validate] 题目检验
    [rate] 评分
    [annotate] 错误标注
   *[other] { $kind }
}
study-answers-zip = 回答与 R、Python 脚本（zip）
study-answers-csv = 回答（CSV）
study-codebook = 编码簿
study-as-json = 以 JSON 查看这些数字
study-claim = { $n ->
    [0] 尚无人参加{ $wanted ->
        [none] {""}
       *[some] ：{ study-lacking }
    }。
   *[other] { $wanted ->
        [none] 计入 { $people } 人{ study-ended }、{ $answers } 个回答{ study-shut }
       *[some] { $people_lacking ->
            [0] 计入 { $people } 人{ study-ended }、{ $answers } 个回答
           *[other] { $people_wanted } 人中已有 { $people } 人{ study-ended }，{ $answers_wanted } 个回答中已有 { $answers } 个
        }：{ study-lacking }
    }{ $value ->
        [none] {""}
       *[some] ；参与者的正确率为 { SHARE($value) }{ $low ->
            [none] {""}
           *[some] （95 % 区间 { SHARE($low) } 至 { SHARE($high) }）
        }
    }。
}
study-ended = { $begun ->
    [0] {""}
   *[other] （其中 { $complete } 人已答完）
}
study-lacking = { $people_lacking ->
    [0] 已足够，没有题目缺少回答（每题需要 { $wanted } 个）{ $closed ->
        [true] { study-shut }
       *[false] ；研究结束前仍可有人参加
    }
   *[other] 要使每题有 { $wanted } 个回答，{ $n ->
        [0] {""}
       *[other] 还
    }需要 { $people_lacking } 人{ $under_way ->
        [0] {""}
       *[other] （其中 { $under_way } 人尚未答完）
    }{ study-shut }
}
study-shut = { $closed ->
    [true] ，研究已结束
   *[false] {""}
}
study-people = 参与者
study-read-in = 计入统计者的作答语言：{ NAMES($each) }。
study-of-people = 参与者
study-number = 人数
study-state = { $state ->
    [begun] 已开始
    [complete] 已完成
    [under_way] 尚未答完
    [given_up] 已放弃（{ $hours } 小时无动静，或研究已结束）
    [screened_out] 被筛除
    [no_consent] 不同意参加
    [full] 名额已满
    [withdrawn] 已退出
   *[other] { $state }
}
study-of-state = { study-state } { $n } 人
study-rule = { $rule ->
    [attention_wrong] 注意力检查题答错
    [gold_right] 已知答案题答错
    [median_seconds] 过快
    [same_place] 总选同一位置
    [headphones] 耳机检查
    [reference_below] 隐藏参考评分过低
    [unfinished] 未答完
    [under_way] 尚未答完
    [by_hand] 由研究者剔除
    [least_answers] 回答过少
   *[other] { $rule }
}
study-excluded-rule = 被排除（{ $rule }）：{ $n } 人
study-remark = 备注
study-value-n = { $value }：{ $n } 人
study-backgrounds = 参与者背景（仅计入统计者）
study-asked = 问题
study-answered = 回答
study-excluded = 按预先声明的规则排除：{ $n }
study-counting = { $people } 人作答{ $excluded ->
    [0] {""}
   *[other] ；按事先声明的规则排除 { $excluded } 人（{ NAMES($rules) }）
}{ $by_hand ->
    [0] {""}
   *[other] ；由研究者剔除 { $by_hand } 人
}{ $under_way ->
    [0] {""}
   *[other] ；{ $under_way } 人尚未答完，不计入结果
}：计入 { $counted } 人{ $unfinished ->
    [0] {""}
   *[other] （其中 { $unfinished } 人尚未答完）
}，{ $answers_counted } 个回答{ $languages ->
    [0] {""}
   *[other] ；作答语言：{ NAMES($languages) }
}
study-by-hand = 由研究者剔除及其理由
study-set-aside = 剔除某人
study-count-again = 重新计入
study-reason = 理由
study-close = 结束研究
study-close-is = 研究结束后不再接受新的参加者，尚未答完的人即算作放弃（仍可答完）。之后可以重新开放。
study-closed-since = 研究已结束：不再接受新的参加者，尚未答完的人算作放弃（仍可答完）。
study-open = 重新开放
study-stopped = 已停止服务：已有 { $n } 人开始{ $closed ->
    [true] ，研究已结束
   *[false] ；要让大家在同一地址继续，请再运行 `zhiyin study serve { SHELL($folder) }`
}
study-unfinished = 尚未答完
study-not-ended = 尚未答完但已有回答，结束之前不计入结果：{ $n } 人
study-agreement = 一致性
study-alpha-is = Krippendorff α，不含被排除者与练习题。选择题逐个选项比较：选中或未选中。95 % 区间针对其他题目与这些参与者：以整题为单位作刀切法，同一录音的题目一并剔除。
study-measure = 指标
study-from = 下限
study-to = 上限
study-items = 题目
study-item = 题目
study-group = 组
study-n-answers = 回答数
study-chosen = 所选
study-options = 所选选项
study-closed = 已关闭
study-median-s = 中位用时，秒{ $sound ->
    [true] （声音播完后）
   *[false] {""}
}
study-right = 正确
study-distractors = 干扰项
study-decision = 结论
study-yes = 是
study-to-figures = 数据
study-preview = 预览
study-preview-pages = 按参与者所见浏览全部 { $n } 页
study-preview-place = 预览，第 { $n } 页，共 { $of } 页。
study-preview-kept = 不保存任何内容；不作答也可继续。
study-previous = ← 上一页
study-next = 下一页 →
study-role-plain = 计入结果
study-role-gold = 计入结果，其已知答案用于排除规则
study-role-practice = 练习题，不计入任何结果
study-role-attention = 注意力检查题，不计入任何结果；每人会在题目之间的某处遇到
study-item-is = { $item }：{ $role }。{ $known ->
    [0] {""}
   *[other] 正确答案：{ $right }
}{ $placed ->
    [0] {""}
   *[other] 本页{ NAMES($each) }。
}
study-item-place = { $place ->
    [left] 左边的文本
    [right] 右边的文本
   *[other] { $place }
}是 { $key }{ $role ->
    [reference] （隐藏的参考）
    [anchor] （锚点）
   *[none] {""}
}
study-full-is = “名额已满”：因配额已满或已无题可答而未能参加的人；除此计数外不保存任何信息。
study-closed-is = “已关闭”：该题的回答数已达研究文件 [annotations] 的要求，不再发给其他人。
study-chosen-is = 所选：选择各选项的人数；✓ 为正确选项。
study-items-lead = 点击题目可查看参与者所见的问题{ $sound ->
    [true] 与声音
   *[false] {""}
}。
study-items-are = 正确：答对者的比例，95 % Wilson 区间针对其他参与者。{ $models ->
    [0] {""}
   *[other] 模型：其对该题的作答中正确的比例。
}
study-persons-are = 正确：个人的 95 % 区间针对其他题目；全体的区间同时针对其他参与者与其他题目。不计入者不在其他任何结果中。
study-by-person = 各参与者
study-person = 参与者
study-checks = { $role ->
    [attention] 注意力检查答对
   *[gold] 已知答案题答对
}
study-n-of = { $n } 题（共 { $of } 题）
study-hasty = { $of } 个回答中有 { $n } 个用时不到 { $seconds } 秒
study-excluded-by = 不计入的原因
study-right-percent = 正确（%）
study-interval = 95 % 区间
study-small = 有 { $n } 人所在的组不足三人，不单独显示。
study-split = 参与者分组：
study-together = 全部合并
study-beside = 人与模型对照
study-beside-of = { $name }：人与模型对照
study-beside-is = 作答正确率及其 95 % 区间：参与者为各人正确率（占其作答之比，即精确率，与 `zhiyin study show` 相同）的平均，针对其他参与者与其他题目；模型为其正确率，针对其他题目。百分等级及其 95 % 区间：在双方都回答的题目上得分低于该模型的参与者比例，同分计一半。
study-no-models = 尚无可对照的模型。启动研究时请给出同一考试的模型运行：
study-who = 对象
study-n-questions = 题数
study-own-questions = { $many ->
    [none] { $few } 题
   *[other] { $few }–{ $many } 题
}
study-rank = { $n } 题；百分位 { SHARE($share) }（{ SHARE($low) } 至 { SHARE($high) }）
study-right-of-answers = 作答正确率（%）
study-intervals-are = 括号内为 95 % 区间：人的区间针对其他人和其他题目，模型的区间针对其他题目。
study-category = 类别
study-by-category = 各类别作答正确率（%）
study-omitted = 请留意：
study-no-contact = contact 为空（{ $languages }）：参与者看不到研究及其数据由谁负责；请写明姓名、单位与联系方式
study-default-left = [texts] { $name } 在 { $languages } 中仍为默认文字，而另一语言的已修改
study-not-translated = 页面提供{ $language }，但题目中有 { $n } 行不是该语言（{ NAMES($lines) }）：页面会告知参与者；请翻译（研究，参与者看到的文字），或从 `languages` 中删去该语言
study-no-arrow = { NAMES($lines) }缺少 { $arrow }：请写原文、{ $arrow }、译文
study-no-line = { $language }题目文字：没有题目含有“{ $line }”这一行，其译文不会显示{ $hint ->
    [none] ：请照题目原样书写
   *[some] ：{ $hint }
}
study-words-fault = { $file } 中的文字：{ $fault }
study-idle = 规则 { $path } 不起任何作用：{ $why }
study-unused = { $role ->
    [attention] 注意力检查题
   *[gold] 已知答案题
}共 { $n } 道，但没有规则用到：不会据此排除任何人{ $begun ->
    [true] {""}
   *[false] ；请在第一人参加之前设置 exclude.{ $rule }
}
study-same-options = { $n } 题有两个相同的选项（{ $items }），其中一个可能判错：请更正题目后重新生成研究
study-practice-apart = { $n } 题用于练习（会告诉参加者正确答案），不计入任何数字；数字只基于其余 { $rest } 题
study-personal = 题目中的以下各列像是个人信息，会保存在 items.jsonl 与每次运行中：请删除后重新生成研究：{ $columns }
study-tunes-unheard = 乐谱可以播放，但不要求听：[listening] 只针对录音
study-versions = 版本
study-version = 版本
study-made = 保存时间
study-people-then = 当时人数
study-edited = 文字已在浏览器中编辑 { $n } 次：见“文字”。
study-setting = { $path ->
    [study] 总体
    [format] 本文件的格式
    [name] 研究名称，用于文件与本页
    [kind] 参与者做什么：exam、validate、rate 或 annotate
    [languages] 页面语言，每行一种（en、de、zh 或自备）；浏览器未指定时显示第一种
    [seed] 所有抽取与顺序的随机种子
    [per_person] 每人回答的题数；留空：全部
    [given_up_hours] 未结束者多少小时没有动静即视为放弃（仍可回来继续）
    [shuffle] 选项随机排列，并随回答保存
    [fields] 询问参与者的背景
    [scale_file] 自评量表的文件，位于研究文件夹；留空：无
    [idle_s] 参与者无操作超过此秒数后不再计时
    [annotations] 每题需要的回答
    [annotations-least] 提前关闭一题所需的一致回答数
    [annotations-most] 达到此数后不再发给他人；留空：不限
    [annotations-stop_when_agreed] 最初的回答全部一致时提前关闭该题
    [annotations-wanted] 每题应有的有效回答数，达到即可结束；留空：取上限或保留规则
    [listening] 聆听（样例与乐谱的声音不要求听）
    [listening-least] 作答前每段声音至少听完的次数；0：不要求
    [listening-most] 每段声音最多可听的次数；留空：不限
    [checks] 答题前的检查
    [checks-volume] 参与者用一段声音调节音量
    [checks-headphones] 耳机检查
    [checks-tries] 说明理解题可尝试的次数
    [checks-comprehension] 关于说明的理解题；留空：无
    [checks-comprehension-text] 题目
    [checks-comprehension-options] 选项，每行一个
    [checks-comprehension-right] 第几项正确，从 1 起
    [quotas] 配额：某一背景的人数上限；留空：无
    [quotas-field] 背景问题
    [quotas-value] 回答
    [quotas-most] 人数上限
    [exclude] 排除哪些人的回答：在看到回答之前声明；留空：无此规则
    [exclude-attention_wrong] 答错的注意力检查题不少于此数
    [exclude-gold_right] 已知答案的题目答对比例低于此值（0 至 1）
    [exclude-median_seconds] 每题用时中位数短于此秒数（从声音播完起）；有声音时 0.5 即可
    [exclude-same_place] 选择同一位置的比例高于此值（0 至 1）
    [exclude-reference_below] 给隐藏参考的评分低于此值（ITU-R BS.1534-3：90）……
    [exclude-reference_share] ……且这样的题目比例高于此值（0 至 1；ITU-R BS.1534-3：0.15）
    [exclude-headphones] 未通过耳机检查者
    [exclude-unfinished] 未答完者
    [keep] 哪些题目通过验证
    [keep-annotations] 一题所需的回答数
    [keep-right] 标记正确选项的最低比例（0 至 1）
    [keep-distractors] 标记干扰项的最高比例（0 至 1）
    [keep-rule] 干扰项的计法：any 或 each
    [end] 招募平台（如 Prolific）需要的代码；留空：不显示
    [end-complete] 完成者
    [end-screened_out] 被筛除者
    [end-no_consent] 未同意者
    [end-address] 返回的地址；{"{"}code{"}"} 代表代码
    [items] 有特殊作用的题目；数目改变即重新抽取
    [items-practice] 练习题：告知正确答案，不计入结果
    [items-gold] 计分的已知答案题，用于排除规则
    [items-attention] 注意力检查题：要求指定答案，不计入结果
    [texts] 参与者读到的文字
    [texts-title] 标题
    [texts-information] 研究说明（空行分段；{"{"}minutes{"}"} 为估计的分钟数）
    [texts-consent] 知情同意：每行一条
    [texts-instructions] 答题说明
    [texts-contact] 联系方式：研究及其数据的负责人
    [texts-debriefing] 结束时显示的说明
    [texts-pole_low] 评分最低端的文字；留空则为“最低”
    [texts-pole_high] 评分最高端的文字；留空则为“最高”
    [texts-questions] 该语言的题目与选项，每行一条：原文、→、译文；箭头后留空则显示原文
   *[other] { $path }
}
study-file-is = 一项研究。全部设置可在浏览器中编辑（`zhiyin study serve`），有人参加后即固定。
study-design = 研究
study-edit = 检查研究
study-edit-design = 检查或编辑研究
study-design-is = { $n ->
    [0] 尚无人参加：全部可以编辑，并保存到 study.toml。
   *[other] 已有 { $n } 人参加。题目与排除规则已固定，以保证规则在看到回答之前声明。文字仍可编辑：每次为一个版本，导出的每条回答都注明所同意的版本与当时显示的版本。
}
study-save = { $n ->
    [0] 保存
   *[other] 将文字保存为新版本
}
study-save-preview = 保存并预览
study-saved = 已保存。
study-not-saved = 尚未保存：有 { $n } 处需要检查。
study-steps = 开始之前
study-step-look = 检查研究
study-step-preview = 按参与者所见预览
study-step-send = { $alone ->
    [true] 参与者可在本机参加（其他人需要服务器，见 docs/study.md 的“On a server”）：
   *[other] 把此地址发给参与者：
}
study-step-send-unknown = 把 `zhiyin study serve` 显示的地址发给参与者
study-step-answers = 回答显示在“数据”页，也在该页导出
study-other-saved = 打开本页之后，他人或您在另一窗口保存过。您填写的内容保留在下面：如要覆盖，请再次保存。
study-fixed-now = 打开本页之后已有人参加：题目与规则已固定，未保存任何内容。下面您填写的文字仍可保存。
study-file-changed = 研究运行期间，文件夹中的 study.toml 被修改：请结束并重新启动服务器。
study-not-written = 某语言的名称无法写入研究文件：请用 en、zh-TW 这样的名称。
study-too-long = 超过 { $n } 字：请缩短
study-missing = 未填写：请填写
study-wants = { $value } 不符：请填{ $kind ->
    [int] 整数
    [float] 数字
    [bool] {" "}true 或 false
    [list] 文字列表
   *[str] 文字
}{ $above ->
    [none] {""}
   *[some] ，大于 { $above }
}{ $low ->
    [none] {""}
   *[some] ，不小于 { $low }
}{ $high ->
    [none] {""}
   *[some] ，不大于 { $high }
}
study-unknown = 没有 { $value }；可选：{ $known }
study-no-language = 至少给出一种，例如 en
study-no-texts = 没有 [texts.{ $language }]：请写一份，或去掉该语言
study-language-odd = { $language } 不是语言名称：请用 en、zh-TW 这样的名称
study-no-consent = 请写明参与者同意的内容
study-consent-unlike = 各语言的同意条数不同：请改为一致
study-no-title = 请填写文字
study-quota-unasked = 没有询问 { $name }：请加入背景问题
study-quota-no-answer = { $value } 不是 { $name } 的回答
study-most-below-least = 小于下限：请提高
study-headphones-needed = 需要耳机检查：woods 或 huggins
study-question-lacks = 请用 { $language } 写出问题与各选项，并填写正确选项的序号：1 为第一项
study-items-few = { $n } 题中有 { $known } 题有已知答案，少于练习题与已知答案题所需
study-enough = { $items } 题中有 { $done } 题达到所需的 { $wanted } 个回答；尚缺：{ NAMES($short) }。
study-none-wanted = 未设置每题应有的回答数（见“每题需要的回答”）：本页无法说明需要多少人
study-more-than-most = 一题得到 { $n } 个回答后不再分配：请改为不超过 { $n }，或提高、清空上限
study-never-kept = 一题得到 { $n } 个回答后不再增加，因此没有题目能得出结论：请改为不超过 { $n }，或提高上限
study-one-option = 只有一个答案就不会答错：请给出两个或更多
# 参与者页面的文字。
words-odd-name = { $path }：请以语言命名文件，例如 fr.ftl 或 zh-TW.ftl
words-none = { $path }：其中没有页面的文字：请从 `zhiyin study words en` 开始
words-odd-place = 条目 { $name } 含有 { $place }，无可填入
words-lacking = { $of } 条文字中有 { $n } 条没有译文，将显示英文：{ NAMES($names) }
words-unknown = 没有名为 { $name } 的文字：{ $hint }
words-no-place = { $name } 缺少 {"{"} ${ $place } {"}"}：请写在应填入的位置
words-whole = { $file }：文字齐全；生成研究时加上 --words { SHELL($file) }
words-no-language = 页面没有 { $language } 的文字（已有 { NAMES($known) }）：请把 `zhiyin study words en` 打印的文字译入文件 { $language }.ftl，再加上 --words { $language }.ftl；已有的研究则放入其文件夹，命名为 language-{ $language }.ftl
study-short-of = { $item }（{ $n } 个）
study-short-more = 另外 { $n } 题
# 供伦理委员会审阅的文字：plugins/studies/ethics.py。
board-who = - 研究及其数据的负责人（数据控制者）与联系方式：{ $known ->
    [true] { $contact }
   *[false] 尚未填写：请在“联系方式”中填写
}
board-what = - 参与者的任务：在浏览器中{ $kind ->
    [exam] 回答题目
    [validate] 标出哪些选项回答了题目
    [rate] 为所示内容打分或比较
   *[other] 指出回答错在何处
}；每人回答 { $items } 题中的 { $each } 题。
board-minutes = - 时长：约 { $minutes } 分钟（根据题目、{ $sound ->
    [true] 声音与
   *[false] {""}
}阅读时间估计）。
board-risk = - 风险与负担：{ $sound ->
    [true] 以自行调节的音量听声音
   *[false] 阅读屏幕
}；预计不超过日常生活。
board-practice = - 练习题：{ $n } 题。作答后告知正确答案；不计入任何结果。
board-attention = - 注意力检查题：{ $n } 题。题目要求选择指定的答案，以确认是否认真阅读；事先不告知参与者。
board-headphones = - 进行耳机检查并保存结果；只有下列规则写明时才据此排除。
board-comprehension = - 正式题目之前须答对关于说明的问题（见下）：{ $tries } 次未答对者被筛除，不再得到题目，并被告知研究到此结束；其关于自己的回答会保存。
board-quota = - 配额：在“{ $field }”中回答“{ $value }”的人最多 { $most } 人参加；其余被婉拒，只保存人数。
board-full = - 一道题{ $most ->
    [none] {""}
   *[some] 得到 { $most } 个回答后{ $agreed ->
        [true] 或{" "}
       *[false] {""}
    }
}{ $agreed ->
    [true] 前 { $least } 个回答一致时
   *[false] {""}
}不再给任何人；已无题可答时到来的人被婉拒，只保存人数。
board-excluded = - 在看到回答之前声明的排除规则：{ $rules ->
    [none] 无
   *[some] 排除{ OR($rules) }
}。
study-rules = 在看到回答之前声明的排除规则：{ $rules ->
    [none] 无
   *[some] 排除{ OR($rules) }
}。
ethics-rule = { $rule ->
    [attention_wrong] 答错 { $value } 道或更多注意力检查题的人
    [gold_right] 已知答案题的正确率低于 { SHARE($value, decimals: 0) } 的人
    [median_seconds] 各题用时的中位数短于 { $value } 秒的人
    [same_place] 超过 { SHARE($value, decimals: 0) } 的选择在列表同一位置且并非偶然的人
    [headphones] 未通过耳机检查的人
    [reference_below] 在超过 { SHARE($share, decimals: 0) } 的题目中给隐藏参考的评分低于 { $value } 的人（ITU-R BS.1534-3：90、15 %）
   *[unfinished] 未答完全部题目的人
}
ethics-columns = - 每位参与者：随机抽取的化名、语言、上列关于自己的回答（若有自评量表则含其得分）、所同意的文字版本、是否通过耳机检查、是否完成，以及被哪些规则排除。每个回答：题目、显示的位置与顺序、所选、所评或所写的内容、是否正确、{ $sound ->
    [true] 每段声音听了几遍、
   *[false] {""}
}给出页面与保存回答的时间，以及在页面上有动静与无动静的时长。全部设置见 study.toml。
board-data = - 数据：回答与背景以随机化名保存。招募平台的编号只以带密钥的散列保存；不保存网络地址、姓名或其他网站的 cookie。会话 30 天后失效。退出即删除该参与者的全部记录。数据存放在运行研究的机器上。
board-open = - 须由负责人说明：数据保存多久、谁可以访问、是否公开，以及报酬。
board-kept = 保存的内容
board-edited = 上述文字曾在浏览器中编辑；旧版本均已保留：
board-version = 版本 { $version }，{ $day }，当时已有 { $people } 人开始
study-without-instruction = { $run }：每题之前的说明与样例不会显示，因为运行记录中只有给模型看的版本；如需显示，请用基准本身生成研究

backup-no-study = { $folder }：这里没有 { $file }：请给出研究的文件夹
backup-postgres = { $folder }：没有 { $database }：PostgreSQL 请用 pg_dump 备份
backup-inside = { $out } 在研究的文件夹之内：请选择 { $folder } 之外的位置
backup-there = { $out } 已经存在：请另取名称
backup-full = { $folder } 中已有内容：请另选文件夹
backup-broken = { $file }：不是完整的研究备份

study-unanswered = { $folder }：还没有人作答
study-out-html = --out { $out }：请给出以 .html 结尾的名称

people-by-twice = --by { $by }：同一字段写了两次
people-out = --out { $out }：请用 --model RUN 给出与人类对照的运行
people-unanswered = { $source }：还没有人作答
people-kept = --kept：这些是考试的答案，不是验证
people-no-file = { $source }：没有这个文件；请给出人类作答的文件
people-no-trials = { $trials }：缺失；请把导出的题目复制到那里
people-flat = { $source }：这是供 R 与电子表格用的导出；请给出另一份，即 `zhiyin study export STUDY --out answers.jsonl` 写出的文件
people-table = { $source }：表格只说明谁选了什么；题目来自运行：请用 --exam 给出任意模型在这份考试上的运行，例如 `zhiyin run BENCHMARK -m random` 的文件夹
people-flag = --{ $flag }：这些是{ $why }
people-validated = { $questions } 题：保留 { $keep }，剔除 { $drop }，未定 { $open }（少于 { $annotations } 个回答）
people-rule = 保留的条件：至少 { $right } % 标出正确选项，且至多 { $most } % 标出{ $wrong ->
    [any] 任一干扰项
   *[other] 同一个干扰项
}
people-exam = 缺少 --exam：请给出人类所答的基准，或模型在其上的运行
people-each = --each-person 会写出运行：请加上 --out DIR

people-few = { $label }：{ $n } 人，人数太少，不予显示（--least-people）
people-precision = 精确率：已作答中答对的比例；空白或未指明选项的回答不计为作答
people-intervals = 区间：95 %，对其他人与其他题；模型的区间对其他题
people-passing = 及格：答对数占全部所问题目的比例，空白算错
people-points = --points：各人题数不同，答对数无法比较：请去掉

study-source-missing = --from：请给出基准、运行的文件夹或文件
study-no-out = 缺少 --out：请给出研究的文件夹
study-no-source = 缺少 --from：请给出基准、运行的文件夹或文件
study-no-run = --model { $run }：那里没有运行：请给出模型运行的文件夹

study-database = 没有数据库的地址：请写 postgresql://NAME@HOST/BASE

study-languages = --languages { $names }：请给出名称，例如 en,zh
study-item-twice = { $where }：{ $id } 出现两次：请删去一个
study-no-items = { $path }：没有题目；请重新制作研究

study-language-object = { $path }：请给出一个名称与文字的对象

study-there = { $folder } 中已有内容：请用 --out 另选文件夹
study-no-options = { $id } 没有选项：--kind validate 要标注选项
study-errata = --errata：其中没有这些题；请用这些数据重新制作
study-ungradable = { $folders }：其中没有可评的文本
study-pairs = --pairs 比较两个运行的文本：请给出两次 --from
study-stimuli = { $where }：请给出两个或更多名称不同的刺激
study-role = { $where }：角色是 reference 或 anchor
study-nothing = 来源中没有这种研究可问的内容

study-no-audio = { $path }：不是可以解码的音频
study-no-sound = { $path }：所问的部分没有声音
study-no-picture = { $path }：不是浏览器能显示的图片；请给出 PNG 或 JPEG
study-anchor = 锚点需要高于 { $what } Hz 的声音；请给出一个
study-other-file = { $path }：不是当时所问的文件；请放回原来的文件

scale-place = scale_file = { $scalefile }：请把文件直接放在 { $folder } 中
scale-labels = { $path }：各语言的标签数须相同，score 为 mean 或 sum
scale-ids = { $path }：每条陈述须有自己的 id
scale-words = { $path }：没有 { $language } 的文字

study-out-name = --out { $out }：请给出以 .jsonl 或 .csv 结尾的名称

study-served = { $folder } 正在提供服务：请先结束那个服务

study-none = { $folder }：这里没有 { $file }：请用 `zhiyin study make` 制作

study-unopened = 无法打开答案的数据库：{ $first }
study-changed = { $folder }：已有 { $taken } 人参加后，研究或其题目被改动；请放回原来的文件，或在另一个文件夹中开始新的研究
study-damaged = { $path }：已损坏；请恢复其备份

# 终端关于研究的输出。
study-count = { $n } 道{ $role ->
    [plain] 正式题
    [practice] 练习题
    [gold] 已知答案题
    [attention] 注意力检查题
   *[other] { $role }
}
study-judgements = 评分{ $group ->
    [none] {""}
   *[some] ：{ $group }
}
study-judged = 对象
study-mean = 平均
study-judged-is = 区间为 95 %，同时针对其他参与者和其他题目。{ $pairs ->
    [0] {""}
   *[other] A − B 表示同一批人在相同题目上给 A 的评分比 B 高多少；这 { $pairs } 个区间同时成立的置信度为 95 %（Bonferroni 校正）。
}
study-closes = 一题有 { $least } 个一致的回答，或共 { $most } 个回答后，不再提问：见 study.toml 中的 annotations
study-wrote = 已写出研究，含 { NAMES($counts) }：{ $folder }
study-look = 请在浏览器中查看，命令为：
study-no-https = 没有 https，途中的其他人可以读到答案
study-reachable = 其他机器也能访问研究者的页面
study-participants = 参与者：{ $at }
study-researcher-at = 研究者：{ $at }  令牌：{ $token }
study-unseen = 请先在研究者的地址查看整个研究
study-exported = { $people } 人的 { $answers } 个答案：{ $file }
study-trials = 题目：{ $file }
study-codebook-file = 码本：{ $file }
study-scripts = 读取它的脚本：{ NAMES($files) }
study-files = { $n } 个文件：{ $path }
study-texts-unwritten = { $folder }：{ $n } 段文本没有写出，已略去
study-kind-run = --kind { $kind } 评分的是模型写出的内容：请用 --from 给出运行{ $kind ->
    [annotate] ，或给出 --errata FILE
   *[other] {""}
}
study-tune-text = { $id }：一段旋律无法排成乐谱，显示其文本
study-short = { $name }：太短，无法测量响度，保持原样
study-silent = { $name }：没有声音，保持原样
study-below = { $name }：比其他声音低 { $db } dB，否则会削波
people-questions = 题目：保留 { $keep }，剔除 { $drop }，未定 { $open }
people-decisions = 判定：{ $path }
people-figure = 图：{ $path }
people-runs = { $n } 个运行，位于 { $out }：`zhiyin show { SHELL($first) }`
people-none-left = { $counting }：请查看这些人的答案，或再请更多人
people-fewer = 有 { $n } 人作答，少于 --least-people { $least }：请再请更多人；若无人会被认出，可写 --least-people 1
people-no-group = 没有一组达到 { $least } 人：请在 --by 中少写字段或不写；若无人会因背景被认出，可写 --least-people 1
people-within = 其中另有 { $n } 个分类：--groups all
study-driver = { $why }：请安装这种数据库的驱动
study-faults = { CLAUSES($each) }
study-make-again = { $why }；请重新制作研究
study-depends = { $what }：它的后一题取决于前面的答案，无法据此制作研究；请选择另一基准、某个基准的运行，或在可行时固定题目的顺序（参见 docs/study.md 的 `Hearing tests`）
study-measure-is = { $measure ->
    [choices] 选择
    [preferred] 偏好
    [named] 所指选项
    [rating] 评分
    [completeness] 完整性
    [precision] 准确性
    [novelty] 新颖性
   *[other] { $measure }
}
people-kept-unwritten = --kept { $path }：无法写入（{ $why }）：请指明一个存在的文件夹中的文件
