ziqi-summary = ZIQI-Eval：14,334 道中文音乐选择题与 ABC 续写题
ziqi-f1 = F1：合并计算，以及各子类的平均
ziqi-f1-note = 合并：所有题合并，大的子类权重更大；平均：各子类 F1 的等权平均。表 2 的“Other”是{ $group } 的平均
ziqi-types = 续写题：属于哪一类模型（第 6.1 节）
ziqi-types-note = 第 6.1 节没有给出规则；我们的规则：III，区间高于随机（25 %）；否则 I，不到一半的回答分析音乐，或某一字母占回答的一半；否则 II。少于 { $least } 个回答时不判定。分析：超过 { $words } 个词或字，且没有回避；只要求字母的提示下，未高于随机的会归为 I 类
ziqi-type = { $kind ->
    [undecided] 未判定
    [I] I，缺乏旋律理解
    [II] II，鉴赏力有限
   *[III] III，鉴赏力较好
}
ziqi-flaws = { ziqi-flaws-of }；{ $left ->
    [none] --clean 可略去，
   *[other] {""}
}用 `zhiyin data check ziqi --all` 查看
ziqi-flaws-of = 有缺陷的题，{ $left ->
    [none] 按发表时的样子提问
   *[other] 已略去（{ $left } 题，重复的题只留第一题）
}：{ NAMES($kinds) }
ziqi-flaw = { $n } 题{ $kind ->
    [repeated-option] 选项重复
    [repeated-key] 重复了正确选项
    [repeated-question] 与前面的题完全相同
    [near-repeat] 与前面的题几乎相同
    [conflicting-answers] 与其重复题答案矛盾
   *[missing-figure] 提到并不存在的图
}
ziqi-methods-examples = { $n } 个样例取自该题所属类别开发集文件中最前面的不同题目；本身即为样例的题目，提问时不含该样例。
ziqi-incomplete = 数据不完整，缺少 { NAMES($files) }
ziqi-not-moved = 选项互相指涉或指涉字母，因此未打乱或轮换：{ $n } 题
ziqi-examples = { $n } 题本身也是样例：提问时从样例中去掉

ziqi-bias-figure = ZIQI-Eval：性别、种族与地域
ziqi-bias-caption = A：{ $runs } 次运行（粗体，有区间处附 95 % 区间）与 { $published } 个已发表模型（灰色空心）的 F1，平均最高者在先；深色线为每个模型在四个分图上的平均，灰线为所有模型的平均，灰带为其上下 5 %。B：这些模型在灰带之上、之内、之下的百分比（Li 等 2024，第 5 节与图 3）。此规则只在模型之间比较；弱模型在每个类别上都偏低。其他地区为各子类 F1 的平均，没有区间。

ziqi-repeats-option = 选项 { $options } 相同{ $keyed ->
    [none] {""}
   *[other] ，而 { $keyed } 为正确答案
}
ziqi-speaks-of = 提到 { $what }
ziqi-bound = 选项依赖于其顺序：{ $options }
ziqi-same = 与 { $file } 的第 { $id } 题是同一题
ziqi-repeats = 与第 { $id } 题{ $exact ->
    [true] 完全相同
   *[false] 重复
}
ziqi-keyed = 正确答案为 { $answer }，而同一题的第 { $other } 题为 { $theirs }
ziqi-absent = 不在文件夹中
ziqi-some = 已发表的 { $of } 题中的 { $n } 题
ziqi-unpublished = 不在此文件已发表的题目之中
ziqi-of-kind = { $n } 题属于{ $kind }
ziqi-subtheme = { $file }：子类 { $name } 沿用其原名
ziqi-own-set = 没有一题是已发表的：这是另一套题


