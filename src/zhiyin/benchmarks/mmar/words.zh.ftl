mmar-summary = MMAR：需要推理的 1,000 题；音乐、语音、声音及其混合
