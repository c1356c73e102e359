# 各页面共用的文字。
skip-to-contents = 跳到正文
further-rows = 还有 { $n } 行
written-by = 由 Zhiyin { $version } 生成。
