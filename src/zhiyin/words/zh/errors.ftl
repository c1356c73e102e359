# 出错信息：一行说清什么错、在哪里、怎样改正。

# 命令行参数有误（cli/__init__.py）
error-see = { $what }；参见 `{ $help }`
error-required = 缺少必需的参数：{ $names }
error-one-of = 以下参数须给出一个：{ $names }
error-takes-none = 参数 { $flag } 不带值，却给出了 { $value }
error-wants = 参数 { $flag } { $few ->
    [single] 后面需要一个值
    [most] 后面最多一个值
    [least] 后面至少需要一个值
   *[other] 后面需要 { $few } 个值
}
error-not-with = 参数 { $flag } 不能与 { $other } 同时使用
error-twice = 参数 { $flag } 只取一个值，却写了两次{ $model ->
    [true] （多个模型请用 `zhiyin suite`）
   *[false] {""}
}
error-argument = 未知参数 { $words }
error-choice = { $name } { $value } 无效：{ $hint }
error-flag = 未知参数 { $flag }{ $close ->
    [none] {""}
   *[some] ：也许是 { OR($close) }
}{ $elsewhere ->
    [none] {""}
   *[some] ；{ $elsewhere }
}
error-no-lang = --lang 只用于页面：终端的语言由 ZHIYIN_LANG=zh（或 en）决定，未设置时随系统区域设置
error-command = 未知命令 { $name }：{ $hint }
error-gone = { $what } 已取消：{ $now }
error-did-you-mean = { $close ->
    [none] 可用的有 { NAMES($known) }
   *[some] 您是否想用 { OR($close) }？
}
error-no-utf8 = 某个参数不是合法的 UTF-8 编码：请为它所指的文件改名
error-interrupted = 已中断
error-memory = 内存不足；请只处理其中一部分
error-system = { $where ->
    [none] {""}
   *[other] { $where }：
}{ $why }；请解决后重试
error-of-system = { $code ->
    [1] 操作不被允许
    [2] 没有这个文件或文件夹
    [5] 磁盘读写出错
    [13] 权限不足
    [17] 文件已存在
    [20] 不是文件夹
    [21] 是文件夹，不是文件
    [24] 打开的文件过多
    [28] 磁盘空间已满
    [30] 文件系统只读
    [36] 文件名过长
    [98] 地址已被占用
    [99] 没有这个地址
    [111] 连接被拒绝
   *[other] { $words }
}
error-package = 未安装 { $package }：{ $how }
error-listen = 无法监听 { $at }（{ $why }）；请换一个 { $flag }

# 名称：基准、模型、提取规则
error-which-class = { $name }：其中哪个类？请写 { $name }:CLASS
error-no-questions = { $name }：{ $there ->
    [true] 其中没有题目
   *[false] 没有这个文件或文件夹
}；请给出基准名（`zhiyin list`）或您的题目文件
error-benchmark = 未知基准 { $name }：{ $hint }
error-policy = 未知提取规则 { $name }：{ $hint }
error-protocol = 未知 --protocol { $name }：可用的有 { NAMES($known) }
error-column = 未知列 { $name }：{ $hint ->
    [none] 此处没有软件包提供任何列
   *[other] { $hint }
}
error-model = 未知模型 { $name }：{ $openai ->
    [none] {""}
   *[other] 您是否想用 openai:{ $openai }？
}{ $hint }
error-incomplete = 模型 { $name } 不完整：请写 { $form }
error-nothing-after = 模型 { $name } 后面不带内容：请写 { $form }
error-begins-http = 未知模型 { $name }：地址须以 http 开头：请写 { $form }
error-function-in = 未知模型 { $name }：其中的函数写作 { $form }
error-no-model-named = 没有指明模型：请写 { $form }
error-python = python:{ $spec }：请写 python:MODULE:FUNCTION 或 python:FILE.py:FUNCTION
error-import = python:{ $spec }：无法导入 { $place }：{ $why }
error-no-function = python:{ $spec }：{ $where } 中没有函数 { $name }：{ $hint ->
    [none] 其中没有任何函数
   *[other] { $hint }
}
error-no-command = { $name } 没有命令 { $command }：{ $hint }；要用它评测模型，请用 `zhiyin run { SHELL($name) } -m MODEL`
error-benchmark-typed = { $name } 是一项基准，{ $commands ->
    [none] 没有自己的命令
   *[some] 自带命令：{ NAMES($commands) }
}；要用它评测模型，请用 `zhiyin run { SHELL($name) } -m MODEL`

# 密钥、地址、服务器
error-needs-key = { $name } 需要密钥：请设置环境变量 { OR($variables) }
error-odd-key = { $variable } 含有密钥中不会出现的字符：请重新设置
error-password = { $where }：地址中的用户名或密码不会发送；请去掉，改为设置 ZHIYIN_API_KEY
error-no-address = { $where }：不是有效地址；请写 http://HOST:PORT/v1 或 https://HOST/v1
error-redirects = { $where } 重定向（{ $status }）到{ $to ->
    [none] 未知地址
   *[other] {" "}{ $to }
}；请直接给出最终应答的地址
error-not-served = { $where } 没有模型 { $name }（404）；它有 { NAMES($has) }{ $more ->
    [0] {""}
   *[other] {" "}及另外 { $more } 个
}
log-server-gone = 无法连接 { $where }：{ $why }；服务器在运行吗？
log-proxy-gone = 无法连接 { $where }：{ $why }；代理在运行吗？设置 NO_PROXY 可绕过代理
log-no-credit = 账户余额不足（{ $reason }）
log-wants-key = { $where } 需要密钥（{ $reason }）；请设置 { $variable }
log-other-key = { $where } 拒绝了 { $variable } 中的密钥（{ $reason }）；请重新设置
log-key-refused = 密钥被拒绝（{ $reason }）；请检查密钥及其权限
log-no-such-model = 没有这个模型或地址（{ $reason }）；请检查模型名称，以及 URL 是否为以 /v1 结尾的那个
error-no-logprobs = { $name } 不提供对数概率：请去掉 --score，或换用提供它的模型（hf:，或支持 logprobs 的服务器）
error-no-batches = --batch：此处没有可提交批处理的模型：请去掉它
error-no-options = 基线 { $name } 从选项中挑选，而 { $benchmark } 的题目都没有选项：请换用模型

