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
cli-alpha-of = { study-measure-is }: { $alpha }
annotate-sound = the key is right, and nothing else is
annotate-another = the key is right, and another option is right, too
annotate-wrong = the key is wrong, and another option is right
annotate-none = no option is right
annotate-given = the right option can be told without the music
annotate-unclear = it cannot be judged from what is here
# The researcher's page of a study; what participants read is in languages/.
study-researcher = Researcher’s page
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
study-answers-zip = Answers with scripts for R and Python (zip)
study-answers-csv = Answers as CSV
study-codebook = Codebook
study-as-json = These figures as JSON
study-people = People
study-read-in = Those who count read the study in these languages: { NAMES($each) }.
study-claim = { $n ->
    [0] Nobody has taken part yet{ $wanted ->
        [none] {""}
       *[some] : { study-lacking }
    }.
   *[other] { $wanted ->
        [none] { $people ->
            [one] 1 person counts
           *[other] { $people } people count
        }{ study-ended }, with { $answers } answers{ study-shut }
       *[some] { $people_lacking ->
            [0] { $people ->
                [one] 1 person
               *[other] { $people } people
            }{ study-ended }, { $answers } answers
           *[other] { $people } of { $people_wanted } people{ study-ended }, { $answers } of { $answers_wanted } answers
        }: { study-lacking }
    }{ $value ->
        [none] {""}
       *[some] {"; "}people answer { SHARE($value) } right{ $low ->
            [none] {""}
           *[some] {" "}(95 % interval { SHARE($low) } to { SHARE($high) })
        }
    }.
}
study-ended = { $begun ->
    [0] {""}
   *[other] {" "}({ $complete } of them to the end)
}
study-lacking = { $people_lacking ->
    [0] enough, no question lacks answers ({ $wanted } wanted of each){ $closed ->
        [true] { study-shut }
       *[false] ; people can still come until the study is closed
    }
   *[other] { $people_lacking } { $n ->
        [0] {""}
       *[other] more{" "}
    }{ $people_lacking ->
        [one] person is
       *[other] people are
    } needed for { $wanted ->
        [one] 1 answer
       *[other] { $wanted } answers
    } a question{ $under_way ->
        [0] {""}
        [one] {" "}(1 has not finished yet)
       *[other] {" "}({ $under_way } have not finished yet)
    }{ study-shut }
}
study-shut = { $closed ->
    [true] , and the study is closed
   *[false] {""}
}
study-of-people = people
study-number = number
study-state = { $state ->
    [begun] begun
    [complete] complete
    [under_way] not finished yet
    [given_up] given up (nothing for { $hours } hours, or the study was closed)
    [screened_out] screened out
    [no_consent] did not agree to take part
    [full] full
    [withdrawn] withdrawn
   *[other] { $state }
}
study-of-state = { $n } { study-state }
study-rule = { $rule ->
    [attention_wrong] attention checks wrong
    [gold_right] known answers wrong
    [median_seconds] too fast
    [same_place] always one place
    [headphones] headphone check
    [reference_below] hidden reference graded low
    [unfinished] not everything answered
    [under_way] not finished yet
    [by_hand] set aside by hand
    [least_answers] too few answers
   *[other] { $rule }
}
study-excluded-rule = excluded, { $rule }: { $n }
study-remark = remark
study-value-n = { $value }: { $n }
study-backgrounds = Who they are, of those who count
study-asked = question
study-answered = answers
study-excluded = Excluded by the declared rules: { $n }
study-counting = { $people } { $people ->
    [one] person
   *[other] people
} answered{ $excluded ->
    [0] {""}
   *[other] ; { $excluded } excluded by the declared rules ({ NAMES($rules) })
}{ $by_hand ->
    [0] {""}
   *[other] ; { $by_hand } set aside by hand
}{ $under_way ->
    [0] {""}
   *[other] ; { $under_way } not finished yet, and in no figure
}: { $counted } { $counted ->
    [one] counts
   *[other] count
}{ $unfinished ->
    [0] {""}
   *[other] {" "}({ $unfinished } not to the end yet)
}, with { $answers_counted } { $answers_counted ->
    [one] answer
   *[other] answers
}{ $languages ->
    [0] {""}
   *[other] ; languages: { NAMES($languages) }
}
study-by-hand = Set aside by hand, for a reason of yours
study-set-aside = Set somebody aside by hand
study-count-again = Let them count again
study-reason = reason
study-close = Close the study
study-close-is = A study that is closed takes nobody new, and who has not finished has given up from then on (and may still come to the end). It can be opened again.
study-closed-since = The study is closed: it takes nobody new, and who had not finished has given up (and may still come to the end).
study-open = Open it again
study-stopped = served no more: { $n } { $n ->
    [one] person has
   *[other] people have
} begun{ $closed ->
    [true] , and the study is closed
   *[false] , and nobody can go on until `zhiyin study serve { SHELL($folder) }` runs again, at the same address
}
study-unfinished = not to the end yet
study-not-ended = Not finished yet, with answers that are in no figure until they have ended: { $n }
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
study-options = Options chosen
study-closed = closed
study-median-s = median s{ $sound ->
    [true] {" "}after the sound
   *[false] {""}
}
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
study-role-attention = attention check, in no figure; each person meets it somewhere among the questions
study-item-is = { $item }: { $role }.{ $known ->
    [0] {""}
   *[other] {" "}Right: { $right }
}{ $placed ->
    [0] {""}
   *[other] {" "}Here { NAMES($each) }.
}
study-item-place = { $place ->
    [left] the left text
    [right] the right text
   *[other] { $place }
} is { $key }{ $role ->
    [reference] {" "}(the hidden reference)
    [anchor] {" "}(the anchor)
   *[none] {""}
}
study-full-is = full: people who were turned away because a quota was full or no question was left for them; nothing but this count is kept of them.
study-closed-is = closed: the item has as many answers as the study file asks for ([annotations]), and is given to nobody else.
study-chosen-is = chosen: how many people took each option; ✓ is right.
study-items-lead = An item leads to its question{ $sound ->
    [true] , with its sound,
   *[false] {""}
} as people get it.
study-items-are = Right: the share of people who were right, with a 95 % Wilson interval, for other people.{ $models ->
    [0] {""}
   *[other] {" "}Of models: the share of right ones among their answers to this item.
}
study-persons-are = Right: 95 % intervals are for other questions; that of all people is for other people and other questions. People who are not counted are in no other figure.
study-by-person = By person
study-person = person
study-checks = { $role ->
    [attention] attention right
   *[gold] known right
}
study-n-of = { $n } of { $of }
study-hasty = { $n } of { $of } answers in less than { $seconds } s
study-excluded-by = not counted: why
study-right-percent = right, %
study-interval = 95 % interval
study-small = { $n } { $n ->
    [one] person is
   *[other] people are
} in groups of fewer than three, which are not shown by themselves.
study-split = People by:
study-together = all together
study-beside = People beside models
study-beside-of = { $name }: people beside models
study-beside-is = Right of answers, with its 95 % interval: of people the mean of each one’s share of right ones among the answers given (precision, as in `zhiyin study show`), for other people and other questions; of a model its share, for other questions. Percentile rank, with its 95 % interval: the share of people whose score lies below the model’s on the questions that both answered; ties count half.
study-no-models = No model stands beside people yet. Start the study with a run of a model on the same exam:
study-who = who
study-n-questions = questions
study-own-questions = { $many ->
    [none] { $few ->
        [one] 1 question
       *[other] { $few } questions
    }
   *[other] questions: { $few }–{ $many }
}
study-rank = { $n } { $n ->
    [one] question
   *[other] questions
}; percentile rank { SHARE($share) } ({ SHARE($low) } to { SHARE($high) })
study-right-of-answers = right of answers, %
study-intervals-are = In brackets: 95 % intervals, of people for other people and other questions, of models for other questions.
study-category = category
study-by-category = By category, right of answers in %
study-omitted = Please look at this:
study-no-contact = contact is empty ({ $languages }): people do not read who is responsible for the study and its data; write a name, an institution and an address
study-default-left = [texts] { $name } is still the default in { $languages }, and was changed in another language
study-not-translated = pages are offered in { $language }, and { $n ->
    [one] 1 line of the questions is
   *[other] { $n } lines of the questions are
} not in it ({ NAMES($lines) }): people are told so; translate them (Study, Texts), or leave that language out of `languages`
study-no-arrow = { NAMES($lines) } without { $arrow }: write the line as it is, { $arrow }, and its translation
study-no-line = questions in { $language }: no question has the line “{ $line }”, and its translation is shown nowhere{ $hint ->
    [none] : write the line as the question has it
   *[some] : { $hint }
}
study-words-fault = words in { $file }: { $fault }
study-idle = rule { $path } never does anything: { $why }
study-unused = { $role ->
    [attention] attention checks
   *[gold] questions with a known answer
}: { $n }, and no rule uses them: nobody is excluded by them{ $begun ->
    [true] {""}
   *[false] ; set exclude.{ $rule } before the first person takes part
}
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
study-versions = Versions
study-version = version
study-made = saved
study-people-then = people by then
study-edited = The texts were edited { $n ->
    [one] once
   *[other] { $n } times
} in the browser: see Texts.
study-setting = { $path ->
    [study] General
    [format] Format of this file
    [name] Name of the study, in files and on this page
    [kind] What people do: exam, validate, rate or annotate
    [languages] Languages of the pages, one a line (en, de, zh, or one of yours); the first is shown where a browser asks for none of them
    [seed] Number from which all random choices follow; the same number gives the same study
    [per_person] Questions that one person is given; empty: all
    [given_up_hours] After so many hours without a sign, somebody who has not ended has given up (and may still come back)
    [shuffle] Show options in random order (the order is saved)
    [fields] What people are asked about themselves
    [scale_file] File of statements of a self-report, in the study's folder; empty: none
    [idle_s] After so many seconds without a sign of the person, time does not count
    [annotations] How many answers each question gets
    [annotations-least] First answers that have to agree before a question is closed early
    [annotations-most] Most answers to a question; empty: no limit
    [annotations-stop_when_agreed] Close a question early when its first answers all agree
    [annotations-wanted] Answers to each question that you want from people who count (the page counts up to it, and stops nobody); empty: the limit, or the rule of keeping
    [listening] Listening (sounds of worked examples and of notation never have to be heard)
    [listening-least] Times that each sound is heard to its end before an answer; 0: it need not be
    [listening-most] Times that a sound can be heard; empty: no limit
    [checks] Checks before the questions
    [checks-volume] People set their volume by a sound
    [checks-headphones] Headphone check
    [checks-tries] Tries to answer the questions on the instructions
    [checks-comprehension] Question on the instructions; empty: none
    [checks-comprehension-text] Question
    [checks-comprehension-options] Answers, one a line
    [checks-comprehension-right] Which of them is right: 1 for the first
    [quotas] Quota: most people with one answer about themselves; empty: none
    [quotas-field] Question about themselves
    [quotas-value] Answer
    [quotas-most] Most people
    [exclude] Whose answers are set aside: declared before any is seen; empty: no such rule
    [exclude-attention_wrong] So many attention checks wrong, or more
    [exclude-gold_right] A smaller share of the questions with a known answer right (0 to 1)
    [exclude-median_seconds] A shorter median time on a question, in seconds after its sound; 0.5 is enough with sounds
    [exclude-same_place] A larger share of choices at one place of the list (0 to 1)
    [exclude-reference_below] Who grades the hidden reference below this (ITU-R BS.1534-3: 90) …
    [exclude-reference_share] … in more than this share of the trials (0 to 1; ITU-R BS.1534-3: 0.15)
    [exclude-headphones] Who does not pass the headphone check
    [exclude-unfinished] Who has not answered everything
    [keep] Which questions pass validation
    [keep-annotations] Answers that a question needs
    [keep-right] Least share that marks the right option (0 to 1)
    [keep-distractors] Largest share that marks a wrong option (0 to 1)
    [keep-rule] How wrong options are counted: any or each
    [end] Codes that a platform such as Prolific wants; empty: none is shown
    [end-complete] For who has finished
    [end-screened_out] For who was screened out
    [end-no_consent] For who did not agree
    [end-address] Address that people are sent back to; {"{"}code{"}"} stands for the code
    [items] Questions for practice and for checks (another number chooses them again)
    [items-practice] Practice questions, taken from the questions of the study: people are told what was right, and these count in no figure
    [items-gold] Questions by whose answers you exclude people (they count, too)
    [items-attention] Attention checks, added: they ask for a certain answer, and count in no figure
    [texts] Texts that people read
    [texts-title] Title
    [texts-information] Information (an empty line begins a paragraph; {"{"}minutes{"}"} is estimated)
    [texts-consent] Consent: a statement a line
    [texts-instructions] Instructions
    [texts-contact] Contact: who is responsible for the study and its data
    [texts-debriefing] What people read at the end
    [texts-pole_low] Lowest end of the scale; empty: “lowest”
    [texts-pole_high] Highest end of the scale; empty: “highest”
    [texts-questions] Questions and options in this language, a line each: the line, an arrow, and what people read in its place (Major → Dur); nothing behind the arrow: the line stays
   *[other] { $path }
}
study-file-is = A study. Everything here can be edited in the browser (`zhiyin study serve`), and is fixed once somebody has taken part.
study-design = Study
study-edit = Look through the study
study-edit-design = Look through or edit the study
study-design-is = { $n ->
    [0] Nobody has taken part yet: everything can be edited, and is saved into study.toml.
    [one] One person has begun. What is asked and excluded is fixed, so that rules are declared before answers are seen. Texts can be edited: each time is a version, and each answer is exported with the version that was consented to and the one that was shown.
   *[other] { $n } people have begun. What is asked and excluded is fixed, so that rules are declared before answers are seen. Texts can be edited: each time is a version, and each answer is exported with the version that was consented to and the one that was shown.
}
study-save = { $n ->
    [0] Save
   *[other] Save texts as a new version
}
study-save-preview = Save and preview
study-saved = Saved.
study-not-saved = { $n ->
    [one] Nothing is saved yet: one entry needs a look.
   *[other] Nothing is saved yet: { $n } entries need a look.
}
study-steps = Before people come
study-step-look = Look through the study
study-step-preview = See it as people do
study-step-send = { $alone ->
    [true] People can take part on this machine (others need a server: “On a server” in docs/study.md):
   *[other] Send people this address:
}
study-step-send-unknown = Send people the address that `zhiyin study serve` has printed
study-step-answers = Answers come in under Figures; export them there
study-other-saved = Somebody else, or you in another window, saved since this page was opened. Your entries are below: to save them over it, save again.
study-fixed-now = Somebody has taken part since this page was opened: what is asked and excluded is fixed, and nothing was saved. Your texts below can still be saved.
study-file-changed = study.toml was changed in the folder while the study is served: end the server, and start it again.
study-not-written = A language has a name that a study file cannot hold: give names such as en, zh-TW.
study-too-long = longer than { $n } letters: shorten it
study-missing = is missing: fill it in
study-wants = { $value } does not fit: give { $kind ->
    [int] a whole number
    [float] a number
    [bool] true or false
    [list] a list of texts
   *[str] a text
}{ $above ->
    [none] {""}
   *[some] {" "}above { $above }
}{ $low ->
    [none] {""}
   *[some] {" "}from { $low }
}{ $high ->
    [none] {""}
   *[some] {" "}to { $high }
}
study-unknown = { $value } is not known; known: { $known }
study-no-language = give at least one, such as en
study-no-texts = there is no [texts.{ $language }]: write one, or leave the language out
study-language-odd = { $language } is no name of a language: give names such as en, zh-TW
study-no-consent = say what people agree to
study-consent-unlike = consent has more statements in one language than in another: make them alike
study-no-title = write a text
study-quota-unasked = { $name } is not asked: add it to what people are asked about themselves
study-quota-no-answer = { $value } is no answer of { $name }
study-most-below-least = is below the least: raise it
study-headphones-needed = needs a headphone check: woods or huggins
study-question-lacks = write the question and its answers in { $language }, and say which is right: 1 is the first
study-items-few = of { $n } items { $known } have a known answer: fewer than are wanted for practice and known answers
study-enough = { $done } of { $items } questions have the { $wanted } answers wanted; short: { NAMES($short) }.
study-none-wanted = how many answers each question should have is not set (under “How many answers each question gets”): this page cannot say how many people are needed
study-more-than-most = an item is given to nobody after { $n } answers: lower it to { $n }, or raise or empty the limit
study-never-kept = an item gets no more after { $n } answers, so that no question would ever be decided: lower it to { $n }, or raise the limit
study-one-option = one answer cannot be wrong: give two or more
# Words of participants' pages.
words-odd-name = { $path }: call the file after its language, such as fr.ftl or zh-TW.ftl
words-none = { $path }: holds no words of the pages: begin with `zhiyin study words en`
words-odd-place = message { $name } names { $place }, which nothing fills in
words-lacking = { $n } of { $of } words { $n ->
    [one] lacks
   *[other] lack
} a translation, and { $n ->
    [one] stands
   *[other] stand
} in English: { NAMES($names) }
words-unknown = { $name } is none of the words: { $hint }
words-no-place = { $name } lacks {"{"} ${ $place } {"}"}: write it where that is to stand
words-whole = { $file }: no word lacks a translation; make the study with --words { SHELL($file) }
words-no-language = pages have no words in { $language } (they have { NAMES($known) }): translate what `zhiyin study words en` prints into a file { $language }.ftl, and give --words { $language }.ftl; of a study that is there, put it into its folder as language-{ $language }.ftl
study-short-of = { $item } ({ $n })
study-short-more = { $n } more
# One text for an ethics board.
board-who = - Responsible for the study and its data (controller), and contact: { $known ->
    [true] { $contact }
   *[false] NOT STATED YET: write it under Contact
}
board-what = - What people do: in a browser they { $kind ->
    [exam] answer questions
    [validate] mark which options answer a question
    [rate] grade or compare what they are shown
   *[other] name what is wrong with answers
}; each is given { $each } of { $items }.
board-minutes = - Duration: about { $minutes } minutes (estimated from the questions{ $sound ->
    [true] , their sounds
   *[false] {""}
} and the time for reading).
board-risk = - Risk and burden: { $sound ->
    [true] listening at a volume that people set themselves
   *[false] reading on a screen
}; no more than in daily life is expected.
board-practice = - Practice questions: { $n }. Afterwards people are told what was right; the answers are in no figure.
board-attention = - Attention checks: { $n }. Such a question asks for a certain answer, to see whether it is read; people are not told beforehand that there are any.
board-headphones = - A headphone check is made and kept; it sets somebody aside only where a rule below says so.
board-comprehension = - Questions on the instructions (below) have to be answered right before any other: who does not { $tries ->
    [one] at the first try
   *[other] in { $tries } tries
} is screened out, gets no further question, and reads that the study ends; what they answered about themselves is kept.
board-quota = - Quota: of people who answer “{ $value }” to “{ $field }”, { $most } take part at most; others are turned away, and nothing but their number is kept.
board-full = - A question is given to nobody any more { $most ->
    [none] {""}
   *[some] after { $most } answers{ $agreed ->
        [true] , or{" "}
       *[false] {""}
    }
}{ $agreed ->
    [true] when its first { $least } answers agree
   *[false] {""}
}; who comes when none is left is turned away, and nothing but their number is kept.
board-excluded = - { study-rules }
study-rules = Rules of exclusion, declared before answers are seen: { $rules ->
    [none] none
   *[some] set aside is { OR($rules) }
}.
ethics-rule = { $rule ->
    [attention_wrong] who answers { $value } or more attention checks wrong
    [gold_right] who answers less than { SHARE($value, decimals: 0) } of the questions with a known answer right
    [median_seconds] who needs less than { $value } s, counted from when the sound was heard where there is one, for the middle one of their questions
    [same_place] who makes more than { SHARE($value, decimals: 0) } of their choices at one place of the list, where that is no chance
    [headphones] who does not pass the headphone check
    [reference_below] who grades the hidden reference below { $value } in more than { SHARE($share, decimals: 0) } of the trials (ITU-R BS.1534-3: 90, 15 %)
   *[unfinished] who does not answer everything
}
ethics-columns = - Of each person: a pseudonym drawn by chance, the language, the answers about themselves as listed above (with the scores of a self-report, if there is one), to which version of the texts they agreed, whether they passed a headphone check, whether they finished, and which rules set them aside. Of each answer: the question, the place and order in which it was shown, what was chosen, graded or written, whether that is right{ $sound ->
    [true] , how often each sound was heard
   *[false] {""}
}, when the page was given and the answer was kept, and the time on the page with and without a sign of the person. All settings stand in study.toml.
board-data = - Data: answers and background under a pseudonym drawn by chance. Numbers of a recruiting platform are kept as keyed hashes alone; no addresses, no names and no cookies of others are kept. Sessions end after 30 days. Withdrawal deletes every row of the person. The data lie where the study is served.
board-open = - To be stated by those responsible: how long the data are kept, who has access, whether they are published, and what people are paid.
board-kept = What is kept
board-edited = The texts above were edited in the browser; earlier ones are kept:
board-version = version { $version }, { $day }, after { $people } people had begun
study-without-instruction = { $run }: what stood before each question (instruction, worked examples) is not shown, for a run holds it as models read it; make the study of the benchmark to show it

