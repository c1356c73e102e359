"""English words and phrases by which a clause declares, rejects, hedges, supposes or reports.

`notation` says how a list is written. To teach the reader a phrase, add it to the list that says
what it does; `tests/data/reading` then tells what else it changed.
"""

# --- What a declaration is made of -------------------------------------------------------------

ADVERBS = """
    therefore | thus | then | so | clearly | most | likely | probably | definitely | indeed
    | actually | also | still | simply | now | hence | here | again | obviously | certainly
    | surely | undoubtedly | without doubt | very | quite | perhaps | possibly | really | just
    | of course | in fact | in my opinion | i think | i believe | i guess
"""
"""May stand before or after "is" in "the answer is"."""

BE = """
    is | are | was | would be | would have to be | should be | must be | will be | has to be
    | appears to be | seems to be | is likely to be | might be | may be | could be | can only be
    | remains | is given as | comes out as | turns out to be | ought to be
"""
"""Joins "the answer" to the option."""

FILLERS = """
    option | choice | letter | number | the | answer | both | either | clearly | most | likely
    | probably | definitely | certainly | indeed | actually | simply | obviously | surely
    | perhaps | also | possibly | still | now | as follows | therefore | thus | again | be | as
    | that | it is | it's | with | for | a | an | correct | between | boxed | none other than
    | in fact | only | undoubtedly | in | from | by
"""
"""May stand between declaring words and the option: "the answer is clearly option B"."""

RIGHT = """
    correct | right | best | best[- ]fitting | final | my | your | our | likely | likeliest
    | suitable | appropriate | accurate | chosen | selected | closest | plausible | logical
    | probable | fitting | true | proper | remaining | only | preferred | intended | matching
    | desired | expected | strongest | ideal | reasonable | convincing | valid | safest | better
    | predicted | top
"""
"""Makes a choice the answer: "the correct option"."""

NOUNS = """
    answer | winner | choice | option | selection | pick | guess | bet | response | conclusion
    | solution | prediction | match | fit | one | letter | decision | vote | candidate
    | preference | verdict | call | statement | description | interpretation | claim | caption
"""
"""What an answer is called."""

AMONG = """
    here | among \\w+( \\w+)? | from the list | of the (four | three | five | options)[^,.]{0,20}
    | is that
"""
"""May follow the noun: "the best option among these"."""

FIELDS = """
    option | choice | selection | response | conclusion | solution | prediction | output | letter
    | label | result | selected | chosen | correct | decision | verdict | ans | vote | final
    | guess | pick | best guess | best | option chosen | choice made | summary | final choice
    | key
"""
"""A line that begins with one of these and a colon declares: "Choice: B"."""

TAGS = """
    <(final_?|correct_?)?(answer|choice|option|ans|final|conclusion|verdict|decision|result)>
      | boxed\\s?\\{? | \\[\\[
    | \\[(final )?answer\\]
"""
"""Marks around an answer."""

CHOOSING = """
    choose | chose | chosen | pick | picked | select | selected | go with | going with | go for
      | going for
    | opt for | settle on | settle for | settled on | say | said | answer | guess | vote( for)?
    | lean towards? | lean to | leaning towards? | leaning to | leaning | go | went with | choosing
    | picking
    | selecting | stick with | sticking with | stay with | bet on | put my money on | favou?r
    | prefer | conclude | recommend | submit | take | took | went back to | go back to
    | return(ed)? to | come down on( the side of)? | came down on( the side of)? | incline to
    | side with | siding with | mark | tick | commit to
    | end up (with | at) | (keep | kept) coming back to
"""
"""After "I" or "we"."""

CHOOSING_ADVERBS = """
    \\w+ly | therefore | thus | then | still | also | rather | have to | want to | going to
    | think i'd
    | go ahead and | finally | hereby | now
"""

CHANGES = """
    (chang(e | ed | ing) | revis(e | ed | ing) | amend(ed | ing)? | correct(ed | ing)?
      | switch(ed | ing)? | revert(ed | ing)? | flip(ped | ping)?)( it | my (answer | choice | mind
      | vote | guess))?( once more
      | again)?,?( back)?
"""
"""From one option to another: the other is declared."""

