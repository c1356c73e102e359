# 各页面共用的文字。

skip-to-contents = 跳到正文
