# What this file is in its own language.
language_itself = English

# What a new study says; the researcher can edit it. { $minutes } is filled in.
default_title = A study of music understanding
default_information = We would like to know how people answer questions about music. You will answer some questions about yourself, and then a number of questions about music. It takes about { $minutes } minutes.
default_sound = You will hear sounds. Please wear headphones if you have them, sit in a quiet room, and set the volume so that it is comfortable. We expect no risk beyond that of listening to music every day.
default_no_sound = We expect no risk beyond that of reading on a screen.
default_rights = Taking part is voluntary. You may stop at any time, come back by your personal link, or have all your answers deleted, without giving a reason. Your answers are kept under a pseudonym; your name is not asked.
default_debriefing = Your answers help to find out how far computer models understand music, compared with people.
consent_1 = I am at least 18 years old.
consent_2 = I have read what the study is about.
consent_3 = I know that I can stop at any time, without a reason, and have my answers deleted.
consent_4 = I agree that my answers are kept under a pseudonym, used for research and published without my name.
instructions_exam = Choose the one answer that you think is right.
instructions_validate = Mark every option that answers the question correctly. There may be one or several. If you cannot tell, or if something is wrong with the question, say so.
instructions_rate = Grade what you are shown. Use the whole range of the scale.
instructions_annotate = The reply below got the question wrong. Mark every failure that describes it.

# Consent, and the personal link.
consent_title = Your consent
consent_all = To take part, please agree to each statement.
agree = I agree and begin
decline = I do not agree
not_translated = The questions themselves are not in English.
contact_is = Responsible for this study and its data, and contact:
link_title = Your personal link
link_text = With this link you can go on at another time or on another device. Whoever has it can answer in your place, so keep it to yourself.
copy_link = Copy the link
copied = Copied.

# What people are asked about themselves, and the answers.
about_you = About you
scale_is = Please say for each statement how far it applies to you.
education = Your highest education, finished or under way
high_school = High school
bachelor = Bachelor's degree
master = Master's degree
doctorate = Doctorate
music_major = Do you study, or did you study, music as your main subject?
music_background = Do you have a musical background (lessons, an instrument, singing, composing)?
yes = Yes
no = No
age = Your age
age_18_24 = 18 to 24
age_25_34 = 25 to 34
age_35_44 = 35 to 44
age_45_54 = 45 to 54
age_55_64 = 55 to 64
over_64 = 65 or older
hearing = Is your hearing normal, as far as you know?
normal = Yes, normal
loss = No, I have a hearing loss (hearing aids too)
unsure = I don't know
lessons_years = For how many years did you have lessons on an instrument or in singing?
years_0 = None
years_1_2 = 1 to 2 years
years_3_5 = 3 to 5 years
years_6_9 = 6 to 9 years
years_over_9 = 10 years or more
instrument = Which is your main instrument?
none = None
voice = Voice
piano = Piano or another keyboard
strings = A bowed string instrument
plucked = Guitar or another plucked instrument
wind = A wind or brass instrument
percussion = Drums or percussion
electronic = Electronic instruments or a computer
other = Other
unsaid = I'd rather not say

# Checks before the questions.
volume_title = Set your volume
volume_text = Play the sound and set your device so that it is clear and comfortable. Please leave the volume as it is afterwards.
volume_done = The volume is set
headphones_title = Headphone check
headphones_text = Please wear headphones. You will hear three sounds in a row.
headphones_woods = Which of the three sounds is the quietest?
headphones_huggins = In which of the three noises do you hear a faint tone?
first = First
second = Second
third = Third
comprehension_title = Have you understood the task?
try_again = Not all answers were right. Please read the instructions again; you have another try.

# A question.
instructions_title = What you do
task_words = The task
as_notation = You do not get the MIDI data as text: you see the notes as notation, and can play them.
examples = Worked examples
example = Example
example_answer = Answer
listen_once = Each sound has to be heard to its end before you can answer.
listen_times = Each sound has to be heard to its end { $n } times before you can answer.
listen_most = It can be played { $n } times at most.
listen_volume = The sound has to be heard to its end.
practice_is = This is practice: it does not count.
practice_over = Practice is over. Now it begins: from here on your answers count.
practice_right = Right.
practice_wrong = Not right. The right answer is marked with ✓.
practice_on = Go on
question = Question
of = of
several = One or more answers are right: mark all that are.
your_answer = Your answer
cannot_tell = I cannot tell
odd = Something is wrong with this question
text = Text
text_left = Text 1
text_right = Text 2
left_better = Text 1 is better
right_better = Text 2 is better
both_same = They are equally good
not_graded = not graded yet
aspect_completeness = Completeness: does it cover the music?
aspect_precision = Precision: is what it says right?
aspect_novelty = Novelty: does it say more than the obvious?
attention = This question shows that you are reading. Please choose “{ $word }”.
word_north = north
word_east = east
word_south = south
word_west = west

# Sound, pictures, notation.
play = Play
stop = Stop
sound = Sound
reference = Reference
listened = heard
no_more = It cannot be played again.
loading = Loading the sound …
cannot_play = The sound cannot be loaded. Try again.
picture = Picture of this question
notation = Notation
tune_play = Play the notes
zoom = Enlarge
close = Close

# Buttons, keys, and what is said while an answer is saved.
continue = Continue
send = Save and go on
saved = Saved.
saving = Saving …
retrying = The connection is lost. Your answer is kept here and sent again …
choose_first = Please answer first.
listen_first = Please listen to each sound to its end first.
keyboard = Keyboard: 1 to 9 choose, space plays, Enter saves.
skip = Skip to the content
language = Language

# The ends.
end_complete = Thank you. You have answered everything.
end_screened_out = Thank you. The study ends here for you: some answers about the task did not fit what it asks for. This says nothing about you or your ear for music.
end_no_consent = You have not agreed, so nothing was kept. Thank you for your time.
end_withdrawn = Your answers were deleted. Thank you for your time.
end_full = Thank you. Enough people have answered already, or enough people like you, so that nothing more is needed. Nothing of you was kept.
end_close = You may close this page.
code = Your code
go_back = Return to the platform
withdraw = Withdraw
withdraw_title = Withdraw from the study
withdraw_text = All that was kept of you is deleted at once. This cannot be undone.
withdraw_yes = Delete all my answers
withdraw_no = Go back

# What went wrong.
error_title = That did not work
error_session = Please open your personal link or the study's address.
error_link = This link is not known.
error_many = Too many requests. Please wait a minute.
error_form = Please answer everything on the page.
error_stale = This page is out of date. Please load it again.
error_twice = You have already begun. Please open your personal link to go on.
no_script = This study needs JavaScript for its sound. Please switch it on.
