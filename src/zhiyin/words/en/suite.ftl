# The page of a suite.
suite-skill-name = { $skill ->
    [pitch] { $sense ->
        [read] pitch, in writing
        [both] pitch, heard and in writing
       *[heard] hearing pitch
    }
    [rhythm] { $sense ->
        [read] rhythm, in writing
        [both] rhythm, heard and in writing
       *[heard] hearing rhythm
    }
    [harmony] { $sense ->
        [read] harmony, in writing
        [both] harmony, heard and in writing
       *[heard] hearing harmony
    }
    [timbre] { $sense ->
        [read] timbre, in writing
        [both] timbre, heard and in writing
       *[heard] hearing timbre
    }
    [form] { $sense ->
        [read] form, in writing
        [both] form, heard and in writing
       *[heard] hearing form
    }
    [mood] { $sense ->
        [read] mood, in writing
        [both] mood, heard and in writing
       *[heard] hearing mood
    }
   *[other] { $skill }
}
suite-own-items = { $many ->
    [none] { $few ->
        [one] 1 item
       *[other] { $few } items
    }
   *[other] items: { $few }–{ $many }
}
