# 报告的方法段，可直接用于论文：report/methods.py。

methods-sentence = { SENTENCE($clauses) }
methods-each-run = 每次运行中，{ CLAUSES($clauses) }。
methods-of-run = { AND($who) }：{ $clause }

methods-who = 我们{ $first ->
    [none] {""}
   *[some] { $last ->
        [none] 于 { $first }
       *[some] 于 { $first } 至 { $last }
    }
}用 { AND($tools) } 在 { $benchmark }{ $versions ->
    [0] {""}
   *[other] （题目与评分版本 { AND($versions) }）
}{ $items ->
    [none] {""}
   *[other] 的 { $items } 题
}上{ $shots ->
    [0] {""}
   *[other] 采用{ AND($shots) }提示，
}测试了 { AND($models) }{ $address ->
    [none] {""}
   *[some] （{ $address }）
}{ $runs ->
    [0] {""}
   *[other] ，共 { $runs } 次运行
}{ $figures ->
    [no] {""}
    [told] ；各数字附 95 % 区间
   *[tested] ；各数字附 95 % 区间，差异经成对检验，并按其数目校正
}。
methods-model = { $name }（{ CLAUSES($told) }）
methods-sent = { $address ->
    [none] { $id }
   *[some] { $id ->
        [none] {""}
       *[some] 模型 { $id }，
    }{ $address }
}
methods-at = 位于 { $address }
methods-own-server = 位于我们自己的服务器
methods-when = 日期 { AND($days) }
methods-canaries = 测试前的探测题（只有听得见或看得见才能答对的简单题）由以下模型{ $state ->
    [passed] 通过：{ CLAUSES($each) }。
   *[failed] 答题而未通过，因而未能证明其听得见或看得见：{ CLAUSES($each) }。
}
methods-canary-of = { $who }（{ $medium ->
    [sound] 声音
   *[image] 图像
}，{ $asked } 题答对 { $right } 题）
methods-plan = { $n } 个假设及其检验于 { $at } 预先注册{ $who ->
    [0] {""}
   *[other] （按计划进行的运行：{ NAMES($who) }）
}，SHA-256 前 { $digits } 位：{ $sha }{ $departures ->
    [0] ；未发现与计划不符之处
   *[other] ；运行与计划有 { $departures } 处不符，见报告
}{ $confirmatory ->
    [true] 。其他检验均属探索性。
   *[false] 。并非所有回答都是在此之后取得的：这些结果不属验证性结果，所有检验均属探索性。
}
methods-options = 每题有 { $most ->
    [none] { $least }
   *[some] { $least } 至 { $most }
} 个选项{ $order ->
    [shuffled] ，顺序按种子打乱
    [published] ，顺序与原数据相同
   *[other] {""}
}{ $chance ->
    [none] {""}
   *[some] ，随机猜测的正确率为 { SHARE($chance) }
}
methods-agreement = 参加者的选择一致性：Krippendorff alpha { NUMBER($alpha, decimals: 2) }{ $low ->
    [none] {""}
   *[some] （95 % 区间 { NUMBER($low, decimals: 2) } 至 { NUMBER($high, decimals: 2) }，基于 { $questions } 题）
}
methods-tool = Zhiyin{ $version ->
    [none] （版本未知）
   *[some] {" "}{ $version }
}{ $python ->
    [none] {""}
   *[some] （Python { $python }）
}

methods-asked = { methods-of }{ $judged ->
    [none] 回答了 { $open } 题，{ $right ->
        [none] 不分对错
       *[some] 答对 { $right } 题；题目按信息量选取，这不是基准上的正确率
    }
   *[some] { $judged } 题判出对错{ $open ->
        [0] {""}
       *[other] ，{ $open } 题不分对错
    }
}{ $items ->
    [none] {""}
   *[some] （不计重复，{ $items } 题）
}{ $sequences ->
    [none] {""}
   *[some] ；{ $sequences } 组中有 { $ended } 组到达结尾
}{ $judged ->
    [none] { $failed ->
        [0] {""}
       *[other] ；{ $failed } 题调用失败
    }
   *[some] ；{ $failed } 题调用失败，{ $unread } 题读不出答案
}{ $unfit ->
    [0] {""}
   *[other] ；另有 { $unfit } 题不适用，未提问
}
methods-of = { $planned ->
    [none] {""}
   *[some] 共 { $planned } 题，其中
}
methods-data = 数据与提示的 SHA-256（前 { $digits } 位）：{ CLAUSES($prints) }。
methods-print = { $print }（{ AND($who) }）