backup-no-study = { $folder }: no { $file } here: name the folder of a study
backup-postgres = { $folder }: has no { $database }: PostgreSQL is backed up by pg_dump
backup-inside = { $out } is in the study itself: choose a place outside { $folder }
backup-there = { $out } is there already: choose another name
backup-full = { $folder } holds something already: choose another folder
backup-broken = { $file }: is no whole backup of a study

study-unanswered = { $folder }: nobody has answered yet
study-out-html = --out { $out }: give a name that ends in .html

people-by-twice = --by { $by }: names a field twice
people-out = --out { $out }: name a run to stand beside people, by --model RUN
people-unanswered = { $source }: nobody has answered yet
people-kept = --kept: these are answers to an exam, not a validation
people-no-file = { $source }: no such file; give answers that people gave
people-no-trials = { $trials }: is missing; put a copy of the export's trials there
people-flat = { $source }: is the export for R and spreadsheets; give the other one, that `zhiyin study export STUDY --out answers.jsonl` writes
people-table = { $source }: a table says who chose what; the questions come from a run: add --exam with a run folder of any model on this exam, such as `zhiyin run BENCHMARK -m random`
people-flag = --{ $flag }: these are { $why }
people-validated = { $questions ->
    [one] { $questions } question
   *[other] { $questions } questions
}: { $keep } kept, { $drop } dropped, { $open } open (fewer than { $annotations } answers)
people-rule = kept: at least { $right } % mark the right option, and at most { $most } % mark { $wrong ->
    [any] any wrong option
   *[other] one and the same wrong option
}
people-exam = --exam is missing: name the benchmark that people took, or a model's run on it
people-each = --each-person writes runs: add --out DIR

