rul-summary = RUListening: 1,187 questions on recordings with harder wrong answers, four passes
rul-majority = By the majority of passes
rul-majority-note = per question the answer that most passes chose, the one met first where several did; a pass without an answer has no vote; the figure of the released script is the second line
rul-not-four = not all questions have four judged passes: this is not the published figure
rul-index = By the perceptual index
rul-index-note = perceptual index: 1 minus the probability that a text-only model gave the right answer (Zang et al. 2025); 0.75 is a guess among four
rul-slope = accuracy changes by { SIGNED($value) } points for each 0.1 of the index (95 % interval { SIGNED($low) } to { SIGNED($high) }, least squares over questions, jackknife by recording)
rul-contrasts = How much of the score was reading
rul-contrasts-note = accuracy in %, main: true sound and harder wrong answers; the same questions both times; 95 % interval and sign-flip p by recording
rul-own = distractors=own, below 0: that much of the score on the questions as they were before is gone where the wrong answers are as likely by their text as the right one
rul-unheard = audio=..., now: what is scored without hearing the music
rul-harder-alone = { $n ->
    [one] { $n } question is
   *[other] { $n } questions are
} asked with the harder wrong answers only: { $file } does not say which of its rows are meant
rul-in-caption = a wrong answer stands word for word in the caption
rul-within = { $answer } stands within a wrong answer
rul-same = the question and right answer of { $twin }
rul-wrong = distractors is no list of { $n }
rul-blank = one of its distractors is blank
