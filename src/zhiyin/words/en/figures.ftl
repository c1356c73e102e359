# Words in the pictures themselves: axes, panels, keys.
picture-chance = chance
picture-panel = { $letter }   { $title }
picture-accuracy = accuracy, %
picture-right = right, %
picture-answers = % of answers
picture-rstd = { $rstd ->
    [none] {""}
   *[other] RStd { POINTS($rstd) }{ $chance ->
        [none] {""}
       *[other] {" "}({ POINTS($chance) } by chance)
    }
}
picture-confidence = stated confidence, %
picture-calibration = calibration error { POINTS($error) }
picture-bias = bias { SIGNED($bias) }
picture-unit = { $unit } a trial
picture-score = Accuracy
picture-following = Instruction-following rate
picture-examples = worked examples before the question
picture-all-three = all three
picture-played = { $played ->
    [of-true] the track itself
    [of-swap] another track
    [of-noise] noise
    [of-silence] silence
   *[of-none] no sound
}
picture-difference = ← { $second } better · difference in accuracy, points · { $first } better →
picture-published = { $name }
    { $about }
picture-row = { $name }{ $about ->
    [none] {""}
   *[other] {" "}({ $about })
}
