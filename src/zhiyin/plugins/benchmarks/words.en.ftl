flaw-not-there = a published recording is not there
flaw-altered = not the published recording
data-published = { $n } of { $of } published recordings are there
flaw-no-task = task { $task } is not one of { NAMES($tasks) }
