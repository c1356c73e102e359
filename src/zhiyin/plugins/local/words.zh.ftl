
local-journal = { $path } 第 { $number } 行：不是日志的一行（{ $why }）；请删去它，其中的请求会重新提交
local-journal-unwritten = { $path }：无法写入（{ $why }）：可能重复提交的请求一概不提交
local-seconds = { $variable }={ $text } 无效：请给出大于 0 的秒数
local-incomplete = 模型 { $kind } 不完整：请写 { $kind }:PATH_OR_ID
local-option = { $kind }:{ $place }：选项 { $word } 无效：请写 NAME=VALUE
local-no-option = { $kind }:{ $place } 没有选项 { $name }：{ $hint }
local-one-of = { $kind }:{ $place }：{ $name }={ $value } 无效：请写 { $allowed } 之一
local-whole = { $kind }:{ $place }：{ $name }={ $value } 无效：请给出大于 0 的整数
local-no-folder = { $kind }:{ $place }：没有这个文件夹
local-revision = { $spec }：文件夹没有修订版本：请去掉 revision=
local-no-config = { $name }：那里没有 config.json：不是检查点
local-lacks = { $name }：缺少 { $kind } 的 { $missing } 个权重，其中有 { $first }：它们会是随机的；请重新获取检查点
local-no-class = { $name }：transformers { $version } 没有 { $type } 的类：请安装其他版本，或经由服务器或 subprocess: 使用它
local-unloaded = { $name }：无法载入 { $what }：{ $fault }
local-function = { $spec }：没有函数：请编写一个，把文本的列表变为向量
local-embedder = 嵌入模型 { $spec }：无法载入（{ $line }）：请另选一个
local-which = --extract { $nearest }：哪个模型？请写 { $nearest }MODEL
local-vector = { $nearest }{ $spec }：有文本没有得到向量：请为每个文本返回一个
local-device = { $name }：device={ $wanted } 无效：请写 cpu、cuda、cuda:N、mps 或 spread
local-command = 模型 'subprocess' 不完整：请写 subprocess:COMMAND
local-program = subprocess:{ $command }：没有程序 { $words }
local-start = subprocess:{ $command }：start={ $match } 无效：请写秒数，最多 { $most }
local-pool = 服务器池须写明其服务器与模型：请写 { $pool }
local-addresses = { $file }：没有这个地址文件；请写 { $pool }
local-batch-ray = --batch 把请求交给提供方：请去掉 --ray
local-vllm = 未安装 vllm：pip install vllm（它需要自己的 torch，最好用独立的环境），或用服务器提供模型并给出 http://HOST:PORT/v1#MODEL
local-vllm-start = { $name }：vLLM 无法启动：{ $why }
local-pool-twice = { $where }{ $place } 写了两次：一台服务器只算一次
local-pool-empty = { $where }没有地址：请每行写一个，如 http://HOST:PORT/v1
local-no-utf8 = 不是 UTF-8 文本
log-no-batches = { $where } 对批量请求答复 { $status }：若服务器不接受批量请求，请去掉 --batch，并检查模型名称
log-memory-once = 内存不足 1 次；批次已缩小，没有丢失任何内容；batch=N 可从一开始就使用小批次
log-memory = 内存不足 { $n } 次；批次已缩小，没有丢失任何内容；batch=N 可从一开始就使用小批次
log-clips = 它要播放 { $n } 段声音，而 { $name } 只接受 { $most } 段：请加上 --join-clips，或换一个模型
log-context = 提示有 { $n } 个 token，而模型的上下文只有 { $most }：请减少样例（--shots）
local-has = { $cpus } 个 CPU 和 { $gpus } 个 GPU
local-no-room = --ray { $place }：没有节点容得下一个工作进程：每个需要 { $wants }，而最大的节点有 { $has }；请相应给出 --ray-cpus 与 --ray-gpus
log-workers-lost = 连续 { $n } 个工作进程在回答之前就已丢失（{ $why }）：请排除故障，再运行同一命令
log-greeting = 在应写问候 { $greeting } 之处写了 { $line }：供人阅读的内容应写到标准错误
log-pool-silent = 服务器池中的 { $n } 台服务器均无应答（{ $why }）：请重新启动它们，再运行同一命令
local-torchvision = 已安装的 torchvision 或 torchaudio 与此 torch 不匹配，致使 transformers 无法使用：请卸载，或安装与之匹配的版本（{ $message }）
local-own-code = 它自带代码：请先阅读这些代码，再加上 ,code=trusted 以运行
local-memory = 内存不足：请用 device=spread、更小的 dtype，或更小的模型
local-no-repository = Hub 上没有这个仓库，或仓库不公开：请检查 ID，并运行 `hf auth login`
local-gated = 该仓库要求先接受其条款：请在 Hub 上接受，并运行 `hf auth login`
local-no-revision = 该仓库没有这个修订版本
local-no-entry = 那里没有 config.json：不是 transformers 的检查点
local-no-hub = 既不是这里的文件夹，也不在 Hub 的缓存中，且无法连接 Hub{ $offline ->
    [true] （已设置 HF_HUB_OFFLINE）
   *[other] {""}
}
log-none-named = 没有写明任何服务器
