# What this file is in its own language.
language_itself = 中文

# What a new study says; the researcher can edit it. { $minutes } is filled in.
default_title = 音乐理解研究
default_information = 我们想了解人们如何回答有关音乐的问题。您将先回答几个关于自己的问题，然后回答若干音乐问题，全程约 { $minutes } 分钟。
default_sound = 研究中需要听声音。请尽量佩戴耳机，在安静的房间里参加，并把音量调到舒适的大小。除日常听音乐之外，预计没有其他风险。
default_no_sound = 除日常阅读屏幕之外，预计没有其他风险。
default_rights = 参加完全自愿。您可以随时停止，用个人链接回来继续，或要求删除全部回答，无须说明理由。您的回答以化名保存，不询问姓名。
default_debriefing = 您的回答有助于了解计算机模型对音乐的理解与人相比如何。
consent_1 = 我已年满十八周岁。
consent_2 = 我已阅读研究说明。
consent_3 = 我知道可以随时停止，无须说明理由，并可要求删除我的回答。
consent_4 = 我同意我的回答以化名保存，用于研究，并在不含姓名的情况下发表。
instructions_exam = 请选择您认为正确的一个答案。
instructions_validate = 请标出所有正确回答该问题的选项，可能有一个或多个。若无法判断或题目有问题，请选相应的一项。
instructions_rate = 请为所示内容打分，并使用整个评分范围。
instructions_annotate = 下面的回答是错的。请标出所有符合的错误类型。

# Consent, and the personal link.
consent_title = 知情同意
consent_all = 参加前请逐条同意。
agree = 同意并开始
decline = 不同意
not_translated = 题目本身不是中文，以原文显示。
contact_is = 本研究及其数据的负责人与联系方式：
link_title = 您的个人链接
link_text = 用此链接，您可以换个时间或换台设备继续。拿到链接的人可以替您作答，请勿外传。
copy_link = 复制链接
copied = 已复制。

# What people are asked about themselves, and the answers.
about_you = 关于您
scale_is = 请就每条陈述说明它在多大程度上符合您。
education = 您的最高学历（已取得或在读）
high_school = 高中
bachelor = 本科
master = 硕士
doctorate = 博士
music_major = 您的专业是音乐吗（在读或已毕业）？
music_background = 您有音乐背景吗（上课、乐器、歌唱、作曲）？
yes = 是
no = 否
age = 您的年龄
age_18_24 = 18–24 岁
age_25_34 = 25–34 岁
age_35_44 = 35–44 岁
age_45_54 = 45–54 岁
age_55_64 = 55–64 岁
over_64 = 65 岁及以上
hearing = 据您所知，您的听力正常吗？
normal = 正常
loss = 有听力损失（包括佩戴助听器）
unsure = 不清楚
lessons_years = 您学习器乐或声乐共多少年？
years_0 = 没有学过
years_1_2 = 1–2 年
years_3_5 = 3–5 年
years_6_9 = 6–9 年
years_over_9 = 10 年及以上
instrument = 您的主要乐器是什么？
none = 无
voice = 声乐
piano = 钢琴或其他键盘乐器
strings = 弓弦乐器
plucked = 吉他或其他弹拨乐器
wind = 管乐器（木管或铜管）
percussion = 鼓或其他打击乐器
electronic = 电子乐器或电脑
other = 其他
unsaid = 不愿透露

# Checks before the questions.
volume_title = 调节音量
volume_text = 请播放声音，把音量调到清楚而舒适。之后请不要再改变音量。
volume_done = 音量已调好
headphones_title = 耳机检查
headphones_text = 请戴上耳机。您将依次听到三个声音。
headphones_woods = 三个声音中哪一个最轻？
headphones_huggins = 三段噪声中哪一段里有微弱的音调？
first = 第一个
second = 第二个
third = 第三个
comprehension_title = 您明白任务了吗？
try_again = 有的回答不对。请再读一遍说明，您还可以再试一次。

# A question.
instructions_title = 您的任务
task_words = 任务
as_notation = 您看到的不是文本形式的 MIDI 数据，而是其乐谱，可以播放。
examples = 示例
example = 示例
example_answer = 答案
listen_once = 每个声音须听完才能作答。
listen_times = 每个声音须完整听 { $n } 遍才能作答。
listen_most = 最多可播放 { $n } 遍。
listen_volume = 请把声音听完。
practice_is = 这是练习，不计入结果。
practice_over = 练习结束，现在正式开始：从这里起，您的回答计入结果。
practice_right = 正确。
practice_wrong = 不正确。正确答案已用 ✓ 标出。
practice_on = 继续
question = 问题
of = ／
several = 正确答案可能不止一个，请全部标出。
your_answer = 您的回答
cannot_tell = 无法判断
odd = 题目有问题
text = 文字
text_left = 文字一
text_right = 文字二
left_better = 文字一更好
right_better = 文字二更好
both_same = 一样好
not_graded = 尚未打分
aspect_completeness = 完整性：是否涵盖了音乐？
aspect_precision = 准确性：所说是否正确？
aspect_novelty = 新颖性：是否不止于显而易见？
attention = 本题用来确认您在认真阅读。请选择“{ $word }”。
word_north = 北
word_east = 东
word_south = 南
word_west = 西

# Sound, pictures, notation.
play = 播放
stop = 停止
sound = 声音
reference = 参考
listened = 已听
no_more = 不能再播放。
loading = 正在加载声音……
cannot_play = 声音无法加载，请重试。
picture = 本题的图片
notation = 乐谱
tune_play = 播放乐谱
zoom = 放大
close = 关闭

# Buttons, keys, and what is said while an answer is saved.
continue = 继续
send = 保存并继续
saved = 已保存。
saving = 正在保存……
retrying = 连接中断。您的回答留在这里，正在重新发送……
choose_first = 请先作答。
listen_first = 请先把每个声音听完。
keyboard = 键盘：1 至 9 选择，空格播放，回车保存。
skip = 跳到正文
language = 语言

# The ends.
end_complete = 谢谢。您已回答全部问题。
end_screened_out = 谢谢。研究到此结束：关于任务的部分回答不符合研究的要求。这并不说明您的音乐能力如何。
end_no_consent = 您没有同意，因此什么也没有保存。谢谢您的时间。
end_withdrawn = 您的回答已全部删除。谢谢您的时间。
end_full = 谢谢。我们已有足够的回答，或已有足够多与您背景相同的人，不再需要更多。您的任何信息都没有保存。
end_close = 您可以关闭本页。
code = 您的代码
go_back = 返回平台
withdraw = 退出研究
withdraw_title = 退出研究
withdraw_text = 您的所有记录将立即删除，无法恢复。
withdraw_yes = 删除我的全部回答
withdraw_no = 返回

# What went wrong.
error_title = 没有成功
error_session = 请打开您的个人链接或研究地址。
error_link = 此链接无效。
error_many = 请求过多，请稍等一分钟。
error_form = 请回答本页的所有问题。
error_stale = 本页已过期，请重新加载。
error_twice = 您已经开始。请打开您的个人链接继续。
no_script = 本研究的声音需要 JavaScript，请启用。