people-few = { $label }: { $n ->
    [one] { $n } person
   *[other] { $n } people
}, too few to be shown (--least-people)
people-precision = precision: right answers among those given; a blank, or a reply that names no option, is none
people-intervals = int.: 95 %, for other people and other questions; of models for other questions
people-passing = to pass: right answers of all that was asked, blanks being wrong
people-points = --points: people had different numbers of questions, so that right answers cannot be compared: leave it out

study-source-missing = --from: name a benchmark, a run folder, or a file
study-no-out = --out is missing: name the study's folder
study-no-source = --from is missing: name a benchmark, a run folder, or a file
study-no-run = --model { $run }: no run there: name the folder of a model's run

study-database = the address of the data base is none: give postgresql://NAME@HOST/BASE

study-languages = --languages { $names }: give names such as en,zh
study-item-twice = { $where }: { $id } is there twice: remove one
study-no-items = { $path }: holds no questions; make the study again

study-language-object = { $path }: give one object of names and words

study-there = { $folder } holds something already: choose another folder with --out
study-no-options = { $id } has no options: --kind validate marks options
study-errata = --errata: names none of these items; make it again of these data
study-ungradable = { $folders }: holds no texts that could be graded
study-pairs = --pairs compares the texts of two runs: give --from twice
study-stimuli = { $where }: give two or more stimuli of different keys
study-role = { $where }: a role is reference or anchor
study-nothing = there is nothing in the source that such a study could ask

