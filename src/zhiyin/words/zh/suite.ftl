# 套件的页面。
suite-skill-name = { $skill ->
    [knowledge] 知识
    [theory] 乐理
    [reading] 读谱
    [pitch] { $sense ->
        [read] 音高（书面）
        [both] 音高（听与书面）
       *[heard] 听音高
    }
    [rhythm] { $sense ->
        [read] 节奏（书面）
        [both] 节奏（听与书面）
       *[heard] 听节奏
    }
    [harmony] { $sense ->
        [read] 和声（书面）
        [both] 和声（听与书面）
       *[heard] 听和声
    }
    [timbre] { $sense ->
        [read] 音色（书面）
        [both] 音色（听与书面）
       *[heard] 听音色
    }
    [form] { $sense ->
        [read] 曲式（书面）
        [both] 曲式（听与书面）
       *[heard] 听曲式
    }
    [mood] { $sense ->
        [read] 情绪（书面）
        [both] 情绪（听与书面）
       *[heard] 听情绪
    }
    [reasoning] 推理
    [writing] 写作
   *[other] { $skill }
}
suite-own-items = { $many ->
    [none] { $few } 题
   *[other] { $few }–{ $many } 题
}
