exercises-summary = 按种子新出的练习：乐理、中国传统音乐、续写旋律
