# The page on which the replies of an audit are marked.

marking-audit = audit
marking-loading = Loading…
marking-scripts = This page is drawn by its own script: allow scripts for it.
marking-marked = { $n } of { $many } marked
marking-by = by { $who }
marking-reply-of = Reply { $n } of { $many }: what does it answer?
marking-none = no answer
marking-unsure = unsure
marking-hidden = What the reader made of it is shown when you have marked it.
marking-you = You:
marking-reader = Reader:
marking-differs = not as you marked it
marking-not-kept = Not kept: { $why }
marking-no-server = the server does not answer; is it still running?
marking-all-kept = All are marked and kept beside the run; this page can be closed.
marking-reply = Reply
marking-mark = Mark
marking-again = Asked once more, for the letter alone
marking-nothing = (nothing)
marking-cut = The reply was cut off by its length limit.
marking-question = The question
marking-back = previous
marking-on = next
marking-peek = show the reader’s verdict before
marking-keys = Keys: a letter; 0 no answer; ? unsure; Enter or → next; ← previous. Mark what the reply says, whether or not it is right.
marking-all = All replies
marking-one = reply { $n }
marking-confidence = { $level ->
    [none] {""}
    [by-text-alone] by text alone
   *[other] { $level }
}
