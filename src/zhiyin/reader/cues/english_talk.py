"""English words and phrases for what gives no answer: other voices, conditions, talk of options.

`notation` says how a list is written; `english` holds the words that give an answer or deny one.
"""

# --- Other voices, other cases ------------------------------------------------------------------

SECOND = """
    runner[- ]?up | close behind | secondary
    | second[- ](best | choice | guess | option | place | pick | most likely)
    | next[- ]best | 2nd (choice | best) | alternative(ly)?( answer | choice | option)?
    | alternate( answer)? | backup | fallback | failing that | otherwise | (?<!to )least \\w+
    | worst
    | wrong | incorrect | false | others? | another | opposite | tempting | distractors? | trap
    | common (mistakes? | errors?) | close( second)? | plan b | unlikely | unlikeliest | if not
    | decoys? | previous | original | first(?= (thought | impression | instinct | idea | guess))
    | initial | earlier | former | weakest | rejected
    | (2nd | 3rd | third | second)(?= (choice | best | place | guess | pick | most)) | eliminated
    | excluded | possible alternative | also considered | a distant second | user's | student's
    | your
"""
"""Names a second choice, or a wrong one, beside the answer."""

SECOND_NOUNS = """
    answer | choice | option | guess | one | likely | possibility | candidate | pick | thought
    | impression | instinct | idea | statement | description | selection | plausible | probable
    | suitable | fitting | answers | options | choices | candidates | suggestion
"""
SECOND_BE = "would (be | have been) | is | was | are | were | might be | could be | being"

OTHERS = """
    (?<!after )some | others | many | most (people | listeners | students | models | would)
      | people
    | someone | students? | one | another | listeners? | beginners?
    | you (might | may | could | would | said | say | think | chose | suggest\\w*) | they | he
      | she
    | the user | models? | novices? | candidates | examinees | an? \\w+ (listener | reader | ear)
    | anyone | everybody | critics | my (friend | colleague | teacher) | the (previous
      | other) \\w+
"""
"""Somebody else ..."""

OPINE = """
    say | says | said | claim | claims | argue | argued | think | thinks | thought | believe
    | believes | choose | chose | pick | picks | picked | answer | answered | guess | guessed
    | be tempted | is tempted | expect | assume | assumed | suggest | suggested | mistake | confuse
    | go for | go with | opt for | select | selected | suspect | vote | prefer | call | fall for
    | hear | consider | mislead | misled
"""
"""... has an opinion."""

REPORTS = """
    (might | may | could | easily | often | commonly | frequently | usually | sometimes | wrongly
      | mistakenly) (be )?(tempted | tempting | misled | mistaken | confused | chosen | picked
      | choose | pick | think | say | seem | look | assume)
    | (tempting | easy) to | it would be (a mistake | wrong | easy | tempting)
    | the (booklet | textbook | book | key | teacher | author | caption | label | title | website
      | text | hint | description | user | prompt | notes | legend | liner notes
      | program\\w*)\\b[^.;]{0,20}\\b(claims? | says? | states? | suggests? | has it)
    | i('ve)?( have)? (read | heard | been told | seen)
    | (according to | the key says | popular | common) ((the | some | many) )?\\w*\\s?(answer
      | choice | belief | opinion | misconception)
    | (his | her | their | your | one's)( \\w+)? (choice | pick | guess | vote | preference)
      (is | was | would)
    | common misconception | as you (said | suggested | wrote)
"""
"""Somewhere before an option, in its clause: somebody else's opinion."""

WHO_CHOSE = """
    (those | whoever | anyone | anybody | everyone | students? | people)( who)?( have)?
      (chose | choose | picked | pick | selected | select | answered | said | voted)
    | if you( have)? (chose | picked | selected | answered)
"""
"""Before an option, in its clause: others chose it, rightly or not."""

OWN_VOICE = """
    (i | we)('d | 'll)?( would | will)? (think | say | choose | go | pick | believe | hear | find
      | settle | lean | opt)
"""
"""In a clause of somebody else's opinion: the speaker's own after all."""

ONCE = """
    at first( glance | sight | hearing)? | initially | originally | first i | i first
    | i (initially | originally | almost | nearly | had (thought | said | picked | chosen
      | settled) | wanted? to (say | choose | pick) | was going to | was about to | was tempted
      | would have | might have | could have | used to)
    | my (first | initial | original) (thought | instinct | guess | impression | answer | reaction
      | idea) | my (initial | original) choice | my first choice (was | had been
      | would have been)
    | i was (leaning | thinking | inclined | drawn)
    | earlier i | i said | previously | i thought | i considered | i wanted to | i started with
    | from memory
"""
"""Before an option, in its clause: what was thought once."""

