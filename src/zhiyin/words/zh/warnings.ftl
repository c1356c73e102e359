# 读者看结果前须知：zhiyin/words/findings.py 中每一种各有一条。
going-on = 运行仍在进行：这些结果只含目前已有的回答
elsewhere = 最近一次会话在另一台机器上，或在本机上次启动之前，尚未结束：它仍在那里运行，或已被终止；用同一命令可继续
killed = 最近一次会话被终止，或机器停机：用同一命令可继续
stopped-early = 最近一次会话提前停止：{ $why }
failed = { $n } 题失败，未计入任何结果{ $causes ->
    [none] {""}
   *[some] （{ $causes }）
}；同一命令会再次提问
not-applying = { $of } 题中有 { $n } 题不适用，已略去：{ $blind ->
    [true] 盲基线只在选项中选择，而它们没有选项
   *[false] 它们播放声音或展示图片，而模型不接受
}
unfinished = 未完成：{ $what }
sequences-stopped = { $what }
faulty = { $what }：请修正后再次运行
stopped-by-plan = 按计划在 { $n } 题后停止（至多 { $of } 题）：{ NAMES($names) } 已有定论
not-kept = { $why }
words-elsewhere = { $n } 个回答没有正文：文字在{ $place ->
    [reasoning] 思考过程中：服务器把答案当成了思考，请关闭它的思考解析，或用 --thinking off 提问
    [tools] 工具调用中：请在启动服务器时不带工具
   *[audio] {" "}audio.transcript 中，已改读它：请让服务器只返回文本
}
requests-expired = { $n } 个请求已过期，已重新提交
batches-open = { $n } 个批次仍在处理；同一命令会取回结果
not-asked-for = { $where }：{ $of } 个回答中有 { $n } 个不对应任何题目（{ $first }）
lines-repeated = 日志中有 { $n } 行重复了同一题，未计入：每题以最后一行为准；写入者不是 Zhiyin
part = { $why }：不可与{ $beside ->
    [settings] 默认设置的运行
    [whole] 完整的运行
    [others] 已发表的结果
   *[published] 整个基准的已发表结果
}比较
canary = { $told }
canary-told = { $state ->
    [refused] 探测被拒绝，模型不接受{ $medium ->
        [sound] 声音
       *[image] 图像
    }：{ $why }
    [undecided] 不知道模型是否能{ $medium ->
        [sound] 听见
       *[image] 看见
    }：探测没有全部得到回答（{ $why }）
   *[failed] 探测未通过：没有证据表明模型{ $medium ->
        [sound] 听得见声音
       *[image] 看得见图像
    }：{ $asked } 题答对 { $right } 题，至少需要 { $needed } 题（随机猜测达到的概率为 { SHARE($by_guessing) }）{ $unread ->
        [0] {""}
       *[other] ；{ $unread } 个回答中没有答案
    }；它的答案可能与{ $medium ->
        [sound] 声音
       *[image] 图像
    }无关
}
canary-right = { $who } { $right }/{ $asked }
canaries-failed = 探测未通过：没有证据表明这些模型{ $medium ->
    [sound] 听得见声音
   *[image] 看得见图像
}：答对题数：{ NAMES($each) }{ $needed ->
    [none] {""}
   *[other] ，至少需要 { $needed } 题
}；它们的回答可能不取决于{ $medium ->
    [sound] 声音
   *[image] 图像
}
canary-of = { NAMES($who) }：{ $told }
cut-off = { $of } 个回答中有 { $n } 个在给出答案前被截断：{ $limit ->
    [none] 请设置 --max-tokens
   *[some] 请调高 --max-tokens（当时为 { $limit }）
}
unreadable = { $of } 个回答中有 { $n } 个读不出答案{ $causes ->
    [none] {""}
   *[some] ：{ $causes }
}
unreadable-in = 以下各组有许多回答读不出答案：{ NAMES($groups) }
share-in = { $group }（占 { SHARE($share, decimals: 0) }）
one-answer = 无论问什么，凡能读出的回答{ $but ->
    [0] {""}
   *[other] （{ $but } 个除外）
}都是 { $answer }：其正确率不说明模型能力
one-answer-in = 以下各组中，无论问什么，凡能读出的回答{ $but ->
    [0] {""}
   *[other] （{ $but } 个除外）
}都相同：{ NAMES($groups) }；其正确率不说明模型能力
answer-in = { $group }（总是 { $answer }{ $but ->
    [0] {""}
   *[other] ，{ $but } 个除外
}）
below-chance = 正确率 { SHARE($accuracy) } 低于随机猜测（{ SHARE($chance, decimals: 0) }）：答案可能读错，或选项弄混
ungraded = { $n } 个回答没有标准答案，也尚未评分：请评分
tables-failed = 无法生成它的其他表格：{ $why }
kept = { $of } 个回答中有 { $n } 个来自更早的运行，取自缓存{ $days ->
    [none] {""}
   *[some] （提问于 { $days }）
}：它们不代表服务器现在提供的模型
several-models = 这些回答来自 { $n } 个模型（按服务器所报名称：{ NAMES($named) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 个
}）：这些结果不属于其中任何一个
key-hidden = { $n } 个回答中出现了随请求发送的密钥：日志中已隐去
names = { NAMES($each) }
of-run = { $who }：{ $what }
copies = { $first } 与 { $second } 是同一次运行的副本：它们不是两次独立的测量
shared-replies = { $first } 与 { $second } 有 { $n } 个共同的回答只提问过一次并被保存：就这些回答而言，它们不是两次独立的测量
same-replies = { $first } 与 { $second } 的回答逐字相同：无法据此区分它们，其差没有区间
data-differ = 数据指纹不同；共有的题目相同，但提示或声音可能不同
rules-differ = 回答按不同规则读取（{ NAMES($rules) }）；请对其中一次运行重新评分
versions-differ = 这些运行由不同版本的基准评分；请重新评分
left-out = { $who }：{ $unit ->
    [songs] { $of } 首已评分的歌曲中有 { $n } 首未计入
   *[other] { $of } 道已判分的题中有 { $n } 道未计入
}
no-score = { $who }：{ $n } 个读不出答案的回答没有 { $measure }，不参与此处；正确率将其计为错误
measure-lacks = { $of } 个回答中有 { $n } 个没有此值
measure-title = { $name ->
    [f1] F1
    [accuracy] 正确率
    [recall] 召回率
    [precision] 精确率
   *[other] { $name }
}{ head-unit }
head-unit = { $unit ->
    [none] { $low ->
        [true] （越低越好）
       *[false] {""}
    }
   *[some] （{ $unit ->
        [share] %
       *[other] { $unit }
    }{ $low ->
        [true] ，越低越好
       *[false] {""}
    }）
}
remark = { $what }
without-reply = { $n } 题没有回答，不计入任何数字
benchmark-edited = { $place } 自本次运行的较早会话以来有改动：若其题目或评分可能不同，请提高其版本号
model-edited = { $model } 的文件自本次运行的较早会话以来有改动：已回答的题不再提问；指定另一个 --out 可全部重新提问
torn-line = { $file }：截去末尾不完整的一行（{ $n } 字节）
paths-unknown = { $of } 个序列中有 { $n } 个的判定不同：没有该基准及其数据，无法得知其后的题是否相同
paths-moved = 按这些判定，{ $of } 个序列中有 { $n } 个会走另一条路：此处是按当时的判定所问的题，而非本应问的
given-elsewhere = 回答来自别处；{ $unknown ->
    [pictures] 其中没有图片
   *[played] 播放过什么不得而知
}
merged-from = 由 { $n } 个分片合并而成
merged-versions = 各分片所用的 { $name } 版本不同：{ NAMES($versions) }
merged-further = 未合并：分片中的运行（{ NAMES($runs) }）；请对合并后的运行评分