# 参数的取值
error-value = { $flag ->
    [none] {""}
   *[other] { $flag }
}{" "}{ $value } 无效：请给出{ $least ->
    [none] { $above ->
        [none] {""}
       *[other] 大于 { $above }{ $most ->
            [none] {" "}
           *[other] {" "}且不超过 { $most }{" "}
        }的
    }
   *[other] { $most ->
        [none] 不小于 { $least } 的
       *[other] { $least } 到 { $most } 的
    }
}{ $wanted ->
    [int] 整数
    [float] 数字
    [str] 文本
    [other] 其他值
   *[else] { $wanted }
}
error-true-false = { $flag } { $value } 无效：请给出 True 或 False
error-needs-flag = { $flag } 需要同时给出 { $first }
error-limit-sample = --limit 与 --sample 不能同时使用：请只给出一个
error-score-batch = --score 与 --batch 不能同时使用：请去掉其中一个
error-thinking = --thinking { $value } 无效：请给出不小于 1 的 token 数，或一个词：{ $hint }
error-budget = { $where } { $text } 无效：请写成 5usd、2Mtokens 或 1000calls
error-budget-twice = { $where } { $text } 无效：{ $unit } 写了两次
error-priceless = --budget 以 usd 计，但 { $model } 的价格未知：请写入 `zhiyin prices` 所指的表格，或改用 tokens、calls
error-cache = --cache { $value } 无效：请写天数（如 7）、always、off，或在套件中写 session
error-shard = --shard { $text } 无效：十六份中的第一份写作 1/16，最后一份写作 16/16
error-shots = --shots { $shots } 无效：请给出不小于 0 的整数
error-few-examples = --shots { $shots }：第 { $line } 行所需的 { $kind } 类样例（有答案，且不是该题本身）只有 { $n } 个：请将一些行标为样例，或减少样例数
error-say-judge = 答案须按评分标准评分：请给出 --judge MODEL
error-columns = --columns { $pair } 无效：请写成 MEANING=COLUMN，如 question=stem
error-columns-hint = --columns { $pair } 无效：{ $where ->
    [none] {""}
   *[other] { $where }：
}{ $hint }
error-has-none = { $flag } { $value }：{ $path } 没有这一项；请去掉该参数
error-lang = --lang { $lang } 无效：页面语言为 en 或 zh；--lang en,zh 两种都写
error-table-out = --out { $out } 无效：请以 .tex、.md、.csv 或 .html 结尾，或给出 --to；图（.pdf、.svg、.png）须加 --as BENCHMARK:FIGURE，见 `zhiyin reproduce`
error-published = --published { $pattern }：这些基准没有叫这个名字的已发表结果：{ $hint }
error-published-several = 没有文件夹 { AND($runs) }；多项已发表结果以逗号分隔：--published "{ $all }"
error-alpha = alpha { $alpha } 不是显著性水平：请给出如 0.05 的值
error-one-price = 一次一个模型，或用 `zhiyin prices import FILE` 导入
error-no-price = { $model } 的价格未知：请写入 { $path }
error-nothing-to-ask = 无题可问：{ $name } 在这些设置下没有题目