study-no-audio = { $path }: not audio that can be decoded
study-no-sound = { $path }: holds no sound in the part that is asked about
study-no-picture = { $path }: no picture that browsers show; give PNG or JPEG
study-anchor = an anchor needs sound of more than { $what } Hz; give one
study-other-file = { $path }: is another file than was asked about; put the old one back

scale-place = scale_file = { $scalefile }: put the file into { $folder } itself
scale-labels = { $path }: give as many labels in each language, and score mean or sum
scale-ids = { $path }: each statement needs an id of its own
scale-words = { $path }: has no words in { $language }

study-out-name = --out { $out }: give a name that ends in .jsonl, or in .csv

study-served = { $folder } is being served already: end that server first

study-none = { $folder }: no { $file } here: make one with `zhiyin study make`

study-unopened = the answers' data base cannot be opened: { $first }
study-changed = { $folder }: the study or its items changed after { $taken } people had taken part; put the old files back, or begin a new study in another folder
study-damaged = { $path }: is damaged; put its backup back

# What the terminal says of studies.
study-count = { $n } { $role }
study-judgements = What was judged{ $group ->
    [none] {""}
   *[some] , { $group }
}
study-judged = judged
study-mean = mean
study-judged-is = Intervals are 95 %, for other people and other items.{ $pairs ->
    [0] {""}
   *[other] {" "}A − B: by how much the same people graded A above B on the same items; all of these intervals hold at once in 95 % of studies (Bonferroni, { $pairs }).
}
study-closes = an item gets no more answers after { $least } that agree, or { $most }: annotations, in study.toml
study-wrote = wrote a study with { NAMES($counts) } items to { $folder }
study-look = look through it in your browser, with:
study-no-https = without https, others on the way can read the answers
study-reachable = the researcher's page can be reached from other machines
study-participants = participants: { $at }
study-researcher-at = researcher:   { $at }  token: { $token }
study-unseen = look through the study at the researcher's address first
study-exported = { $answers ->
    [one] { $answers } answer
   *[other] { $answers } answers
} of { $people ->
    [one] { $people } person
   *[other] { $people } people
}: { $file }
study-trials = trials: { $file }
study-codebook-file = codebook: { $file }
study-scripts = scripts that read it: { NAMES($files) }
study-files = { $n } files: { $path }
study-texts-unwritten = { $folder }: { $n ->
    [one] { $n } text
   *[other] { $n } texts
} not written, and left out
study-kind-run = --kind { $kind } judges what models wrote: give a run with --from{ $kind ->
    [annotate] , or --errata FILE
   *[other] {""}
}
study-tune-text = { $id }: a tune cannot be engraved; its text is shown
study-short = { $name }: too short to measure its loudness; left as it is
study-silent = { $name }: silent; left as it is
study-below = { $name }: { $db } dB below the others, or it would be cut off
people-questions = questions: { $keep } kept, { $drop } dropped, { $open } open
people-decisions = decisions: { $path }
people-figure = figure: { $path }
people-runs = { $n ->
    [one] { $n } run
   *[other] { $n } runs
} in { $out }: `zhiyin show { SHELL($first) }`
people-none-left = { $counting }: look at these people's answers, or ask more people
people-fewer = { $n ->
    [one] { $n } person
   *[other] { $n } people
} answered, fewer than --least-people { $least }: ask more, or give --least-people 1 where nobody can be known
people-no-group = no group has { $least ->
    [one] { $least } person
   *[other] { $least } people
}: take fewer fields in --by or none, or --least-people 1 where nobody can be known by a background
people-within = { $n ->
    [one] { $n } category
   *[other] { $n } categories
} within these: --groups all
study-driver = { $why }: install the driver of that data base
study-faults = { CLAUSES($each) }
study-make-again = { $why }; make the study again
study-depends = { $what }: asks questions that depend on the answers before: no study of it can be made; choose another benchmark, a run of one, or a fixed order of its questions where it has one (see `Hearing tests` in docs/study.md)
study-measure-is = { $measure ->
    [choices] choices
   *[other] { $measure }
}
people-kept-unwritten = --kept { $path }: cannot be written ({ $why }): name a file in a folder that is there
