# “模型听到了什么”页面。

hearing-what = { $model } 听到了什么
hearing-table = 同样内容的表格