# 题目文件与数据
error-no-file = { $path }：没有这个文件：请改正文件名
error-read = { $path }：无法读取（{ $why }）
error-read-name = { $path }：无法读取（{ $why }）；请改正文件名
error-may-read = { $path }：{ $why }：您有权读取这个文件吗？
error-folder = { $path }：是文件夹，但不是 `datasets` 用 save_to_disk 写出的：请给出其中的题目文件
error-suffix = { $path }：不是题目文件：可用的后缀有 { NAMES($suffixes) }
error-no-row = { $path }：{ $below ->
    [true] 列名之下没有任何题目
   *[false] 没有任何题目
}：请每{ $unit ->
    [row] 行
   *[line] 行
}写一题
error-not-text = { $path }：不是文本表格：{ $form ->
    [book] 其实是 Excel 工作簿：请把扩展名改为 { $suffix }，或另存为 UTF-8 编码的 CSV
    [utf16] 是没有 BOM 的 UTF-16 编码：请用 { $way } 转换
   *[other] 是图片、PDF 等二进制文件：请把表格另存为 UTF-8 编码的 CSV
}
error-utf16 = { $path }：UTF-16 编码已损坏：请重新导出为 UTF-8
error-empty = { $path }：是空文件：第一行应为列名（如“题目”“选项 A”“答案”，或 question, A, ...）
error-two-columns = { $path }：有两列都叫 { $name }：请改其中一列的名称
error-not-json = { $path }:{ $where }：不是 JSON（{ $why }）
error-not-list = { $path }：不是列表：请写成 [{"{"}...{"}"}, {"{"}...{"}"}]，或用 .jsonl 文件
error-spreadsheet = { $path }：无法作为电子表格读取（{ $why }）：请重新另存为 .xlsx，或 UTF-8 编码的 CSV
error-sheets = { $path }：有多个工作表：请给出 --sheet NAME：{ NAMES($names) }
error-sheet = --sheet { $name }：{ $path }：{ $hint }
log-needs-table = { $owner } 需要 --data，即题目表格或其所在文件夹（{ $home }）
error-which-file = { $path }：{ NAMES($names) }：是哪一个？请用 --data 指明文件
error-none-of = { $path }：其中没有 { NAMES($files) }；请从 { $home } 获取
error-not-utf8 = { $path }:{ $line }：不是 UTF-8 编码：请另存为 UTF-8（看来是{ $likely ->
    [GBK] 中文 Excel 所用的 GBK
   *[CP1252] 西欧 Excel 所用的 Windows-1252
}：{ $way }；若是{ $likely ->
    [GBK] 西欧 Excel 所用的 Windows-1252
   *[CP1252] 中文 Excel 所用的 GBK
}：{ $other }）
error-not-csv = { $path }:{ $line }：从此处起不是 CSV（{ $why }）：请补全引号，字段内的引号须写两遍
error-no-question-file = 没有题目文件：`zhiyin run my_questions.csv -m MODEL`
error-no-question-column = { $where }：在{ $names ->
    [0] 所有列
   *[other] {" "}{ NAMES($names) }{" "}
}中没有题目列：请将其命名为“题目”或 question，或给出 --columns question=NAME
error-row = { $at }：{ $item ->
    [none] {""}
   *[other] 题目 { $item }：
}{ $problem }：{ $remedy }
fault-kind = { $problem }（{ $rows }{ $others ->
    [none] {""}
   *[some] ；同类：{ NAMES($others) }
}）：{ $remedy }
fault-own = { $problem }（{ $rows }）
fault-rows = 第 { NAMES($lines) }{ $more ->
    [true] {" "}等，共 { $n }{" "}
   *[false] {" "}
}{ $unit ->
    [line] 行
   *[row] 行
}
error-rows = { $path }：有 { $n } 行无法提问：{ CLAUSES($rows) }{ $more ->
    [0] {""}
   *[other] ；另有 { $more } 类错误，用 `zhiyin data check { SHELL($path) } --all` 查看
}
log-fetch = { $why }；用 `zhiyin data fetch { SHELL($name) }` 获取数据
error-same-id = 两题的 id 都是 { $id }：每题须有自己的 id
row-no-question = 没有题目
row-write-it = 请写上
row-no-answer = 没有答案
row-write-right = 请写上正确答案
row-id-again = 编号 { $id } 在前面的行中已经出现
row-own-id = 请给每行各自的编号
row-no-scorer = 既没有选项，也没有评分方式
row-no-options-column = 没有评分方式，在 { NAMES($names) } 中也没有选项列
row-say-options = 请给出 --columns { SHELL($column) }
row-say-scorer = 请给出 --scorer NAME（normalised、number:1、notes 等；见 `zhiyin run questions --help`），或填写“评分方式”（scorer）列
row-mend-path = 请改正路径；--columns { $column }= 则不用{ $kind ->
    [sound] 声音
    [pictures] 图片
   *[other] {" "}{ $kind }
}提问
row-bad-answer = 答案 { $answer } 不在 { $n } 个选项之中
row-name-one = 请写 { NAMES($names) } 之一，或选项的文字
row-answer-of = 请写 { NAMES($names) } 之一
row-answer-alike = 答案 { $answer } 同时是选项 { NAMES($same) } 的文字
row-answer-counted = 答案 { $answer } 可以从 0 数，也可以从 1 数，而其他答案不是数字
row-write-letter = 请改正选项，或写字母
row-file = { $file } { $what }
row-not-there = 不存在（在 { $folder } 中寻找）
row-address = 是网址：请下载后写文件的路径
row-outside = 在文件夹 { $folder } 之外{ $anywhere ->
    [true] {""}
   *[false] ：请用 --audio-root 指明包含两者的文件夹
}
row-yes-no = { $text } 既不是 yes 也不是 no
row-write-yes = 样例请写 yes，否则留空
row-group-all = 有一个组叫“all”
row-all-are = 所有题目本来就属于它
row-options-scorer = 既有选项，又有自由作答的评分方式（{ $scorer }）
row-leave-one = 请将其中一项留空
row-mend-scorer = 请改正评分方式
row-no-rubric = 有评分者而没有评分标准
row-say-rubric = 请给出 --rubric TEXT 或 FILE
row-options-json = 选项是对象，但不是 JSON
row-options-unclear = 无法区分各个选项
row-options-objects = 选项是没有文字的对象
row-mend-options = { $unclear ->
    [true] 请用“；”“|”或换行分隔，或在每项前写 A.、B.（也可给出 --delimiter）
   *[false] 请改正选项
}
row-gap = 选项 { $option } 为空，而其后的不为空
row-many-options = 有 { $n } 个选项，而选择题应有 { $least } 到 { $most } 个
row-empty-option = 选项 { $option } 为空
row-not-json = 不是 JSON（{ $why }）
row-one-object = 请每行写一个对象

