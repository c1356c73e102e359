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
picture-heard = seconds of sound heard
picture-all-three = all three
picture-played = { $played ->
    [true] the track itself
    [swap] another track
    [noise] noise
    [silence] silence
   *[none] no sound
}
picture-all-questions = All questions
picture-all-items = All items
picture-difference = difference in accuracy, points
picture-left-better = ← { $run } better
picture-right-better = { $run } better →