SUPPOSES = """
    as long as | so long as | in (that | which | such a) case
      | in (the | a) case (of | that | where)(?! this)
      | otherwise,?( \\w+){0,2} (would | might | could)
      | (?<!i )suppose | supposing | assuming | imagine
      | (let me | let us | let's | we( can | could | may | might)?) assume | pretend
      | imagining | say it (is | were)
"""
"""Before an option, in its sentence: a condition, whatever follows."""

SUPPOSES_OF_OTHERS = """
    if | whether | unless | had (it | the | there | this) | were (it | the | there | this)
    | in case | provided | should (it | the | there) | when asked | even if | even though
"""
"""A condition too, but not before "I must choose" and its like."""

SUPPOSES_WITH_WOULD = "for | to be"
"""A condition only where "would" or "must" follows the option."""

NO_CONDITION = """
    i(?!( had | have | were) to (?!choose | pick | guess | say | bet | answer | decide | select
      | go | commit | give | name | put | settle | rank | estimate | make | vote | take | single
      | venture | hazard | call | state | identify | classify | label | assign | tell | determine
      | submit | plump | nominate | wager | stake))
    | we | one | you (listen | look | must | forced? | insist(ed)? | asked? me
      | want(ed)? (a | an | my) | press(ed)? | push(ed)? | made me | need)
    | forced | pressed | required | that reason | this reason | these reasons | my answer
    | the answer | a final | me
"""

FREES = """
    but | however | since | because | (?<!is )(?<!if )so | therefore | thus | hence | yet
      | still | here | instead
    | in this case | nevertheless | now | finally | in the end | eventually | ultimately
"""
"""After a condition: what follows no longer hangs on it."""

CONCEDES = "while | although | though | even though | even if | granted"
"""At the head of a sentence: it concedes something, up to a comma."""

CONTRASTS = "whereas | while | in contrast | by contrast | conversely"
"""Before an option: another case than the one asked about."""

IF_AFTER = "if | in (the )?case | provided | were it | had it"
MATCHED_UP = "for | if | when | in case | indicates? | means? | stands for"
"""After an option that is to be chosen: how to choose, no choice."""

ARE_RIGHT = ",? (you )?((is | are | was | were) (right | correct)|(has | have) it right)"

OFFERED = """
    (are | were) (all )?(on offer | offered | given | listed | available | possible answers
      | (the | our | my | your) (\\w+ )?(options | choices | candidates | possibilities)
      | what (we | i) (can | may) | to choose from) | to choose from | on offer
"""
"""After all options: they are what one may choose from."""

ALSO_SAID = """
    (could | might | may | can) (also | equally | just as well) (be | say | choose | pick
      | call it)
"""
"""Before an option: a second answer beside the first."""

POSSIBLE = """
    possible | plausible | (could | might | may)( also | well | very well)? (be | work | fit)
    | works? too | fits? too
    | as well(?! as) | close | tempting | a close | a possibility | candidates? | attractive
    | in play | conceivable
"""
"""After an option: it is possible, no more."""

# --- How much is said for an option ---------------------------------------------------------------

AS_GOOD = """
    (is | are | seems | looks | sounds | fits | appears | would be)( to be)? (equally | no less
      | (just | every bit | quite) as) (likely | plausible | possible | probable | good | well
      | convincing | right | correct | defensible)(?! (as | to))
    | (is | seems | looks)( just | every bit)? as (likely | plausible | possible | probable
      | good | convincing)(?=\\s?[.,;!\\n]|$)
"""
"""After an option: it stands beside the one before."""

DEGREES = {
    "(very | extremely) low | negligible": 10, "(very | extremely) high": 90,
    "low | small": 30, "medium | moderate | fair": 50, "high | large": 70,
}  # fmt: skip
"""How sure, as a share of a hundred that only orders them; the first that is found holds."""