# 运行文件夹与写出的文件
error-no-run = { $folder } 不是运行：{ $what ->
    [file] 它是文件
    [nothing] 没有这个文件夹
   *[folder] 其中没有 { $lacks }{ $inner ->
        [none] {""}
       *[other] ，但 { $inner } 是
    }
}；请给出 `zhiyin run` 写出的文件夹
error-unanswered = { $folder }：其中{ $n ->
    [none] 的
   *[other] { $n } 次
}运行都没有答案；原因见 `zhiyin status { SHELL($folder) }`
error-no-record = { $where }：不是一条记录（{ $why }）
error-line = { $why }；删去这一行，即可重新提问这道题
error-manifest = { $path }：不是运行的清单（{ $why }）
error-write-to = 无法写入 { $folder }：{ $why }；请用 --out 另选文件夹
error-not-made = 无法建立 { $folder }：请用 --out 另选文件夹，或换到存在的文件夹
error-taken = { $folder } 正由另一个 zhiyin 写入：请等它结束，或用 --out 另选文件夹
error-half-run = { $folder } 有 { $records } 而没有 { $manifest }：请另选文件夹
error-other-settings = { $folder } 中的运行设置不同（{ CLAUSES($changes) }）：请用 --out 另选文件夹，或沿用原来的设置{ $moved ->
    [true] ；只有以 -m pool:FILE#MODEL 开始的运行可以换地址继续
   *[false] {""}
}
error-make-room = 无法写入 { $path }：{ $why }；已记录的内容完好：请腾出空间后再次运行同一命令
error-none-judged = { $folder }：还没有判分任何题目；请先完成运行
error-one-run = 只给出了一个运行：比较需要两个或更多
compare-alone = 没有同一基准的其他运行可比：{ NAMES($runs) }
error-two-benchmarks = 不同基准的运行无法比较：{ $of }（{ $first }）与 { $benchmark }（{ $other }）；请给出同一基准的运行
error-same-run = { $folder }：同一运行出现了两次；请给出不同的运行
error-no-runs = { $folder }：{ $there ->
    [true] 其中没有运行
   *[false] 没有这个文件夹
}；请给出存放运行的文件夹
error-out-file = { $out } 是文件：请给出文件夹，或以 .html 结尾的文件名
error-write = 无法写入 { $out }：{ $why }；请用 -o 另选位置
error-no-report = { $out } 中是报告以外的内容：请用 -o 另选位置，或清空它
error-no-batch-api = --batch：{ $why }：请用 openai:、openai-responses:、anthropic: 或 gemini:
error-no-batches-of = { $name } 没有批处理
row-give-path = 请给出路径、字节或采样；--columns { $column }= 则不用它提问
row-no-medium = 一个不含文件的对象

# 日志与 JSON 中保留英文、终端上译出的话：words/reasons.py
log-server-said = 服务器答复 { $reason }
log-not-reached = 无法连接 { $where }：{ $why }
log-no-reply = { $seconds } 秒内没有答复
log-broke-off = 答复未完，连接已断开
log-replied-with = 服务器返回的是{ $what }：地址是否正确？
log-web-page = 网页
log-empty = 服务器的答复是空的
log-no-form = 服务器的答复不是 { $what }（{ $why }）
log-one-try = { $why }（试 1 次）
log-tries = { $why }（试 { $n } 次）
log-refused-alike = 连续 { $n } 题因同样原因被拒绝：{ $why }
log-without-sound = { $why }；请换用能听声音的模型，或不用声音提问：{ $hint }
log-one-failed = 1 次失败（{ $why }）
log-trials-failed = { $n } 次失败（{ $why }）
log-failed-in-a-row = 连续 { $n } 题失败；最后一次：{ $why }
log-spent = { $what }（{ $limit }）已用完（{ $used }）；用同一命令并加大 --budget，可从此处继续
log-spent-next = { $used }；下一步还需 { $more }
log-spent-before = { $used }，未计仍在途中的部分
log-last-failed = { $ended }；最后一次尝试已失败：{ $why }
log-the-budget = 预算
log-not-all = 尚未全部提问；同一命令从此处继续
log-interrupted = 已中断
log-ended-by = 被 { $signal } 终止
log-again = 同一命令从此处继续
log-killed = 进程被终止；同一命令从中断处继续
log-quiet = 最近一次会话没有结束：进程已被终止，或仍在另一台机器上等待答复
log-refused-connection = 连接被拒绝
log-raised = { $name } 抛出 { $why }
log-no-answer = 未及时应答
log-needs-data = { $name } 需要 --data，即含有 { $file } 的文件夹（来自 { $home }）
log-was = { $name } 原为 { $before }，现为 { $after }
log-no-sound = 模型不接受声音（{ $reason }）
log-no-pictures = 模型不接受图片（{ $reason }）
error-no-format = { $name }：它的回答没有已知的发表格式；--from auto 可读其他程序的文件
row-many-cells = 有 { $n } 格，而表头只有 { $most } 列
row-quote-cells = 含分隔符的格请加引号
row-no-answer-column = 在 { NAMES($names) } 中没有答案列
row-call-it-answer = 请将其命名为“答案”或 answer，或给出 --columns answer=NAME
unsupported = 不支持：{ $why }
error-no-attention = { $run }：要比较原声与另一种条件，而这个运行{ $played ->
    [0] 没有播放任何声音
   *[other] 只有 { NAMES($played) }
}；请用 --audio true,noise,swap 重新提问
log-not-asked-yet = 尚未提问

merge-no-shard = { $folder } 不是运行的一部分：请给出 `run --shard` 的文件夹
merge-busy = { $folder } 正在写入：请等这一部分完成
merge-lacks = { $folder }：其中没有 { $share }：请重新运行这一部分
merge-there = { $out } 已经存在：请用 --out 另选文件夹
merge-differ = { $folder } 与 { $folderb } 是不同运行的部分（{ $listed }）：请合并设置相同的部分
merge-wholes = { $label } 与 { $labelb } 属于不同的整体（{ $units } 与 { $unitsb } 道题或序列，或名称不同）：其间基准或数据有改动
merge-changed = 各部分共有 { $every } 道题或序列，而整体有 { $units } 道：某个 { $share } 被改动；请重新运行该部分
merge-foreign = { $label } 中有题 { $id }，它不属于这一部分

extract-text = { $where }：没有作为字符串的 "text"；请写 { $example }
extract-number = { $where }："options" 是 { $given }；请给出 1 至 26 的数
extract-options = { $where }："options" 既不是文本的列表，也不是选项数
extract-many = { $where }："options" 有 { $texts } 个；最多 26 个