CHOSEN = """
    (let's | let me | let us) (go with | go for | say | choose | pick | settle on | settle for
      | commit to | opt for | stick with)
    | (inclined | tempted) (to (choose | pick | say | go with) | towards?)
    | leaning (towards? | to) | leav(es | ing)( us | me)?( only | with( only)?)?
    | (point(s | ing)? | lead(s | ing)? | narrow(s | ed)?( it)?( down)?)
      ((clearly | strongly | me | us | directly) )*to(wards?)?
    | only .{1,20}(left | remaining) is | my (money | vote | choice) (is on | goes to | falls on)
    | (best | better) (captured | described | matched | represented) by | makes? it
    | (record | recording | evidence | score | music | audio | data | sound | text | ear | count
      | odds | sign | clue | detail | rhythm | harmony | tempo | timbre | texture | mood | metre
      | meter
      | recount | look | listen | hearing)s?( clearly)? (shows? | says? | indicates | suggests
      | confirms | gives | gave | favou?rs? | supports?)
    | (all | everything | most)( \\w+)? (speaks? | argues?) for
    | (what | all( that)? | everything( that)?) (i | we)( actually | really)? (hear | heard
      | see | found)( here)? (supports | favou?rs | suggests | confirms | says)
    | (i | we) get | (i | we)( can't | cannot | can't)? (dis)?agree with | response is
    | (note | pitch | tone | chord | key | interval | scale | mode | name | term | word | piece
      | composer | instrument | genre)( that | which)? (you are | you're | we are | we're | is being
      | the question is) (looking for | after | asked for | asking for | asking about | sought) is
    | in favou?r of | (slightly | rather | clearly) favou?ring | i'd put | which is(?= option)
"""
"""Declares without "I choose"."""

ORDERS = "choose | select | pick | going with | go with | selecting | choosing"
"""At the head of a clause."""

FORCED = """
    if (forced | pressed | pushed | you (forced? | press(ed)? | push(ed)? | made) me
      | i (must | had to \\w+ | have to \\w+))( to \\w+)?[,:]
    | final(ly)?:
"""

MUST_BE = "(it | this | that) (has to | must | can only) be | more likely"

RIGHT_VALUES = "(right | correct) (value | figure | number | name | tempo | key),?\\s"

THEREFORE = "(therefore | so | thus | hence),? (it is | it's | there (is | are))(?= ) | =>"
"""Where an answer of whatever form is due."""

FINALLY = """
    final[ _]?(answer | choice | decision | verdict)?[^a-z\\n]*(is\\b | :) | boxed | < | \\[\\[
    | in conclusion | to conclude
"""
"""In a declaration: nothing comes after it but corrections."""

# --- Conclusions, corrections, withdrawals ------------------------------------------------------

CONCLUDES = """
    by (process of )?(elimination | exclusion) | therefore | thus | hence | in conclusion
    | in summary | so | consequently | accordingly | overall | that makes( it)? | this makes( it)?
    | making it | which makes it | meaning | confirming | which (gives | means)( us)?
    | giving( us)? | (?<!what )mak(es | ing) | equals | (comes?( out)? | adds? up | amounts?) to
    | totals?
"""
"""Before an option: so it is this one."""

CORRECTS_WHERE_SAID = """
    wait | actually | sorry | correction | oops | scratch that | i mean | i meant
    | on second thoughts? | hold on | rather | no | on closer (inspection | listening | look)
    | on reflection | looking again | listening again | reconsidering | apologies | my mistake
    | let me correct (that | myself) | upon (reflection | review | closer (inspection | listening))
    | after (reconsidering | checking | double-checking) | edit | update | revised | strike that
    | hmm
"""
"""Correct what was said where a comma, a full stop or a new clause follows."""

CORRECTS = """
    or (rather | better) | oh(?=,) | make that | i meant? | (it's | it is) (actually | really)
    | but (rather | instead) | instead(?=,)
    | now (i think | i believe | i'd say)
"""
"""Correct what was said, whatever follows."""

WITHDRAWING = """
    wait | hold on | hmm | actually | no(?=[,.! ]+(that | it | this | i)) | oops | sorry | hang on
    | scratch
"""
"""Opens a second thought ..."""

