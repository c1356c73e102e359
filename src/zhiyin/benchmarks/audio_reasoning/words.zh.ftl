mmau-summary = MMAU test-mini：关于音乐、声音和语音的 1,000 题；字符串匹配与我们的读取并列
mmar-summary = MMAR：需要推理的 1,000 题；音乐、语音、声音及其混合