prices-date = --date { $text }：请写成 2026-01-31
prices-date-import = --date 属于 `zhiyin prices import FILE`：请去掉
prices-import = `zhiyin prices import FILE` 接受 LiteLLM 的 model_prices_and_context_window.json

error-own-setting = { $name } 只接受自己的 { $word }：请写 { $flag } default
error-no-thinking = { $name } 无法设定如何思考：请去掉 --thinking
error-thinking-as = { $name } 的 --thinking 可为 { $known }，不能为 { $thinking }
error-format = { $name } 接受的声音格式为 { $formats }，而不是 { $format }：请写 --audio-format { $formatsb }
error-unfit = { $name } 不能接受题 { $id }：{ $reason }

batch-gpu = vllm: 在 GPU 上运行：请用 --ray-gpus 1 为每个进程分配一块

# 模型不能接受某题的原因。
unfit-picture = 其中有图片，而模型不接受图片：请用能看图的模型
unfit-pictures = 其中有 { $n } 张图片，而模型接受 { $most } 张：请用其他模型，或减少样例（--shots）
unfit-system = 其中有系统消息，而模型不接受：请用其他模型
unfit-sound = 其中播放声音，而模型不接受声音：请用能听的模型{ $how ->
    [none] {""}
   *[other] ，或不带声音提问：{ $how }
}
unfit-sounds = 其中播放 { $n } 段声音，而模型接受 { $most } 段：请合为一段（--join-clips）、用其他模型，或减少样例（--shots）
unfit-earlier = 其中在最后一条消息之前播放声音，而模型只听最后一条：请不带样例提问（--shots 0）

batch-none = { $folder }：没有可问的题：{ $trouble }；请用 `zhiyin trials` 写出
batch-strangers = { $file }：有 { $strangers } 个回答不属于 { $folder } 的任何题（例如 { $strangersb }）：请移走该文件再问
batch-answers = { $folder } 中有 { $whose } 的回答：请移走，再向 { $spec } 问同样的题

sound-unread = { $name }：无法读取（{ $what }）
sound-undecoded = { $name }：不是可以解码的音频；{ $mend }
sound-empty = { $name }：没有采样；{ $mend }，且不为空
error-no-path = { $name }：不是路径：请在数据中改正
error-leaves = { $name }：在文件夹 { $root } 之外：数据只能引用其文件夹内的文件；请把文件移到那里
sound-mend = 请给出 WAV、FLAC、OGG 或 MP3 文件
sound-broken = { $name }：{ $fault }；请重新获取该文件
sound-bytes-missing = 文件不完整：缺少文件头所写字节中的 { NUMBER($n, 0) } 个
sound-no-last-page = 文件不完整：最后一页没有结束音频流
sound-shorter = 文件不完整：不到文件头所写的 { $claimed } 秒就中断
sound-nan = { $name }：{ $place } 秒处的采样不是数；请重新导出

error-no-published = { $name }：没有已知的发表格式
error-no-check = { $name } 没有可检查的数据
error-no-make = zhiyin 不为 { $name } 制作数据

sound-silent = { $path }：没有声音，噪声无法与之等响；请换成有声音的文件
control-undecoded = { $path }：无法解码；请给出 WAV、FLAC、OGG 或 MP3 文件
control-empty = { $path }：该处没有采样；请给出不为空的文件

recipe-which = { $recipe }：哪个文件？例如 recipes/NAME.toml
recipe-flags = { $path }：没有 [flags] 表；参见 docs/how-to/recipes.md
error-data-twice = { $word } 就是数据：请去掉 --data

error-no-default = 请给出 --{ $what }：它没有默认值
error-no-use = --{ $flag }：{ $name } 用不到它：请去掉

error-alpha-level = --alpha { $alpha } 不是显著性水平；请给出例如 0.05

play-as-is = --audio-format as-is 不改动任何声音：请去掉 --audio-rate 与 --audio-mono
play-rate = --audio-rate { $rate }：MP3 没有这种采样率；请给出 { $known } 之一
play-limit = --audio-limit { $limit }：请给出大于 0 的秒数
play-join = --join-clips { $join }：请给出 0 至 { $mostsilences } 秒的静音

replay-twice = { $where }：id { $id } 已有回答：请保留其一
replay-no-column = { $path }：没有 { $name } 列：请将一列命名为 { $names }
replay-id = { $where }："id" 是 { $shown }：请给出题的 id
replay-no-answer = { $where }：没有回答：请写为 "text"（或 { $textnames }）
replay-no-string = { $where }："{ $other }" 是 { $text }，不是字符串：请略去没有回答的题所在的行
replay-differ = { $where }："{ $first }" 与 "{ $other }" 不同：请保留其一
replay-no-file = replay：没有给出文件：请写 replay:FILE.jsonl
replay-empty = { $where }：没有回答：请每行写一个 JSON 对象
replay-several = id { $name } 有 { $n } 个回答（{ $where }；{ $whereb }），而只问一次：请保留其一
replay-asked = { $where }：id { $id } 已有回答，而共问 { $times }：请保留其一