WRONG = """
    wrong | not right | not correct | incorrect | mistaken | a mistake
    | doesn't (fit | work | make sense) | isn't right | can't be( right)? | not it | scratch that
    | not sure (any ?more | about that) | take (it | that) back | disregard | contradicts
    | i don't know(?=\\s?[.!,]|$) | no idea | no answer | can't tell | cannot tell | unable to
"""
"""... which ends in one of these: "wait, that is wrong"."""

WITHDRAWS = """
    (scratch | strike | scrap | cancel | delete | ignore) that | i take (it | that) back
    | (ignore | disregard)( this | it)?(?=\\s?[.!,]) | disregard (that | my | the) | (i | is
    | am)? ?(withdraw | retract)(ed | ing | n)?(?! \\w+ (earlier | previous | former | first
      | initial | other))
    | please ignore (that | my | the) | ((can't | cannot | can not) | (not able
      | unable) to) decide
    | no longer (stand by | sure | certain | convinced) | would rather not answer
    | i'd rather not answer
    | i (have | give) no answer | undecided | forget (that | it | what i said) | never ?mind
    | start over
    | (won't | will not | refuse to) answer | misheard | maybe not
"""
"""After an answer: it is taken back."""

WAITS = """
    oh(?=,) | correction | wait | hold on | hmm | actually | oops | sorry | on second thoughts?
    | hang on | no(?=,)
"""
"""A second thought: what follows may take back what was said."""

# --- Weak words, doubts -------------------------------------------------------------------------

WEAK = """
    it's | its | it is | it must be | it should be | it would be | it has to be | it could be
    | it might be | it may be | that's | that is | that would be | must be | has to be | probably
    | most likely | likely | likeliest | tentatively | i suppose | i think | i believe | i guess
    | i'd say | i suspect
    | i feel | i reckon | my guess | definitely | clearly | perhaps | maybe | possibly | sometimes
    | just | this is | this would be | this must be | this should be | sounds like
    | sounds more like | seems like | looks like | is | are | was | were | appears to be
    | seems to be | sounds | yes | sure | obviously | certainly | surely | undoubtedly | hmm | well
    | ok | okay | matches | match | fits | might be | could be | may be | would be | hears?
    | is called | known as | be | says | statement is
    | (might | may | could)( even | well | just | equally | as)+ be
    | (describ\\w+ | classif\\w+ | identif\\w+ | recogni[sz]\\w+ | label\\w+ | interpret\\w+
      | categori[sz]\\w+ | hear | heard | read | count\\w* | regard\\w* | come\\w* across)( it
      | this | that | the \\w+)? as
"""
"""Before an option: a plain "it is", sure or unsure."""

PLAINLY = """
    it's | it is | this is | that's | that is | this sounds like | it sounds like | sounds like
    | this must be | based on [^,]{3,40}, (this | it) (is | sounds like)
"""
"""At the head of a reply, before an option's text: the answer."""

UNSURE = """
    tentatively | i suppose | sometimes | maybe | perhaps | possibly | could be | might be | may be
    | could also be
    | might also be | (might | may | could)( even | well | just | equally | as)+ be
"""

# --- Rejections ---------------------------------------------------------------------------------

DENIES = """
    none of | (nothing | no (trace | sign | hint)) (of | like) | not(?! (only | just | sure))
      | \\w+n't | never | cannot | no longer | nor | neither
    | without | unlike | exclud(e | es | ed | ing) | eliminat(e | es | ed | ing)
    | discard(ed | ing)? | rul(e | es | ed | ing)( out)? | reject(s | ed | ing)?
    | dismiss(ed | ing)? | rather than | instead of | as opposed to | than | over | other than
    | except( for)? | apart from | wrong | incorrect | lacks? | no reason (to | for)
    | cross(ed | ing)? out | contrast(ed | ing)? (to | with) | distinguish\\w*( it)? from | against
    | versus | vs\\.? | differ(s | ent)? from | absen(t | ce)( of)? | unlikely
    | no(?=\\s?$|\\s[a-z])
    | mistak\\w+ for | confus\\w+( it)? with | far from | hardly | beats | outranks | edges out
    | false | fails?:? | doubt( that)?( it's | it is | the answer is)?
    | (\\w+n't | not | never) (think | believe | feel | say | see)( that)? (it's | it is
    | it would be
      | (the | my)( right | correct | best | final)? (answer | option | choice) is)
"""
"""Before an option: this is not the answer."""

