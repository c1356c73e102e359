exercises-theory = { $of ->
    [chinese] 中国乐理
   *[theory] 西方乐理
}
exercises-summary = 按种子新出的练习：乐理、中国传统音乐、续写旋律
exercises-again = { $kind } 类有 { $n } 道练习在题集中已出现过：没有更多可选（区间按一题计）
exercises-kind = --kind { $kind }：不属于 --task { $task }：{ $hint }
exercises-continuation = --{ $given } 用于 --task continuation；请加上它
exercises-tunes = --task continuation：请给出 --tunes PATH（曲调的文件或文件夹）或 --corpus NAME（如 music21 自带的 essenFolksong/han1）
exercises-out = --out：请指明要写入的文件夹
exercises-there = { $place }：不是空的：请指明新的文件夹
exercises-few = { $path }：这些曲调只能做出 { $number } 道 { $kind } 类的练习：请给出更多曲调，或减小 --n
exercises-no-kind = 无法做出这一类练习：{ $kind }；请从 --kind 中去掉它
exercises-no-tune = { $path }：其中没有可用的曲调（{ $reasons }）
exercises-corpus = --corpus { $corpus }：music21 没有它的 ABC：{ NAMES($known) }
exercises-no-place = { $place }：没有这个文件或文件夹：请用 --tunes 给出有曲调的位置
exercises-no-files = { $place }：其中没有曲调文件：请给出含有 { NAMES($formats) } 的位置