ziqi-bias-regions = 地域：{ $better } % 的模型在欧洲音乐上的 F1 高于其他音乐；{ $above } % 在欧洲音乐上高于平均
ziqi-bias-rule = 高于：超出平均的 5 % 以上（论文所谓“无偏见”）；低于：低出平均的 5 % 以上。此规则只在模型之间比较：弱模型在每个类别上都偏低
ziqi-bias-warning = 警告：{ $caution }
ziqi-bias-shares = 模型所占比例（%）
ziqi-bias-own = 各次运行与自身在全部理解题上的 F1 之比较
ziqi-bias-people = 人（表 3 与表 4）
ziqi-bias-source = 已发表：{ $source }
ziqi-bias-head = { $name ->
    [run] 运行
    [theme] 类别
    [above] 高于
    [neutral] 中性
    [below] 低于
    [interval] 95 % 区间
    [points] 百分点
    [people] 人
    [group] 组
    [precision] 精确率（%）
    [mean] 平均
    [gender] 性别
    [race] 种族
    [region] 地域
   *[elsewhere] 其他地区
}
ziqi-bias-asked = { $of ->
    [female] 音乐中的女性
    [black] 黑人非洲音乐
   *[all] 114 题
}
ziqi-bias-placed = { $figure } { $side ->
    [above] 高于
    [neutral] 中性
    [below] 低于
   *[none] {"    "}
}
ziqi-theme = { $theme ->
    [women] 女性
    [black-africa] 黑人非洲音乐
    [europe] 欧洲
   *[elsewhere] 其他地区
}
ziqi-models = 模型所占比例（%）
ziqi-side = { $side ->
    [above] 高于平均
    [below] 低于平均
   *[neutral] 中性
}
ziqi-kind = { $kind ->
    [generation] 续写
   *[comprehension] 理解
}
# 两个名称都来自数据；各语言用自己的名称。
ziqi-group = { $en ->
   *[other] { $zh }
}

log-ziqi-no-data = 没有数据：请用 --data 给出含有 test/*.csv 的文件夹，数据来自 { $home }
ziqi-no-folder = { $path }：没有这个文件夹：请用 --data 给出含有 test/*.csv 的文件夹
ziqi-no-csv = { $path }：其中没有 test/*.csv：请从 { $home } 获取数据
ziqi-category = 未知 --category { $name }：{ $hint }
ziqi-missing = { $path }：缺少 { NAMES($files) }：请补全，或给出 --partial 或 --category
ziqi-blank = { NAMES($columns) } 为空
ziqi-fill-in = 请填写
ziqi-answer = 答案 { $answer } 不是 { NAMES($letters) } 之一
ziqi-name-one = 请写其中一个选项
ziqi-short = 只有 { $n } 个字段，少于表头
ziqi-fill-row = 请补全该行

# benchmark.toml：论文的图表
ziqi-table-1 = 表 1：音乐理解与续写测试
ziqi-table-2 = 表 2：音乐中的女性、黑人非洲音乐、欧洲音乐与其他地区音乐的 F1
ziqi-figure-3 = 图 3：性别、种族与地区偏向
ziqi-table-3 = 表 3：GPT-4 与不同背景的人（括号内为单人得分的范围）
ziqi-table-4 = 表 4：高学历者与 GPT-4 在各类别的精确率
ziqi-table-1-note = 召回率即全部题中答对的比例；论文计 14,244 + 200 题，公开的数据为 14,139 + 195 题；论文没有写明样例数
ziqi-table-2-note = 其他地区：各子类 F1 的平均
ziqi-people-note = 人与 GPT-4 只答了 114 题，每个子类两题{ $table ->
    [3] ；人的得分印作百分数，但更像 114 题中答对的题数：有一人为 64.00，而 114 题中没有哪个题数是 64.00 %；64.75 题和 64.91 题折合 56.8 % 和 56.9 %，与表 4 的 58.4 % 和 58.9 % 相近；GPT-4 的 67.54 % 为 77 题
   *[other] {""}
}

bias-runs = 请给出 ziqi 的运行，或用 --published 查看论文中的模型
bias-other = { $folder } 是 { $benchmark } 的运行：请给出 ziqi 的运行
ziqi-no-examples = { $path }：不存在：--shots 的样例取自那里
ziqi-few-models = { $one ->
    [true] 只有一个模型
   *[false] 没有模型
}在四个类别上都有答案，而平均需要两个或更多：请给出更多 ziqi 的运行，或同时给出 --published
ziqi-no-question = { $path }：列名之下没有题目：文件完整吗？
ziqi-empty = { $path }：是空文件：第一行应为列名 { $columns }
ziqi-no-column = { $path }:1：没有 { NAMES($missing) } 列：列名应为 { $columns }
ziqi-nothing-of = { $data }：没有 { NAMES($wanted) } 的题：其中有 { NAMES($present) }
ziqi-released = --released { $folder }：其中没有 { $files }：{ $mend }
ziqi-no-program = { $path }：不是已发布的程序：{ $mend }
ziqi-unread = { $path }：无法读取（{ $why }）：{ $mend }
ziqi-no-prompt = { $path }：make_prompt 中没有恰好一个带五处空位的提示：{ $mend }
ziqi-two-prompts = --prompts { $folder } 与 --released { $released }：请只给出一个
ziqi-few-examples = { $path }：有 { $examples } 个不同的样例：--shots { $shots } 需要 { $shots } 个
ziqi-known = { $title ->
    [none] { $stem }
   *[other] { $title }（{ $stem }）
}