DENIES_TWICE = """
    no (reason | way | grounds) | nothing | cannot | can't | couldn't | could not | wrong
    | (a | be) mistake | impossible | hard | difficult
"""
DENIES_AGAIN = (
    "not( to (choose | pick | say | select | go with))?( be)? | \\w+n't | against | disagree with"
)
"""One after the other they deny nothing: "no reason not to choose B"."""

DENIALS_END = "but | and | so | because | since | is | it's"
"""Up to three words may stand between a denial and its option, but none of these."""

DENIED_FILLERS = "clearly | obviously | also | definitely | therefore | both | all | simply | too"

DENIED = """
    (has | have | in | at | uses) the wrong | incorrect | wrong | false | out | absent | missing
    | eliminated | excluded | ruled out
    | unlikely | impossible | lacks? | fails? | contradicts? | both wrong
    | no(?!\\s?[,.!]|\\s(wait | sorry | actually | hold | hmm | doubt | question | mistake about
      | other | two ways | contest | hesitation))
    | not(?!\\s+([a-z]\\b | without | a doubt | in doubt | in question | option | only | just
      | wrong\\b | incorrect | false))
    | (is | are | was | were | does | wo | do | would | ca)n't | can't | cannot
"""
"""Straight after an option: it is not right."""

SO_IS = "so (is | are | does | do | would)"
NOR_IS = "(neither | nor) (is | are | does | do)"
"""Before an option: the same as was said of the one before."""

DISLIKED_FILLERS = """
    clearly | also | definitely | obviously | therefore | both | all | simply | thus | certainly
    | too | far too | completely | entirely | plainly | just | most | very | much | probably
    | likely | equally | a | the | an | then
"""

DISLIKES = """
    not(?!\\s(only | just | wrong | incorrect | false | sure | certain | confident)\\b) | isn't
    | aren't | doesn't | cannot | can't | wouldn't | won't
    | don't | (?<!not )(incorrect | wrong | false) | out | absent | missing | eliminated
    | excluded | ruled out | unlikely | impossible | implausible | inaccurate | irrelevant
    | unrelated
    | low (confidence | probability | likelihood) | misleading | mismatch | contradict\\w*
      | lacks? | fails? | ignores? | inconsistent
    | ((second | third)[- ](best | most \\w+ | closest) | worst | poor | bad | weak | odd | strange
      | unlikely | least \\w+) (fit | match | choice | option | answer | candidate | guess | pick)
    | no match | neither | nor | a distractor | distractors? | rejected | never | refuted
    | inappropriate | unsuitable | off | worse | weaker | less
    | too (fast | slow | high | low | broad | general | specific | narrow | bright | dark | vague
      | early | late)
    | discarded | dismissed | falls( away)? | drops out | no(?!\\s(doubt | question | mistake
      | other | two ways | contest | hesitation))
    | untrue | invalid | unsupported
    | ill-fitting | nowhere | hardly
    | absence | would (need | require | have | be(?! (also | equally | just as)) | imply | sound
      | mean) | confus\\w+
    | (?<!no )mistak\\w+
"""
"""Somewhere in what is said of an option: bad words."""

OTHERS_ARE = """
    is | are | fits? | can be | all | the | others? | rest | every\\w* | options? | of | them
    | else
"""
OTHERS_WRONG = """
    is | are | can be | fits? | matches | works | wrong | incorrect | false | not | no
    | eliminated | excluded | ruled
"""
"""Around an option: every other is wrong."""

ALL_BUT = """
    (all | every\\w* | any\\w* | nothing | none | no\\w*)( \\w+)? (except | but | other than
    | apart from) | except( for)? | apart from
"""

EXCLUDING = """
    (rul | exclud | eliminat | discard | reject | dismiss)(e | es | ed | ing)?( out)?
"""
"""Before "all but": the one left is the answer."""

