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
error-wants-key = { $where } { $variable ->
    [none] 需要密钥
   *[other] 拒绝了 { $variable } 中的密钥：请重新设置
}（401{ $why ->
    [none] {""}
   *[some] ：{ $why }
}）
error-cannot-reach = 无法连接 { $where }：{ $why }；{ $proxied ->
    [true] 代理在运行吗？设置 NO_PROXY 可绕过代理
   *[false] 服务器在运行吗？
}
log-no-credit = 账户余额不足（{ $reason }）
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
error-few-examples = --shots { $shots }：第 { $line } 行所需的 { $kind } 类样例只有 { $n } 个：请将一些行标为样例，或减少样例数
error-say-judge = 答案须按评分标准评判：请给出 --judge MODEL
error-columns = --columns { $pair } 无效：请写成 MEANING=COLUMN，如 question=stem
error-columns-hint = --columns { $pair } 无效：{ $where ->
    [none] {""}
   *[other] { $where }：
}{ $hint }
error-has-none = { $flag } { $value }：{ $path } 没有这一项；请去掉该参数
error-lang = --lang { $lang } 无效：页面语言为 en 或 zh；--lang en,zh 两种都写
error-table-out = --out { $out } 无效：请以 .tex、.md、.csv 或 .html 结尾，或给出 --to
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
error-utf16 = { $path }：UTF-16 编码已损坏：请重新导出为 UTF-8
error-empty = { $path }：是空文件：第一行应为列名（如“题目”“选项 A”“答案”，或 question, A, ...）
error-two-columns = { $path }：有两列都叫 { $name }：请改其中一列的名称
error-not-json = { $path }:{ $where }：不是 JSON（{ $why }）
error-not-list = { $path }：不是列表：请写成 [{"{"}...{"}"}, {"{"}...{"}"}]，或用 .jsonl 文件
error-spreadsheet = { $path }：无法作为电子表格读取（{ $why }）
error-sheets = { $path }：有多个工作表：请给出 --sheet NAME：{ NAMES($names) }
error-sheet = --sheet { $name }：{ $path }：{ $hint }
error-needs-table = { $owner } 需要 --data，即题目表格或其所在文件夹（{ $home }）
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
error-one-row = 第 { $line } { $unit ->
    [row] 行
   *[line] 行
}：{ $problem }（{ $fix }）
error-rows = { $path }：有 { $n } 行无法提问：{ CLAUSES($rows) }{ $more ->
    [0] {""}
   *[other] ；另有 { $more } 行，用 `zhiyin data check { SHELL($path) } --all` 查看
}
log-fetch = { $why }；用 `zhiyin data fetch { SHELL($name) }` 获取数据
error-same-id = 两题的 id 都是 { $id }：每题须有自己的 id
row-no-question = 没有题目
row-write-it = 请写上
row-no-answer = 没有答案
row-write-right = 请写上正确答案
row-id-again = id { $id } 在前面的行中已经出现
row-own-id = 请给每行各自的 id
row-no-scorer = 既没有选项，也没有评分方式
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
error-none-judged = { $folder }：还没有评判任何题目；请先完成运行
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
replay-several = id { $name } 有 { $answers } 个回答（{ $where }；{ $whereb }），而只问一次：请保留其一
replay-asked = { $where }：id { $id } 已有回答，而共问 { $times }：请保留其一

error-unwritten = { $path }：无法写入（{ $why }）
error-not-written = 无法写出 { $path }：{ $why }
error-not-written-to = 无法写入 { $path }：{ $why }
error-cannot-read = { $path }：无法读取（{ $why }）
error-no-folder-made = 无法建立文件夹 { $path }：{ $why }
error-give-marks = { $path }：{ $why }：请给出含标注回答的文件
seed-there = { $path }：{ $why }：请给出尚不存在的文件
judge-cannot = 无法询问评分者：{ $why }