error-unwritten = { $path }：无法写入（{ $why }）
error-not-written = 无法写出 { $path }：{ $why }
error-not-written-to = 无法写入 { $path }：{ $why }
error-cannot-read = { $path }：无法读取（{ $why }）
error-no-folder-made = 无法建立文件夹 { $path }：{ $why }
error-give-marks = { $path }：{ $why }：请给出含标注回答的文件
seed-there = { $path }：{ $why }：请给出尚不存在的文件
judge-cannot = 无法询问评分者：{ $why }
error-at = { $where }：{ $why }
error-unread = { $path }：无法读取（{ $why }）{ $remedy }
line-of = { $path } 第 { $line } 行
save-again = ；请用 save_to_disk 重新保存
save-again-unread = 无法读取（{ $why }）；请用 save_to_disk 重新保存
save-again-columns = 其中关于各列的说明无法读取（{ $why }）；请重新保存
save-again-labels = { $path }：ClassLabel：{ $why }；请重新保存
forged-which = { $path }：没有说明哪个文件是题目（{ $why }）；请直接给出该文件
forged-changed = { $inside }：文件夹制作之后被改动过：请用 `zhiyin forge` 重新制作，或直接给出该文件
recipe-unread = { $path }：无法读取（{ $why }）；请改正 { $recipe }
recipe-toml = { $path }：不是 TOML（{ $why }）；参见 docs/how-to/recipes.md
recipe-value = { $path }：{ $name } 不是文本、数字、真假值或列表；请改正
declares-trial = 基准 { $name }：一道题的类型是 { $given }，而不是 Trial
declares-target = 题 { $trial }：其目标 { $target } 不是任何选项的键（{ NAMES($keys) }），因此没有答案是对的
declares-json = 题 { $trial }：无法存为 JSON：{ $why }
declares-trials = 基准 { $benchmark }：`trials` 返回了 { $given }：请逐一产出题
clip-flaw = { $file }：{ $flaw }：{ $detail }
clip-json = { $path }:{ $where }：不是 JSON（{ $why }）；请重新获取该文件
error-distractors = --distractors { $word } 无效：{ $hint }
error-read-so = { $path }：无法读取（{ $why }）：请改正文件名
declares-description = { $path }：{ $why }：请改正这份描述
declares-setting = { $module }.{ $kind } 的设置 { $field } 与 `zhiyin run` 的参数同名：请改名
parquet-kind = { $path }：不是 { $kind } 文件（{ $line }）；请重新获取
parquet-names-none = { $folder }：没有写明有哪些 split；请重新保存
parquet-splits = { $folder }：有多个 split：请给出 --split NAME：{ NAMES($splits) }
parquet-split = --split { $split } 无效：{ $folder }：{ $hint }
parquet-no-splits = --split { $split }：{ $folder } 没有 split；请去掉该参数
parquet-index = { $place }：各行由索引给出：请在 save_to_disk 之前调用 flatten_indices()
parquet-no-files = { $place }：没有写明数据文件；请用 save_to_disk 重新保存
declares-no-policy = 提取规则 { $name }：{ $kind } 没有给出叫这个名字的 zhiyin.reader.Policy
declares-policy = { $source } 的提取规则 { $name }：{ $place } 不是名为 { $name } 的 zhiyin.reader.Policy
error-released = --released { $released }：--protocol { $protocol } 不从那里读取任何内容{ $able ->
    [none] {""}
   *[some] ；请给出 --protocol { OR($able) }
}
declares-two-names = { $source } 的基准 { $name }：它的类名为 { $kind }：入口点与类须用同一个名称
declares-form = --benchmark { $spec } 无效：请写 FILE.py:CLASS
declares-other-name = --benchmark { $spec }：它的类名为 { $kind }，而这些运行属于 { NAMES($names) }：请给类这个名称，或指明另一个类
declares-taken = 基准类 { $kind }：名称 { $name } 已被使用
declares-raises = 基准 { $kind }：{ $file }:{ $line }，在 { $function } 中：{ $why }
declares-no-file = { $spec }：没有文件 { $place }：请写 FILE.py:Class
declares-has-no = { $spec }：{ $path } 中没有 { $attribute }：{ $hint }
declares-no-class = { $place }：不是派生自 zhiyin.contract.Benchmark 的类
declares-small-letters = { $place }：请用小写字母、数字、'-' 与 '_' 为它的类命名：name = "my-benchmark"
declares-ours = { $place }：{ $name } 是 Zhiyin 自带基准的名称：请另取一个
declares-commands = { $place }：它的 commands 不是从名称到 contract.Command 的映射
declares-no-trials = { $place }：它的类不产出题：请编写方法 trials(self) 或 sequences(self)
declares-flag = 某个软件包添加了 `zhiyin run` 已有的参数（{ $why }）：请卸载该软件包
declares-faulty = 基准 { $kind }（{ $origin }）：它的声明有误（{ $why }）
table-large = { $path }：工作表有 { $height } 行、{ $width } 列，超过 { $most } 个单元格：请删去远离表格的内容，或另存为 CSV
table-twins = { $path }:1：有 { $n } 列都叫 { $name }：请只保留正确的一列
table-other = { $path }:1：{ $twice ->
    [true] 有两列都叫 { $name }
   *[false] 没有 { $name } 列
}；它是已发表的文件吗？
model-unset = 模型 { $spec }：shell 没有替换 { $literal }，而文件不读取环境变量：请写出名称，或用双引号以 -m 给出模型
model-timeout = timeout { $timeout } 无效：请给出大于 0 的秒数
model-concurrency = concurrency { $concurrency } 无效：请给出不小于 1 的整数
model-hears = 模型 { $kind } 以它所听的采样率接收声音：请去掉 --audio-format、--audio-rate 与 --audio-mono
model-unsent = 模型 { $kind } 不经网络接收声音：请去掉 --audio-format、--audio-rate、--audio-mono 与 --audio-limit
model-speaks = { $kind }：它所用的 { $speaks } 无法载入（{ $why }）：请改正它的 providers 文件
model-baseline = 未知基线 { $name }：{ $hint }
model-capabilities = { $model }：它的 `capabilities` 是 { $given }：请写 zhiyin.Capabilities(...)
model-not-asked = { $way }：无法提问（{ $message }）
model-none = { $spec }：{ $given } 不是模型：请编写它的方法 `async def generate(self, messages, sampling, trial)`
model-own-concurrency = { $spec }：它的 concurrency 是 { $most }：请给出大于 0 的整数
model-returned = { $model }：它的 `{ $name }` 返回了 { $given }：请返回 { $wanted }
model-raised = { $model }：它的 `{ $name }` 抛出 { $why }
model-no-class = { $spec }：{ $given } 不是模型，也不是模型的类
model-nothing-after = 模型 { $spec }：名称之后不带内容：请去掉 { $rest }
model-sound-set = 模型 { $spec } 无法设定声音如何发送：请去掉 --audio-format、--audio-rate、--audio-mono 与 --audio-limit
model-unmade = { $spec }：无法建立：{ $why }
model-no-function = python:{ $spec }：{ $name } 是{ $type ->
    [none] 类
   *[other] {" "}{ $type } 类型的对象
}，不是函数
model-needs = { $spec }：无法建立：请为 { NAMES($needed) } 给出默认值；它可以要求 { NAMES($given) }
model-secret = { $where }：地址中 ? 之后的部分可能是机密，没有记录下来：请用 -m 给出完整地址
model-parameters = { $name }：无法得知它的参数；请用 def 包装它
model-called = { $name }：无法调用；请让它接受一个参数（messages）或三个（{ NAMES($question) }）
model-files = --concurrency { $connections } 需要打开 { $needed } 个文件，而此处允许 { $allowed } 个：请至多用 { $most }，或提高 `ulimit -n`
play-format = --audio-format { $format } 无效：请写 { NAMES($formats) }
play-rate-range = --audio-rate { $rate } 无效：请给出 { $least } 到 { $most } Hz
replay-utf8 = { $path }：不是 UTF-8（{ $reason }）：请另存为 UTF-8
replay-columns = { $where }：共 { $n } 列，而这一行的列数不同
replay-csv = { $path } 第 { $line } 行：不是 CSV（{ $why }）
replay-object = { $where }：不是 JSON 对象：请写 {"{"}"id": ..., "text": ...{"}"}
log-room = 无法写入 { $path }：{ $why }；无法记录的调用不会开始：请腾出空间后再次运行同一命令
run-no-benchmark = { $path }：{ $benchmark } 不是基准的名称：请改正
merge-unwritten = 无法写入 { $out }：{ $why }；请用 --out 另选文件夹
merge-twice = { AND($folders) } 都是第 { $index }/{ $of } 份：每份请只给出一次
merge-missing = 共 { $of } 份，缺少第 { NAMES($shown) } { $more ->
    [0] 份
   *[other] 份等 { $missing } 份
}：请给出该运行的所有份
merge-both = { $sequence ->
    [true] 序列
   *[false] 题
} { $id } 既在 { $other } 中，又在 { $part } 中
merge-unfinished = 尚未全部提问：{ CLAUSES($lacking) }{ $more ->
    [0] {""}
   *[other] ，另有 { $more } 份
}：请先运行完这些份，再合并
sequence-other = 序列 { $id } 现在不会像日志中那样问出题 { $trial }：其代码或数据有改动、判分曾重新进行，或其 next 不是纯函数；请用 --out 另选文件夹，或删去从此处起的各行
error-unrehearsed = { $trial }：无法预演（{ $why }）
error-itself = --out { $out } 就是该运行本身：请另选文件夹
error-at-random = 按计划停止的运行以随机顺序提问单独的题：{ $benchmark } 有序列，或给出了 { OR($flags) }
declares-sequences = 基准 { $benchmark }：sequences() 返回了 { $given }：请逐一产出序列
declares-no-sequence = { $where } 给出了 { $given }：请从 zhiyin.Sequence 派生它的类
declares-sequence-id = { $where }：序列须有 id，即不为空的文本
declares-sequence-twice = { $where }：两个序列的 id 都是 { $name }
declares-sequence-ends = { $where }：{ $name } 声明 at_least { $low } 与 at_most { $high }：请给出不小于 1 的数，且 at_most 不小于 at_least
api-common = 基准 { $kind }：某个设置与共用设置同名（{ $why }）：请在其上写 Flag(common=True)，或改名
api-no-setting = { $kind } 没有设置 { $name }：{ $hint }
api-true-false = { $setting } { $value } 无效：请给出 True 或 False
api-a-value = { $setting } { $value } 无效：请给出值，而不是 True 或 False
api-a-class = 模型 { $name } 是类；请给出对象 { $name }(...)
api-type = 模型的类型是 { $name }：请给出写法（如 'openai:gpt-4o'）、函数，或带有 generate() 的对象
api-name = { $own }：请给它一个名称，即运行用来识别它的文本
api-no-setting-of = zhiyin.{ $name } 没有设置 { $word }：{ $hint }
api-set-up = 基准对象 { $kind } 已经设定：请去掉 { NAMES($chosen) }，或给出类
api-benchmark = 基准的类型是 { $name }：请给出名称、Benchmark 的类或对象
api-data = { $given } 就是数据：请去掉 data
api-unknown = { $run }：此处不认识它的基准 { $name }：请定义或导入它的类，并调用 zhiyin.register(CLASS)
api-figure = 未知数字 { $metric }：{ $hint }
api-group = { $folder }：没有组 { $group }：{ $hint }
api-unjudged = { $folder }：没有 { $group } 的 { $metric }：没有判分任何题
api-no-judge = 评分者 { $judge }：没有一个评分者评过所有这些运行
api-judges = 有多个评分者评过这些运行：请用 judge= 指明一个：{ CLAUSES($names) }
api-judge = 评分者 { $judge }：{ $hint }
compare-no-score = { $folder }：没有名为 { $measure } 的得分；{ $hint }
compare-ungraded = { $folder }：它的题没有对错之分：`zhiyin show` 说明其内容，--score 比较它们具有的得分
pairs-no-total = { AND($names) } 没有共同的总分：请以同样方式评分
pairs-ways = { $a } 与 { $b } 的题目相同，但没有一题是以同样方式提问的（如同样的声音、剂量或干扰项）：请比较方式相同的运行，或在一个运行中以两种方式提问（如 --audio true,none），其报告会并列二者；用 --cache 时，已保存的回答不再付费
pairs-no-item = { $a } 与 { $b } 没有共同的题目：二者问的不是同样的题
pairs-other-question = 数据不同，无法比较：{ $item } 之下，{ $b } 问的与 { $a } 不同（文字、选项、答案或声音）
pairs-no-name = 没有名为 { $pattern } 的{ $what ->
    [group] 组
    [part] 部分
   *[other] { $what }
}：{ $hint }
part-fault = { $group }：{ $name } 有错误（{ $why }）：请修正或卸载它
part-details = 它的 `details` 没有给出 Section 的列表：请给出一个，可以为空
error-leave-out = { $flag }：{ $why }：请去掉它；参见 `{ $prog } --help`
error-cache-auto = --cache auto 无效：保存的回答可能来自与现在所提供的不同的模型，因此除非明确要求，不使用任何保存的回答：请写天数（如 7）、always 或 off（默认）
error-cache-session = --cache session：在套件的各运行之间共用回答，而这是单个运行：请写天数（如 7）、always 或 off
prices-table = { $path }：不是价格表（{ $why }）：请在那里改正
prices-below = { $path }，["{ $name }"]：价格不能小于 0：请在那里改正
prices-json = { $path }：不是 JSON（{ $why }）
prices-none = { $path }：其中没有价格：请给出 LiteLLM 的 model_prices_and_context_window.json
store-undeleted = { $part }：无法删除（{ $why }）
report-no-tune = { $name } 不是这些运行中的曲调：请用某道题所指的曲调
table-none-judged = 这些运行{ $main ->
    [true] 在其基准的主要方式下
   *[false] {""}
}都没有已判分的题：表格没有数字可列
report-no-run = 没有给出运行：请给出一个或多个
run-score-range = { $item ->
    [none] 某题
   *[other] { $item }{" "}
}的得分 { $measure } 为 { $value }：应{ $most ->
    [none] 不小于 { $least }
   *[other] 在 { $least } 到 { $most } 之间
}
pairs-other-path = 由答案选出的题（或数据不同的题）无法配对：在序列 { $sequence } 的 { $trial }，{ $one } 与 { $other } 被问了不同的题
plugin-unloaded = { $group }：{ $source } 的 { $plugin } 无法从 { $place } 载入（{ $why }）：请修正或卸载它
file-no-plain = { $path }：它不是普通文件：请将它移走
file-gigabytes = { $variable }={ $text } 无效：请给出 GB 数，0 表示不保存
file-key = 无法在 { $parent } 中保存密钥（{ $why }），而地址中的机密要用它做散列：请将 XDG_CONFIG_HOME 设为可以写入的文件夹
file-cache = 无法写入 { $folder }（{ $why }）；请将 ZHIYIN_CACHE 设为一个文件夹
file-made = { $folder }：其中制作的内容无法读取；请再试一次
prompts-no-folder = { $folder }：没有这个文件夹：请写 --prompts FOLDER，其中是文本文件
prompts-replaces-none = { $path }：没有可替换的提示：{ $hint }
prompts-utf8 = { $path }：不是 UTF-8：请另存为 UTF-8
prompts-empty = { $path }：是空文件：请写上提示，或删去该文件
prompts-missing = { $path }：没有 {"{"}{ $missing }{"}"}：请把它写在相应内容应出现之处
prompts-unknown = { $path }：未知占位符 {"{"}{ $unknown }{"}"}：{ $hint }
prompts-between = { $path }：请写 {"{"}first{"}"}、两个选项之间的内容，以及 {"{"}next{"}"}
archive-bomb = { $path }：{ $what ->
    [none] {""}
   *[other] { $what }{" "}
}从 { $packed } kB 解压为 { $unpacked } MB：正常数据不会如此；请重新获取该文件
archive-piece = { $path }：解压后有 { $unpacked } 字节，超过 { $most }：请截取一小段
archive-parts = { $path }：解压后超过 { $most } GB：请分成几部分给出
picture-bytes = { $path }：{ $size }，而最多发送 { $most }：请缩小图片
picture-other = { $path }：{ $svg ->
    [true] 是 SVG 图，没有模型接受；请导出为 PNG
   *[false] 不是可以发送的图片；{ picture-mend }
}
picture-pixels = { $path }：{ $width } × { $height } 像素，而最多发送 { $most } 百万像素：请缩小图片
picture-moves = { $path }：是动图，而模型只看一帧：请保存那一帧
picture-many = { $path }：超过 { $most } 百万像素：请缩小图片
picture-damaged = { $path }：图片已损坏（{ $message }）；请重新获取该文件，或{ $mend }
sound-rate = 采样率 { $rate } Hz 不大于 0：请给出例如 16000 的值
picture-mend = 请给出 PNG、JPEG、WebP 或 GIF 文件
declares-no-benchmark = 其中没有基准
table-fault = 表格 { $title }：{ $fault }
table-kinds = { $wide } 列给出了 { $kinds } 个类型：请为每列给出一个
table-kind = 没有这种列 { $kind }：{ $hint }
table-cells = 第 { $row } 行有 { $cells } 个单元格，而共有 { $wide } 列：请为每列给出一个
table-cell = 第 { $row } 行有类型为 { $type } 的单元格：请给出文本、数字、None、(low, high) 或 (value, low, high)