PARTLY_BE = """
    is | was | seems | may be | might be | can be | would be | though | however | only | just
      | at best
    | at most | merely | itself
"""
PARTLY = """
    (may | might | could) (well )?(look | seem | sound | appear) |
    (partly | partially | half | halfway | somewhat | superficially | loosely | broadly | roughly)
      (right | correct | true | fits? | matches | applies | accurate | there | fitting | valid)
    | (right | correct | true | fits? | matches | applies | holds | works)( only)? (in part
      | partly
      | partially | halfway | as far as it goes | up to a point | to (some | a certain
      | a) \\w*\\s?(extent
      | degree) | only)
    | (fits? | matches | works | applies | holds | describes | covers | suits | is (right | true
      | correct))
      [^.,;:]{0,24}(only\\b | but (not | it (does not | doesn't | misses | lacks)))
    | (has | have | contains? | carries) (some | a grain of | an element of | a bit of
      | a certain | its
      | partial | half) ?(truth | merits? | appeal | justification | points? | plausibility
      | logic)
    | (is )?(acceptable | defensible | tolerable | passable | arguable | justifiable
      | understandable
      | close enough | in the right direction)
    | (tells | gives | is | gets | sees) (only )?half | (is )?(near | close to) (the mark | it)
    | gets [^.,;:]{1,24} right,? (but | though | yet)
    | would (do | pass | serve) | will do | could pass
    | (only )?(captures | covers | explains | describes | names | accounts for) (only )?(one | a
      | some
      | half | part)( of the)?( single)? (aspects? | parts? | halves | half | side | element)
"""
"""After an option: there is something in it."""

PARTLY_BEFORE = """
    (something | a case | an argument | a lot | much)( to be)? (said | made)? ?for
    | (appeal | merits? | attraction | logic | point) (of | in | behind)
    | (some | a grain of) (truth | merit | sense) (to | in)
"""
BETTER_FILLERS = """
    is | seems( to be)? | looks | sounds | would be | remains | proves( to be)? | appears( to be)?
    | must be | however | simply | just | though | by contrast | on the other hand | in turn
      | still | much
      | far | even
    | clearly | slightly | somewhat | certainly | definitely | by far | rather | a bit | a lot
      | a little
    | a | the | also | then | considerably | markedly | distinctly
"""
BETTER = """
    better(?! known)(?! than nothing) | preferable | likelier | stronger | superior | closer
      | nearer
    | sounder | safer | more (likely | plausible | probable | convincing | accurate | precise
      | complete
      | exact | fitting | suitable | appropriate | apt | faithful | comprehensive | correct
      | credible
      | compelling | persuasive | satisfactory | specific | to the point)
    | (comes | gets | lies | goes) (much | far | even | a bit | still)?\\s?(closer | nearer
      | further | deeper)
    | (fully | entirely | wholly | completely | altogether | perfectly | totally
      | really) (right | correct
      | true | accurate | fits | matches)
    | (fits | matches | works | holds | applies | is (true | right
      | correct)) [^.,;:]{0,12}(throughout
      | all the way | in full | completely | entirely | in every (respect | way) | everywhere
      | the whole | all of it)
    | (has | captures | covers | explains | accounts for) (all | more | both | everything
      | the whole | most)\\b(?! (or | a))
    | (gets | has | tells | says | gives)( it)? (all | everything | both)( of it | parts)?( right)?
    | hits (it | the mark | the nail) | (fits | matches | describes it | works | suits it) better
    | (almost | nearly | virtually | practically) certain | (even )?more so
"""
"""After an option: it is above those praised before."""

OUTDONE = """
    (less \\w+ | worse | weaker | poorer)( \\w+){0,2} than
    | (not | \\w+n't)( \\w+)? (as | so) \\w+( \\w+){0,2} as | inferior to
"""
"""Before an option: another is less than it."""

ALLURES = """
    (is | seems | looks | would be | may be | might be | sounds | appears)( to be)?( like)?( the
      | a
      | an)?( most | very)? (obvious | tempting | easy | easiest | natural | intuitive | attractive
      | immediate | seductive | popular | simple | familiar | safe)
    | (is | seems | looks | sounds | appears)[^.,;]{0,12} (at first | on the surface
      | superficially
      | at a glance | on paper | initially) | comes to mind | springs to mind | suggests itself
    | (looks | sounds | seems) right,
"""
ALLURES_BEFORE = """
    (gut | instinct | intuition)( feeling)? (says | tells me( it is)? | is) |
    (obvious | tempting | easy | natural | intuitive | instinctive | immediate | apparent
      | superficial
      | seductive | simple | lazy | reflex | knee-jerk)( \\w+)? (is | was | would be | might be
      | seems to be
      | may be | :)
    | (on the surface | superficially | at a glance | on paper)[^.;:]{0,24}(is | be | :)
    | (jump | rush | leap)( \\w+)? to( the conclusion that it is)?
"""
SEEMS = """
    (is | seems | looks | would be | may be | might be | sounds | appears)( to be)?( quite
      | very | rather
      | highly | the)? (likely | plausible | probable | possible | right | correct | good | fine
      | promising
      | reasonable | convincing | candidate)
"""
SEEMS_BEFORE = """
    (answer | choice | option | it | this | that) (seems | appears | looks)( to be| like)?
    | (seems | sounds | looks) like
"""
"""Before or after an option: it comes to mind, or seems right, which a contrast may undo."""