methods-own-protocol = 采用 Zhiyin 自己的协议
methods-protocol = 采用协议 { $name }（{ $source }）{ $departures ->
    [0] {""}
   *[other] ，偏离之处：{ NAMES($departures) }
}{ $differs ->
    [0] {""}
   *[other] ；与其不同之处：{ NAMES($differs) }
}

methods-one-person = 由一个人回答
methods-people = { $people ->
    [none] 多人
   *[some] { $people } 人
}回答{ $set_aside ->
    [none] {""}
   *[some] （参加者 { $of } 人，剔除 { $set_aside } 人{ $rules ->
        [0] {""}
       *[other] ，按事先规定的规则：{ NAMES($rules) }
    }）
}{ $by_hand ->
    [0] {""}
   *[other] ；另由研究者剔除 { $by_hand } 人
}{ $under_way ->
    [0] {""}
   *[other] ；{ $under_way } 人尚未做完
}{ $attention ->
    [none] {""}
    [0] {""}
   *[other] ；{ $attention } 道注意力检查题不计入任何数字
}{ $practice ->
    [none] {""}
    [0] {""}
   *[other] ；{ $practice } 道练习题不计入任何数字
}{ $agreement ->
    [none] {""}
   *[some] ；{ $agreement }
}{ $languages ->
    [0] {""}
   *[other] ；作答语言：{ NAMES($languages) }
}；每人权重相同，区间同时针对其他人与其他题目
methods-people-language = { $language ->
    [de] 德文
    [en] 英文
    [zh] 中文
   *[other] { $language }
} { $n } 人{ $questions ->
    [all] （题目已翻译）
    [some] （题目只有一部分是这种语言）
    [nothing] （题目未翻译）
   *[own] {""}
}
methods-rule-broken = { $rule ->
    [attention_wrong] 注意力检查题答错
    [gold_right] 对照题答对太少
    [median_seconds] 作答过快
    [same_place] 过多选择列表中的同一位置
    [least_answers] 回答太少
    [headphones] 未通过耳机检查
    [reference_below] 给隐藏参考的评分过低
    [unfinished] 未完成
    [under_way] 尚未做完
   *[other] { $rule }
}（{ $n } 人）
methods-rule = 答案由规则“{ $rule }”给出
methods-by-rule = 回答由规则生成
methods-replay = 回答在别处生成，从文件读取
methods-imported = 回答在别处生成
methods-no-sampling = 回答由一个函数给出，它不接受采样设置
methods-sampled = 生成回答时采用{ $settings ->
    [0] 模型自己的设置
   *[other] { NAMES($settings) }
}
methods-sampling = { $setting ->
    [temperature] 温度
    [max_tokens] 每个回答最多
    [top_p] top-p
    [top_k] top-k
    [seed] 采样种子
   *[thinking] 思考
} { $value }{ $setting ->
    [max_tokens] {" "}个 token
   *[other] {""}
}

methods-settings = 设置：{ $settings ->
    [0] 默认
   *[other] { NAMES($settings) }
}
methods-language = 提示为{ $language ->
    [en] 英文
    [zh] 中文
   *[other] {" "}{ $language }
}
methods-seed = 所有随机选择的种子为 { $seed }
methods-private-seed = 所有随机选择使用私有种子（承诺值 { $commitment }）
methods-option = { setting-name }{ $value ->
    [none] {""}
   *[some] 为{" "}{ setting-value }
}
methods-only = 仅{ AND($what) }
methods-limit = 前 { $n } 题
methods-sample = 随机抽取的 { $n } 题
methods-partial = 手头已有的部分数据（partial）
methods-share = 仅 { $of } 份中的第 { $index } 份

