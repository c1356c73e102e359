"""Words around a capital that make it a note, a chord, a section or a thing, and no option.

`notation` says how a list is written. Chinese words stand in lists of their own.
"""

AFTER_NOTE = """
    flat | sharp | natural | major | minor | maj | min | dim | diminished | aug | augmented | sus
    | dominant | dorian | phrygian | lydian | mixolydian | aeolian | locrian | ionian | pentatonic
    | harmonic | melodic | blues | chords? | triads? | notes? | strings? | scale | mode | tuning
    | section | theme | octave | seventh | root | clef | pedal | half-diminished | power chord
    | cappella | capella | tempo | part | drone
"""
"""Straight after: "A minor", "B section"."""

AFTER_NOTE_ZH = """
    大调 | 小调 | 和弦 | 调 | 弦 | 音 | 段 | 大三 | 小三 | 大七 | 小七 | 属七 | 减[三七]
    | 增[三四五] | [宫商角徵羽]调?
"""

OF_NOTE = """
    root | tonic | bass | key | third | fifth | seventh | note | dominant | subdominant | leading
    | lowest | highest | final note | first note | fundamental | chord | pedal | mediant | home
"""
"""After "is the": "C is the root"."""

OF_NOTE_ZH = """
    主音 | 根音 | 属音 | 低音 | 三音 | 五音 | 七音 | 调 | 最低音 | 最高音 | 起音 | 结束音
"""

THINGS = """
    plan | figure | point | step | type | grade | vitamin | hepatitis | group | class | side
    | appendix | section | part | track | clip | excerpt | theme | string | chord | note | table
    | example | movement | strain | variation
"""
"""Straight before: "figure A"."""

BEFORE_NOTE = """
    root | tonic | bass | key | notes? | tones? | pitch(es)? | chords? | strings? | sections?
    | themes? | form | phrase | verse | scale | mode | octave | tuning | dominant | subdominant
    | mediant | third | fifth | seventh | cadence | arpeggio | drone | pedal | clef | melody | bar
    | measure | inversion | accidental | triad | harmony | tuned | fundamental | finalis
    | final note | lowest | highest
"""
"""Before, with "is" between them or not: "the root is C", "tuned to A"."""

NOTE_PARTS = "note | tone | name | center | centre | signature | root | here | there"

JOINED_TO_NOTE = """
    is | are | was | : | = | of | on | in | to | , | goes to | moves to | being | would be
    | must be | here is | : ?it('s | is) | remains | becomes | sounds like
"""

BEFORE_NOTE_ZH = """
    转到 | 转入 | 主题 | 乐段 | 终止于 | 结束在 | 停在 | 落在 | 回到 | 始于
"""

AFTER_LETTER = """
    because | since | as | for | due | which | based | given | from | and | or | but | so | here
    | is | isn | was | in | with | fits? | match(es)? | best | rather | over | not | if | when
    | where | considering | according | this | the | it | there | explanation | reason | reasoning
    | i | we | that | while | although | though | by | on | would | has | have | instead | final
    | answer | seems? | looks? | sounds? | appears? | describes? | makes? | does | doesn | can
    | cannot | must | should | could | might | may | will | to | than | lacks? | refers? | says?
    | are | were | too | also | correctly | incorrectly | obviously | clearly | definitely | wins?
    | gets? | remains? | stays? | all | only | contradicts? | ignores? | mentions? | suggests?
    | states? | claims? | wrongly | rightly | at | then | yes | no | nor | comes? | belongs?
    | confuses? | names? | gives? | contains? | requires? | implies? | a | an | works? | goes
    | (?!blues | strings | drums | series | vocals | keys | always | perhaps | less)[a-z]+[^siu\\W]s
"""
"""After a capital A that is an option; before any other word it is the article."""

LEANING = """
    (money | lean\\w* | settle\\w* | decid\\w* | land\\w* | bet\\w* | focus\\w* | vot\\w* | opt\\w*
      | insist\\w* | confiden\\w+ | sure | certain | trust | faith | going | go)
      (on | in | for | with)\\s$
    | \\d+\\s?%\\s(on | for)\\s$
    | (choice | any | none | one | either | neither | both | all | each | some | out
      | favou?r) of\\s$
"""
"""Before an option in spite of its preposition: "settle on C", "in favour of C"."""