DOUBTS = """
    doubt(s | ful | ed)? | can't be | cannot be | not (convince | persuade | commit | buy
      | believe | right
      | true | hold) | \\w+n't (convince | persuade | commit | buy | believe | hold | add up
      | trust | quite)
    | sceptical | skeptical | suspicious | unconvinced | wrong | mistaken | misleading
      | too (easy | simple)
    | contradict\\w* | fails | refuted | collapses | deceptive
"""
UNCERTAIN = """
    (not | never | cannot | \\w+n't)( be)?( entirely | completely | absolutely | quite | fully
      | totally
      | very | 100 ?%
      )? (sure | certain | confident | positive) | hard to (say | tell) | take it with
    | could be wrong | may be wrong | might be wrong | correct me
"""

DRAFT = """
    draft | drafted | preliminary | provisional | tentative | rough | scratch | interim
    | hypothesis | hypothesi[sz]e | conjecture | attempt | trial | brainstorm(ing)?
    | (v | version | ver\\.)\\s?\\d | (first | 1st | initial | early | earlier | quick | rough)
      (pass | attempt | try | draft | round | hearing | listening | take | version | run | idea)
"""
DRAFT_NOUNS = """
    answer | guess | choice | work | version | notes? | judg\\w+ | idea | thought | pick
      | verdict | conclusion
    | answer before listening | guess before listening | option | reading
"""
"""Before an option: a version of the answer that gives way to a later one."""

# --- Talk about options -------------------------------------------------------------------------

CONSIDERS = """
    consider(ing | ed)? | look(ing)? at
    | let's (see | check | examine | look at | test | try | take)
    | let me (see | check | examine | test | try | consider | start with) | check(ing)?
    | examin(e | ing) | compar(e | ing | ed) | as for | regarding | about | turning to | test(ing)?
    | take | starting with | start with | evaluat(e | ing) | analy[sz](e | ing) | what about
    | how about | such as | next | has | contains? | combines | built (on | from) | consists of
    | stacks | e\\.g\\.? | for example | for instance | includ(e | es | ing)
    | options? (are | include)s? | either | between | example( answer)? | sample | format
    | template | form | reply with | respond with | write | output
"""
"""Before an option: it is looked at, no more."""

TEMPLATE = """
    example | sample | format | template | (in | of) the( following)? form | placeholder
    | e\\.g\\.? | for instance | such as
    | instruct\\w* | asked to | reply with | respond with | respond only | must be one of | one of
    | output only
"""
"""Before a declaration: it only shows what one looks like."""

RANKED = """
    top (two | three | \\d) | shortlist | rank\\w* | order\\w*( of | by)? | most to least
    | likel\\w+ | from best
"""
"""Before options in a row: the first of them ranks highest."""

SUMS_UP = """
    so(?! (far | that | much | many | long | is | are | does | do | would | did | was))
      | therefore | thus | hence | consequently
    | accordingly | in conclusion | in summary
    | to sum up | overall | all in all | that is why | this means | which means
    | (i'd | i would) (describe | call | label | classify)
    | these are (all )?(the )?hallmarks of | points? to
"""
"""In a sentence: it sums up, and the one option that it names is what it comes to."""

ALSO = "also | too | as well | equally | likewise | similarly | both"
"""Beside a second declaration: it stands beside the first and replaces nothing."""

SURE = "sure | certain | confident | chance | probability | likely"
"""After a percentage: how sure."""

EMPTY = """
    a | an | the | of | in | on | and | or | with | to | is | are | it | its | this | that | there
    | for | by | from | as | at | be | was | i | s | my | answer | music | piece | song | recording
    | audio | clip | sound | sounds | like | hear | very
"""
"""Words that do not tell one option from another."""
