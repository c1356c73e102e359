mmau-summary = MMAU test-mini：关于音乐、声音和语音的 1,000 题；字符串匹配与我们的读取并列
