cli-percentile = { $model } has the percentile rank { SHARE($share) } (equal scores count half){ $low ->
    [none] {""}
   *[other] , 95 % interval { EXACT($low) }–{ EXACT($high) }
}, among { $who }
cli-alpha = Krippendorff's alpha { $alpha ->
    [none] is not defined: all marks are the same
   *[other] { NUMBER($alpha, decimals: 3) }{ $low ->
    [none] {""}
   *[other] , 95 % interval { NUMBER($low, decimals: 3) } to { NUMBER($high, decimals: 3) }
}
} ({ $people ->
    [one] { $people } person
   *[other] { $people } people
}, { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}, { $answers } answers)
cli-alpha-unknown = Krippendorff's alpha: not known, nothing was judged by two people
cli-alpha-of = { $measure }: { $alpha }
annotate-sound = the key is right, and nothing else is
annotate-another = the key is right, and another option is right, too
annotate-wrong = the key is wrong, and another option is right
annotate-none = no option is right
annotate-given = the right option can be told without the music
annotate-unclear = it cannot be judged from what is here
# The researcher's page of a study; what participants read is in zhiyin/plugins/studies/languages.
study-researcher = researcher
study-wrong-token = That is not the token.
study-token = Token (printed by `zhiyin study serve`)
study-enter = Enter
study-title = Study { $name }: { $kind ->
    [exam] exam
    [validate] validation of questions
    [rate] grading
    [annotate] naming of failures
   *[other] { $kind }
}
study-answers-csv = Answers as CSV
study-codebook = Codebook
study-as-json = These figures as JSON
study-people = People
study-claim = { $n ->
    [0] Nobody has taken part yet.
   *[other] { $complete } of { $n } people who began have finished{ $value ->
        [none] {""}
       *[some] {"; "}people answer { SHARE($value) } right{ $low ->
            [none] {""}
           *[some] {" "}({ SHARE($low) } to { SHARE($high) })
        }
    }.
}
study-of-people = people
study-number = number
study-state = { $state ->
    [begun] begun
    [complete] complete
    [under_way] under way
    [screened_out] screened out
    [no_consent] no consent
    [full] full
    [withdrawn] withdrawn
   *[other] { $state }
}
study-background = { $field ->
    [education] highest education
    [music_major] music is or was the subject of study
    [music_background] musical background
    [lessons_years] years of lessons
    [instrument] main instrument
    [age] age, years
    [hearing] hearing
   *[other] { $field }
}
study-background-n = { $value ->
    [high_school] high school
    [bachelor] bachelor
    [master] master
    [doctorate] doctorate
    [other] other
    [unsaid] not said
    [yes] yes
    [no] no
    [normal] normal
    [loss] hearing loss
    [unsure] not sure
    [years_0] none
    [years_1_2] 1–2 years
    [years_3_5] 3–5 years
    [years_6_9] 6–9 years
    [years_over_9] 10 years or more
    [none] none
    [voice] voice
    [piano] keyboard
    [strings] bowed strings
    [plucked] plucked strings
    [wind] wind or brass
    [percussion] percussion
    [electronic] electronic
   *[age] { $age }
}: { $n }
study-backgrounds = Who they are
study-asked = question
study-answered = answers
study-each = { NAMES($each) }
study-excluded = Excluded by the declared rules: { $n }
study-not-ended = Not ended, and in no figure until they have: { $n }
study-agreement = Agreement
study-alpha-is = Krippendorff’s alpha, without excluded people and practice. Of choices, each option of a question is compared: marked or not. The 95 % intervals are for other questions and these people: a jackknife that leaves out whole questions, those on one recording together.
study-measure = measure
study-from = from
study-to = to
study-items = Items
study-item = item
study-group = group
study-n-answers = answers
study-chosen = chosen
study-closed = closed
study-median-s = median s
study-right = right
study-distractors = distractors
study-decision = decision
study-yes = yes
study-to-figures = Figures
study-preview = Preview
study-preview-pages = See all { $n } pages as people do
study-preview-place = Preview, page { $n } of { $of }.
study-preview-kept = Nothing is kept; every page goes on without an answer.
study-previous = ← previous
study-next = next →
study-role-plain = counts
study-role-gold = counts, and its known answer is a rule of exclusion
study-role-practice = practice, in no figure
study-role-attention = attention check, in no figure
study-item-is = { $item }: { $role }.{ $known ->
    [0] {""}
   *[other] {" "}Right: { $right }
}
study-full-is = full: people who were turned away because a quota was full or no question was left for them; nothing but this count is kept of them.
study-closed-is = closed: the item has as many answers as the study file asks for ([annotations]), and is given to nobody else.
study-chosen-is = chosen: how many people took each option; ✓ is right.
study-items-are = An item leads to its question, with its sound, as people get it. Right: the share of people who were right, with a 95 % Wilson interval, for other people. Of models: the share of right ones among their answers to this item.
study-persons-are = Right: 95 % intervals are for other questions; that of all people is for other people and other questions. Excluded people are in no other figure.
study-by-person = By person
study-person = person
study-excluded-by = excluded by
study-right-percent = right, %
study-interval = 95 % interval
study-people-n = people ({ $n })
study-beside = People beside models
study-beside-of = { $name }: people beside models
study-beside-is = Right of answers: precision, as in `zhiyin study show`; the interval of people is for other people and other questions, those of models for other questions. Percentile rank: the share of people whose score lies below the model’s on the questions that both answered; ties count half. `zhiyin table` and `zhiyin show` average people’s answers to a question: their intervals are for other questions and these people, and narrower.
study-no-models = No model stands beside people yet. Start the study with a run of a model on the same exam:
study-who = who
study-n-questions = questions
study-rank = n = { $n };  percentile rank { SHARE($share) } ({ SHARE($low) } to { SHARE($high) })
study-right-of-answers = right of answers, %
study-intervals-are = In brackets: 95 % intervals, of people for other people and other questions, of models for other questions.
study-category = category
study-by-category = By category, right of answers in %
study-texts = Texts
study-edit-texts = Edit titles, instructions and consent
study-omitted = Please look at this:
study-no-contact = [texts] contact is empty ({ $languages }): people do not read who is responsible for the study and its data; write a name, an institution and an address
study-default-left = [texts] { $name } is still the default in { $languages }, and was changed in another language
study-not-translated = pages are offered in { $language ->
    [zh] Chinese
   *[other] English
}, and the questions are not in it: people are told so; leave that language out of `languages` if nobody needs it
study-same-options = { $n ->
    [one] a question has
   *[other] { $n } questions have
} two options that are the same ({ $items }), and one of them may count as wrong: correct the questions and make the study again
study-practice-apart = { $n ->
    [one] 1 question is
   *[other] { $n } questions are
} for practice and in no figure: people are told what was right. Figures are of the other { $rest }
study-personal = these columns of the questions look like facts of people, and are kept in items.jsonl and in each run: take them out and make the study again: { $columns }
study-tunes-unheard = notation can be played, and need not be: [listening] is about recordings
study-text = { $name ->
    [title] Title
    [information] Information (an empty line begins a paragraph)
    [instructions] Instructions
    [consent] Consent: a statement a line
    [debriefing] What people read at the end
   *[contact] Contact: who is responsible for the study and its data
}
study-texts-are = { $n ->
    [0] Nobody has taken part yet.
    [one] One person has taken part.
   *[other] { $n } people have taken part.
} Saved texts are shown from the next page on. What was shown before is kept as a version; each answer is exported with the version that was consented to and the one that was shown. Questions, rules and checks stay as declared.
study-save-texts = Save as a new version
study-versions = Versions
study-version = version
study-made = saved
study-people-then = people by then
study-edited = The texts were edited { $n ->
    [one] once
   *[other] { $n } times
} in the browser: see Texts.
# One text for an ethics board.
board-who = - Responsible for the study and its data (controller), and contact: { $known ->
    [true] { $contact }
   *[false] NOT STATED YET: write it into `contact` of the study file
}
board-what = - What people do: a study of the kind { $kind } in a browser; each answers { $each } of { $items } questions.
board-minutes = - Duration: about { $minutes } minutes (estimated from the questions, their sounds and the time for reading).
board-risk = - Risk and burden: { $sound ->
    [true] listening at a volume that people set themselves
   *[false] reading on a screen
}; no more than in daily life is expected.
board-practice = - Practice questions: { $n }. Afterwards people are told what was right; the answers are in no figure.
board-attention = - Attention checks: { $n }. Such a question asks for a certain answer, to see whether it is read; people are not told beforehand that there are any.
board-excluded = - Rules of exclusion, declared before answers are seen: { $some ->
    [true] { $rules }
   *[false] none
}.
board-data = - Data: answers and background under a pseudonym drawn by chance. Numbers of a recruiting platform are kept as keyed hashes alone; no addresses, no names and no cookies of others are kept. Sessions end after 30 days. Withdrawal deletes every row of the person. The data lie where the study is served.
board-open = - To be stated by those responsible: how long the data are kept, who has access, whether they are published, and what people are paid.
board-kept = What is kept
board-edited = The texts above were edited in the browser; earlier ones are kept:
board-version = version { $version }, { $day }, after { $people } people had begun
study-without-instruction = { $run }: what stood before each question (instruction, worked examples) is not shown, for a run holds it as models read it; make the study of the benchmark to show it