NOTHING_BUT = """
    (\\w*n't | not | cannot | nothing | none | no \\w+) ([\\w']+ ){0,4}(but
    | other than | except | else than)
    | (\\w*n't | not | cannot) ([\\w']+ ){1,8}any\\w* (else | other )?(but | than | other than
      | except)
"""
"""Before an option: it can be no other."""

NONE_FITS = """
    none (of | is | are | fits? | match) | no (option | answer | choice | correct)
    | all (of the above | four | options) | neither | unclear | unknown
    | cannot (be )?determin\\w* | (?<!'m )(?<!am )not (be )?(clear | certain | determin\\w*)
"""
"""Where an answer is due: none is given."""

# --- Praise -------------------------------------------------------------------------------------

PRAISE_FILLERS = """
    clearly | therefore | thus | likely | most | probably | definitely | indeed | the | my
    | actually | also | still | only | a | final | an | very | single | then | our | in fact
      | hence
    | by far | overall | far | much | one | obviously | certainly | undoubtedly | surely
"""

PRAISED_AS = """
    correct | right | best | final | first | primary | most \\w+ | closest | likeliest | only
    | better | strongest | suitable | appropriate | chosen | remaining | clear | safest | soundest
    | obvious | natural
    | sensible | surest
"""

ANSWERS = """
    answer | choice | pick | guess | winner | option | one | match | fit | selection | response
    | bet | solution | label | marking | candidate
"""
"""After "is the": "B is the most likely candidate"."""

WINS = """
    (is )?the (better | best | closest) (fit | match | choice)
    | (alone )?(makes | make) (the most | more | most)? ?sense
    | describes [^.,;]{0,30}(better | best | accurately)
    | it (is | must be | has to be | should be | shall be | will be)(?=\\s?[.!,\\n])
    | is it(?=\\s?[.!,\\n]) | comes (out )?(closest | nearest | first | top) | beats | outranks
    | edges (out | it | ahead) | takes (it | the cake) | convinces me( the)? most | gets the nod
    | has the edge
    | (alone )?(survives | is left | remains(?=\\s?[.,;!]|$) | qualifies)
    | is what (we | i | you)(?! (first | once | initially | originally | almost | nearly | wanted
      | thought | was | had | would have | might | used))
    | is (what | the (only )?(one | option) (that | which)) (fits | matches | works | remains
      | suits)( best | here)?(?=\\s?[.,;:!\\n]|$)
    | is where (i | we) (land | end) | prevails | stands out | for me
    | after all | gets my vote | is where i | wins | stands alone
    | ((clearly | most closely | most accurately | therefore | certainly) )?(best (matches | fits
      | describes | captures | suits | represents | reflects | answers | explains)
      | (fits | matches | describes it | works | captures it | suits it) (best | better
      | most closely | the best | exactly | perfectly))
"""
"""Straight after an option: it is the answer."""

PRAISED_FILLERS = """
    clearly | also | the | most | more | very | indeed | therefore | thus | definitely | actually
    | quite | probably | equally | all | both | highly | exactly | precisely | perfectly | a | an
    | certainly
    | still | perhaps | only | obviously | fully | entirely
"""

AFFIRMS = """
    not (wrong | incorrect | false) | correct | right | true | accurate | plausible | likely
    | probable | fitting | suitable | appropriate
    | high (confidence | probability | likelihood) | consistent | the one | a match | a (good
      | strong | perfect | clear | great) (match | fit)
    | match(es | ing)? | fits?
    | (satisf(y | ies) | meets? | fulfil(s | l | ls)?) (all | every | each)
    | closest | best(?! known) | spot on | possible | winner | yes
    | valid | supported | better(?! known) | agrees | confirmed | chosen
    | (?<!not )((almost | virtually | nearly | quite | pretty) )?certain(?=\\s?[.,;!\\n)]|$)
    | (?<!his )(?<!her )(?<!the )(?<!other )(?<!early )(?<!late )works(?=\\s(best | well | here
      | perfectly)|[.,;]?$)
"""
"""Somewhere in what is said of an option: good words."""
