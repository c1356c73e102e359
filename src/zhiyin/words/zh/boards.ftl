# 排行榜关于各表的说明：report/leaderboard。

boards-title = { $benchmark }{ $clauses ->
    [0] {""}
   *[other] ：{ NAMES($clauses) }
}
boards-row = { $name }，{ NAMES($settings) }
boards-items = { $n } 题
boards-again = { $title }（{ $number }）
boards-limit = { $limit ->
    [none] 全部{ extent-units }
   *[some] 前 { $limit } { extent-units }
}
boards-shots = { $shots ->
    [0] 零样本
    [1] 单样本
    [few] 少样本
   *[other] { $shots } 样本
}
boards-off = 无 { $name }
boards-extract = 读取规则 { $policy }
boards-language = { $language ->
    [zh] 中文
    [en] 英文
   *[other] { $language }
}
boards-letter = { $name } = { $value }
boards-setting = { $name }{ $value ->
    [none] {""}
   *[some] {" "}{ $value }
}
boards-only = 仅 { $value }
boards-value = { $value }

boards-other-protocol = 这些运行按 Zhiyin 自己的方式提问和读取，是另一种协议；用 --protocol { $name } 可按已发表的方式提问
boards-no-protocol = 没有说明它们的提问和读取方式与这些运行相同
boards-departs = 这些运行偏离了协议 { $name }：{ CLAUSES($departures) }
boards-not-published = 它们没有发表 { $figure }

boards-left = { $title }：{ AND($who) }（{ $n } 次运行）{ $altered ->
    [true] 只在改动声音、只放部分声音或减少干扰项的条件下有判分，不排名：数值见 `zhiyin show`
   *[false] 没有已判分的题，故不在表中
}。
boards-not-ranked = 不排名：{ $paths ->
    [true] 题目序列按回答选题，因此各次运行的题不尽相同
   *[false] { $figure } 没有配对检验{ $tested ->
        [none] {""}
       *[some] ；`zhiyin compare --score { $tested }` 检验 { $tested }
    }
}。
boards-ranked-on = 按所有运行共同被判分的 { $n } 题排名；各项数值基于各运行自己的全部题，因此次序可能不同。
boards-measured = 不按对错判分：测量结果见 `zhiyin show`
boards-unread = 无法读取，略去：{ $why }
boards-total = 总分是各部分的加权平均，按歌曲配对后据此排名。评论没有标准答案：只计其得分。