methods-chosen = 人所选的选项按原样采用
methods-read = 按{ $policy }从回答中读取答案{ $audit ->
    [none] {""}
   *[some] （{ $audit }）
}
methods-policy = { $ours ->
    [true] Zhiyin 的规则 { $name }
   *[false] 规则 { $name }
}{ $version ->
    [none] {""}
   *[some] （第 { $version } 版{ $ours ->
        [true] ，见 docs/reading.md
       *[false] { $source ->
            [none] {""}
           *[some] ，{ $source }
        }
    }）
}
methods-judged = 回答由以下评分者评分：{ CLAUSES($by) }。
methods-judged-apart = 回答的评分：{ CLAUSES($runs) }。
methods-judged-run = { $who } 由 { CLAUSES($by) }
methods-judge = { $judge } 评 { AND($aspects) }（{ $draws ->
    [1] {""}
   *[other] 每项评 { $draws } 次，
}{ $language ->
    [zh] 中文
    [en] 英文
   *[other] { $language }{" "}
}{ $means ->
    [lists] 词表
   *[prompts] 提示
}{ $temperature ->
    [none] {""}
   *[some] ，温度 { $temperature }
}）

methods-denominator = { $of ->
    [people] 参加者没有做到的题不计入分母；做到却没有作答的题记为错。
    [both] 没有回答的题（模型：传输或服务器出错；人：没有做到的题）不计入分母；人做到却没有作答的题，以及模型的拒答、被截断的回答和读不出答案的回答，都记为错。
   *[models] 没有回答的题（传输或服务器出错）不计入任何分母；拒答、被截断的回答和读不出答案的回答按错误计。
}
methods-intervals = 文中区间均为 95 % 置信区间：相互独立的对错回答采用 Wilson 区间{ $clustered ->
    [true] ；若多题共用一段录音或一份材料，则以聚类稳健标准误求出的有效样本量计算，且多答对一题不会使区间下移
   *[false] {""}
}{ $repeated ->
    [true] ；同一题的重复提问、选项轮换与各种条件先取平均
   *[false] {""}
}。
methods-compared = 各次运行两两比较，每次比较只取双方都已判分的题，采用{ AND($tests) }；总体{ $group ->
    [none] {""}
   *[some] 与 { $group } 
}的 p 值对全部两两比较作 Holm 校正{ $scale ->
    [true] （含基线等参照的比较另行校正）
   *[false] {""}
}，其余各组题目的 p 值作 Benjamini–Hochberg 校正，属探索性分析。
methods-test = { $test ->
    [mcnemar] McNemar 精确检验{ $alone ->
        [true] {""}
       *[false] （用于单个的对错回答）
    }
    [swap] 按聚类互换两次运行回答的置换检验
    [crossed] 把参与者与题目都视为抽样的 t 检验（Gao 与 Owen 2017）
   *[other] 按聚类翻转符号的检验（不超过 14 个聚类时穷尽全部翻转，否则随机翻转 10,000 次）
}
methods-differences = 差异的区间由配对差异的聚类稳健标准误按 Student t 分布求得；双方结果不同的题很少时，两个方向各补一题。
methods-tested = 每次运行的正确率是否高于随机水平、是否偏爱某个字母，均逐一检验，并对页面上的所有运行作 Holm 校正。
methods-crossed = 每个模型都以下列方式各测一次：{ CLAUSES($each) }。
methods-setting = { $settings ->
    [0] 默认设置
   *[other] { NAMES($settings) }
}
methods-remarks = 数据：{ CLAUSES($each) }。
methods-published = 并列的已发表结果出自：{ $sources }。
methods-cite = 软件：The Zhiyin maintainers，“Zhiyin: finding out whether a language model understands music”{ $versions ->
    [0] {""}
   *[other] ，版本 { AND($versions) }
}。
methods-f1 = F1 为精确率（可读答案中答对的比例）与召回率（所有题目中答对的比例）的调和平均；其区间按有效样本量以比例的方法计算，两次运行的 F1 之差以按聚类互换回答的置换检验判断，区间由刀切法求得。
methods-paper = 基准：{ $paper }
