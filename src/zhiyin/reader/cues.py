"""The words by which a clause declares, rejects, hedges, supposes or reports: the lexicon.

Everything here is matched against short stretches of lower-case text on either side of a named
option: patterns that end with ``$`` against what stands before it, the others against what
follows. Chinese punctuation has its ASCII form by then.
"""

from __future__ import annotations

import re

_ADVERB = (
    r"(?:therefore|thus|then|so|clearly|most|likely|probably|definitely|indeed|actually|also|still"
    r"|simply|now|hence|here|again|obviously|certainly|surely|undoubtedly|without doubt|very|quite"
    r"|perhaps|possibly|really|just|of course|in fact|in my opinion|i think|i believe|i guess)"
)
_BE = (
    r"(?:is|are|was|would be|would have to be|should be|must be|will be|has to be|appears to be"
    r"|seems to be|is likely to be|might be|may be|could be|can only be|remains|is given as"
    r"|comes out as|turns out to be|ought to be)"
)
FILL = (
    r"(?:[\s\"'(\[\]{<$:=|>#*_-]|(?<![a-z])(?:option|choice|letter|number|the|answer|both|either|clearly|most"
    r"|likely|probably|definitely|certainly|indeed|actually|simply|obviously|surely|perhaps|also"
    r"|possibly|still|now|as follows|therefore|thus|again|be|as|that|it is|it's|with|for|a|an"
    r"|correct|between|boxed|none other than|in fact|only|undoubtedly|in|from|by|la|el|le|letra|lettre|die|der|das"
    r"|buchstabe|lettera|option)(?![a-z])"
    r"|[选项择应该当是为就可能最了的即显然只有必须肯定一])*"
)
"""What may stand between a declaring phrase and the option that it declares."""

_RIGHT = (
    r"(?:correct|right|best|best[- ]fitting|final|my|your|our|likely|likeliest|suitable"
    r"|appropriate|accurate|chosen|selected|closest|plausible|logical|probable|fitting|true"
    r"|proper|remaining|only|preferred|intended|matching|desired|expected|strongest|ideal"
    r"|reasonable|convincing|valid|safest|better|predicted|top)"
)
_NOUN = (
    r"(?:answer|winner|choice|option|selection|pick|guess|bet|response|conclusion|solution|prediction"
    r"|match|fit|one|letter|decision|vote|candidate|preference|verdict|call)"
)
_SAYING = r"(?:statement|description|interpretation|claim|caption)"

_ANSWER = (
    r"answers?(?<![a-z]answer)(?<![a-z]answers)(?:_?(?:letter|option|choice))?"
    r"(?:\s(?:to|for|among|from|of|given|based on|here|in|that i|i would|i'd|i)\b"
    r"[^!?\n;]{0,80}?)??(?:\s?\((?:letter|option|choice)\))?[\"'\]_)]*"
    rf"(?:,?\s*{_ADVERB}(?![a-z]))*,?\s*(?:(?:'s|(?<![a-z]){_BE})(?![a-z])|[:=]|->|=>|→|-(?=\s?[\"'(\[]?$|\s)"
    r"|\s?(?=[(\[\"]+$)|\s?\n\s?|(?<=answer)\s)"
)
_NAMED = (
    rf"(?<![a-z]){_RIGHT}\s(?:\w+\s)?(?:{_NOUN}|{_SAYING})\s?(?:here|among \w+(?: \w+)?"
    rf"|from the list|of the (?:four|three|five|options)[^,.]{{0,20}}|is that)?[\"'\])]*"
    rf"(?:,?\s*{_ADVERB}(?![a-z]))*,?\s*(?:(?<![a-z]){_BE}(?![a-z])|[:=]|->|→|-\s)"
    rf"|(?<![a-z])(?:option|choice|answer|one|instrument|description|statement)\s(?:that|which)"
    rf"\s[^.!?\n;:,]{{2,60}}\s?(?:\bis\b|would be|must be|:)"
    r"|\bwinner(?: is|:)|\b(?:1st|first|top) (?:choice|pick|place|preference)(?: is|:| -)"
    r"|what (?:fits|matches)(?: best)?[^.,]{0,20} is"
    r"|(?:^|[\n{,\"'<>|.!]|json)\s?(?:my |final |the |selected_|final_|correct_|predicted_)?"
    r"(?:option|choice|selection|response|conclusion|solution|prediction|output|letter|label"
    r"|result|selected|chosen|correct|decision|verdict|ans|vote|final|guess|pick|best guess"
    r"|best|option chosen|choice made|选项|选择|summary|final choice|key)(?:_?(?:letter|option))?[\"']*\s?"
    r"(?:[:=]|->|→|-\s)"
)
_TAG = (
    r"<(?:最终)?(?:答案|选项)>|<(?:final_?|correct_?)?(?:answer|choice|option|ans|final)>|boxed\s?\{?|\[\[|\[answer\]"
    r"|\[答案\]|\[final answer\]"
)
_VERB = (
    r"\b(?:i|we)(?:'d|'ll|'m|'ve| would| will| am| have| must| shall| should| do| can only)?"
    r"(?:,? (?:\w+ly|therefore|thus|then|still|also|rather|have to|want to|think i'd|go ahead and"
    r"|finally|hereby))*,? "
    r"(?:choose|chose|chosen|pick|picked|select|selected|go with|going with|go for|opt for"
    r"|settle on|settle for|settled on|say|said|answer|guess|vote for|lean towards?|lean to"
    r"|leaning towards?|leaning to|went with|choosing|picking|selecting|stick with|sticking with"
    r"|stay with|bet on|put my money on|favou?r|prefer|conclude|recommend|submit|take|took|went back to|go back to|return(?:ed)? to|come down on(?: the side of)?"
    r"|came down on(?: the side of)?|change (?:it|my"
    r" answer) to|switch to|revise (?:it|my answer) to|incline to|mark|tick|commit to|end up with)"
    r"(?: that)?(?: it's| it is| it must be| the answer is)?"
    r"|\b(?:let's|let me|let us) (?:go with|say|choose|pick|settle on|settle for)"
    r"|\b(?:inclined|tempted) (?:to (?:choose|pick|say|go with)|towards?)"
    r"|\bleaning (?:towards?|to)|\b(?:point(?:s|ing)?|lead(?:s|ing)?|narrow(?:s|ed)? (?:it )?down)"
    r" (?:clearly |strongly |me |us |directly )*to(?:wards?)?|\bleav(?:es|ing)(?: us| me)?(?: only"
    r"| with(?: only)?)?|\bonly .{1,20}(?:left|remaining) is|\bmy (?:money|vote) (?:is on|goes to)"
    r"|\b(?:best|better) (?:captured|described|matched|represented) by"
    r"|\bmakes? it|\b(?:record|recording|evidence|score|music|audio|data|sound|text|ear|count|recount)s?"
    r" (?:clearly )?(?:shows?|says|indicates|suggests|confirms|gives|gave|favou?rs)|\bi get|\bwe get"
    r"|\bcorrespond(?:s|ing)? to (?=.*option|[\"'(\[]*$)|\bmatch(?:es|ing)? (?=.*option"
    r"|[\"'(\[]+$)|\bwhich is(?= option)|\bresponse is|\bin favou?r of|\bi'd put"
)
_IMPERATIVE = r"(?:^|[\n.!?,;:] ?)(?:choose|select|pick|going with|go with|selecting|choosing)"
_ZH_ANSWER = (
    r"(?:答案|回答|正解|答)\s?-+\s?|(?:答案|回答|正解|答)(?:还?(?:应该|应当|应|就|可能|最有可能|最可能|显然|确实|也|一定|肯定"
    r"|只能|必然|还是|依然|仍然|仍|便)?)*(?:[是为选:=\]]|[\"']?\s?[:=]|\s|\n|(?=[(\[\"]*$))"
    r"|(?:正确|最合适|最恰当|最准确|最接近|最可能|最有可能|最终|最符合|符合|恰当|准确|合适|对|最佳"
    r"|我的|成立|最贴切|剩下|唯一(?:正确|符合)?|首选|合理|最合理|可能性最大|最吻合|吻合)"
    r"(?:题意|要求|题目要求|条件|描述)?的?"
    r"(?:选项|答案|一项|选择|判断|说法|描述|结论|结果|表述)?(?:应该|应当|应|就|只有|显然|无疑|只能)?"
    r"[是为:选]"
    r"|(?:不正确|错误|不符合|不符|有误|不对|不属于|不恰当|不准确|不是)(?:题意|要求|题目要求)?的"
    r"(?:选项|答案|一项|说法|描述|表述)?(?:应该|应当|应|就)?[是为:选]"
    r"|(?:只有|唯有|唯独|仅)"
    r"|结论[是为:]+|(?:结果|判断)(?:应该)?[是为:]|(?:第一名|首位|排名第一|名列第一)(?:是|为|:)|维持(?:原来的?|原)?(?:判断|答案|选择)?"
    r"|(?:right|correct) (?:value|figure|number|name|tempo|key),?\s|(?:确定|认定|断定|判定|选定|敲定)(?:是|为|选)?"
    r"|(?:更|最)有?可能的?(?:是)?|更像(?:是)?|(?:最后|最终)(?:是|定为)"
    r"|\bfinal(?:ly)?:|\bif (?:forced|pressed|pushed|i (?:must|had to \w+|have to \w+))(?: to \w+)?[,:]"
    r"|(?:非要|必须|一定要|硬要)选(?:一个)?(?:的话)?,?(?:那?就|我会?)?(?:选|是)?"
    r"|(?<![a-z])(?:it|this|that) (?:has to|must|can only) be(?![a-z])|(?<![a-z])more likely"
)
_ZH_CHOOSE = (
    r"(?<!误)(?<!错)(?<!不)(?<!勿)(?<!别)(?<!可)(?<!备)(?<!干扰)(?:故|因此|所以|应该|应当|应|本题"
    r"|此题|这题|这道题|我|我会|我就|则|于是|最后|最终|综上|综上所述|可以|还是|建议|倾向于|倾向|更倾向于"
    r"|更倾向|因而|那么|就|只能|必须|要|决定|改|更正为|最好|果断|直接|该|来|请|优先|\s|^|[,.;:!\n]"
    r"|而|并)(?:我|本题|应该|应当|应|就|会|可以)?[选填](?:择|项|定|取)?(?:的?(?:答案|选项)?是|了|为"
    r"|中)?(?:答案)?:?"
    r"|(?:最后|最终|决定|[,.;]\s?|那就)还是(?:选)?|(?<!不)(?:更?倾向于?|更偏向于?|偏向于?)(?:认为)?(?:答案)?(?:是|选)?"
    r"|[^不误错勿别]选(?=[\"'(\[]*$)"
)
_OTHER = (
    r"\b(?:la )?respuesta(?: correcta| final)?(?: es| ser[ií]a| correcta es)?\s?:?"
    r"|\b(?:la )?(?:bonne )?r[ée]ponse(?: correcte| exacte| finale)?(?: est| serait)?\s?:?"
    r"|\b(?:die )?(?:richtige |korrekte |endg[üu]ltige )?(?:antwort|l[öo]sung)(?: ist| lautet"
    r"| w[äa]re)?\s?:?"
    r"|\b(?:a )?(?:resposta|alternativa|op[çc][ãa]o)(?: correta| certa| final)?(?: [ée]| seria)?\s?:?"
    r"|\b(?:la )?risposta(?: corretta| giusta| esatta)?(?: [èe]| sarebbe)?\s?:?"
    r"|(?:правильный |верный |мой |окончательный )?(?:ответ|вариант)(?: -|:| это| —| будет)?\s?:?"
    r"|(?:答え|正解|回答|解答|正しい(?:答え|選択肢|もの)|最も適切な(?:もの|選択肢))(?:は|:)\s?:?"
    r"|(?:정답|답|답변|올바른 답|정답은)(?:은|는|:)?\s?:?"
    r"|\b(?:richtig|korrekt|correcto|correcta|juste|exact|certo|certa|esatta|giusta) (?:ist|es|est|é|è)"
    r"|\bich entscheide mich f[üu]r|\bme quedo con|\bje choisirais|\bj'opte pour|\bmi (?:elecci[óo]n|voto) es"
    r"|\b(?:elijo|escojo|elegir[ií]a|selecciono|je choisis|je dirais|ich w[äa]hle|ich w[üu]rde"
    r"|escolho|eu escolheria|scelgo|выбираю|я выбираю)(?: sagen| la| el| le| a| o)?"
    r"|\b(?:opci[óo]n|opzione|alternativa) correcta(?: es)?:?"
)
DECLARES = re.compile(
    rf"(?:{_ANSWER}|{_NAMED}|{_TAG}|(?:{_VERB}|{_IMPERATIVE})(?![a-z])|{_ZH_ANSWER}|{_ZH_CHOOSE}|{_OTHER})"
    rf"{FILL}$"
)
"""Before an option: this is the answer."""

DUE = re.compile(
    rf"(?:{_ANSWER}|{_NAMED}|{_TAG}|{_ZH_ANSWER}|{_OTHER}|\b(?:therefore|so|thus|hence),? (?:it is|it's"
    r"|there (?:is|are))(?= )|=>)\s?"
)
"""Where an answer of whatever form is due: what follows is the answer."""

FINAL = re.compile(
    r"final[ _]?(?:answer|choice|decision|verdict)?[^a-z\n]*(?:is\b|:)|boxed|<|\[\[|最终|故选|综上|故答案"
    r"|in conclusion|to conclude"
)
"""In a declaration: nothing comes after it but corrections."""

CONCLUDES = re.compile(
    rf"(?:\b(?:by (?:process of )?(?:elimination|exclusion)|therefore|thus|hence|in conclusion|in summary|so|consequently|accordingly|overall"
    rf"|that makes (?:it)?|this makes (?:it)?|making it|which makes it|meaning|confirming"
    rf"|which (?:gives|means)(?: us)?|giving(?: us)?)\b|=>|⇒|→|∴|->|所以|因此|综上所述|综上"
    rf"|由此可知|可见|因而|由此|可知|故|于是|从而)"
    rf"[\s,:]*(?:(?:it|this|that|the \w+(?: \w+)?|这|该\w{{0,4}}|此\w{{0,4}}|它)\s?(?:{_BE}|是|为|属于)?"
    rf"|应该?是|就是|是|为|应为)?{FILL}$"
)
"""Before an option: so it is this one."""

CORRECTS = re.compile(
    r"(?:\bor (?:rather|better)\b|\boh\b(?=,)|\b(?:wait|actually|sorry|correction|oops|scratch that|i mean|i meant|on second thoughts?"
    r"|hold on|rather|no|on closer (?:inspection|listening|look)|on reflection|looking again"
    r"|listening again|reconsidering|apologies|my mistake|let me correct (?:that|myself)"
    r"|upon (?:reflection|review|closer (?:inspection|listening))|after (?:reconsidering|checking"
    r"|double-checking)|edit|update|revised|strike that|hmm)\b(?=\s?[,.!:;…-]|\s?$|\s(?:i|it|the|that"
    r"|this|is)\b)|\bmake that|\bchange (?:my answer |it )?to|\bchang(?:ed|ing) (?:my answer |it )?"
    r"to|\brevis(?:e|ed|ing) (?:my answer |it )?to|\bi meant?\b|\bit(?:'s| is) (?:actually|really)"
    r"|\bbut (?:rather|instead)|\binstead,|\bnow i(?: think| believe|'d say)"
    r"|不对|等等|更正|纠正|抱歉|改为|改选|改成|修正|应改为|应该是|而是|而应该?[是选为]?|应为|应是|说错了|写错了"
    r"|重新(?:考虑|分析|审题|检查|思考)|仔细(?:看|想|分析|一想|再看|考虑)|再想想|不过(?:再|仔细)|实际上|其实)"
)
"""Somewhere before an option, in its sentence or the one before: what was said is corrected."""

WITHDRAWS = re.compile(
    r"\b(?:wait|hold on|hmm|actually|no(?=[,.! ]+(?:that|it|this|i))|oops|sorry|hang on|scratch)\b"
    r"[^\n?;:]{0,40}?\b(?:wrong"
    r"|not right|not correct|incorrect|mistaken|a mistake|doesn't (?:fit|work|make sense)|isn't right"
    r"|can't be(?: right)?|not it|scratch that|not sure (?:any ?more|about that)|take (?:it|that) back"
    r"|disregard|contradicts)\b|\bscratch that\b|\bi take (?:it|that) back\b|\bdisregard (?:that|my)"
    r"|\bstrike that\b|\bi (?:withdraw|retract)\b|\bplease ignore (?:that|my|the)"
    r"|(?:^|[.!?\n]\s?)(?:等等|不对|等一下|抱歉|哦)[^\n;]{0,14}(?:错了|不对|有误|不正确|有问题|搞错|弄错|收回)"
    r"|\b(?:can't|cannot|can not) decide\b|\bundecided\b|(?:无法|不能|难以)(?:决定|抉择|取舍)"
    r"|算了|我?(?:需要|得|要)重新(?:听|看|分析|考虑|来)|\bforget (?:that|it)\b|\bnever ?mind\b"
    r"|\bstart over\b|\b(?:won't|will not|refuse to) answer\b|\bmisheard\b|\bmaybe not\b"
    r"|(?:还是)?不选了|还是算了|不答了|我?放弃(?:作答|回答)?"
    r"|我收回|(?:前面|刚才|上面)的?(?:答案|说法|判断)?(?:是)?(?:错|有误|不对|作废)"
    r"|(?:^|[.!\n])\s?(?:不对|错了|不,不对)\s?[.!,…]*\s*$"
)
"""After an answer: it is taken back."""

WEAK = re.compile(
    r"(?:\b(?:it's|it is|it must be|it should be|it would be|it has to be|it could be|it might be"
    r"|it may be|that's|that is|that would be|must be|has to be|probably|most likely|likely|likeliest"
    r"|i think|i believe|i guess|i'd say|i suspect|i feel|i reckon|my guess|definitely|clearly"
    r"|perhaps|maybe|possibly|sometimes|just|this is|this would be|this must be|this should be|sounds like|sounds"
    r" more like|seems like|looks like|is|are|was|were|appears to be|seems to be|sounds|yes|sure|obviously"
    r"|certainly|surely|undoubtedly|hmm|well|ok|okay|matches|match|fits|might be|could be|may be"
    r"|would be|hears?|is called|known as|be|says|as)\b,?|:"
    r"|(?:说法|描述|表述|命题|判断|观点)是?|statement is|应该是|应该|我认为是|我认为|我觉得是|我觉得|可能是|大概是|也许是|或许是|大概率是|八成是|多半是|是|就是|为|属于"
    r"|显然|即|可能|也许|想必|估计是|估计|感觉是|感觉|猜测是|猜测|猜|好像是|似乎是|对应)"
    rf"\s?{FILL}$"
)
"""Before an option: a plain "it is", sure or unsure."""

UNSURE = re.compile(
    r"有时|\b(?:sometimes|maybe|perhaps|possibly|could be|might be|may be|could also be|might also be)\b"
    r"|也许|或许|可能|说不定"
)

DENIES = re.compile(
    r"(?:(?:\bnone of\b|\bnot\b(?! only| just| sure)|n't\b|\bnever\b|\bcannot\b|\bno longer\b|\bnor\b|\bneither\b"
    r"|\bwithout\b|\bunlike\b|\bexclud(?:e|es|ed|ing)\b|\beliminat(?:e|es|ed|ing)\b|\bdiscard(?:ed|ing)?\b"
    r"|\brul(?:e|es|ed|ing) out\b|\brul(?:e|es|ed|ing)\b|\breject(?:s|ed|ing)?\b|\bdismiss(?:ed|ing)?\b"
    r"|\brather than\b|\binstead of\b|\bas opposed to\b|\bthan\b|\bover\b|\bother than\b|\bexcept(?: for)?\b"
    r"|\bapart from\b|\bwrong\b|\bincorrect\b|\blacks?\b|\bno reason (?:to|for)\b|\bcross(?:ed|ing)? out\b"
    r"|\bcontrast(?:ed|ing)? (?:to|with)\b|\bdistinguish\w* (?:it )?from\b|\bagainst\b|\bversus\b|\bvs\.?"
    r"|\bdiffer(?:s|ent)? from\b|\babsen(?:t|ce)(?: of)?\b|\bunlikely\b|\bno(?=\s)|\bmistak\w+ for\b"
    r"|\bconfus\w+ (?:it )?with\b|\bfar from\b|\bhardly\b|\bbeats\b|\boutranks\b|\bedges out\b|\bfalse\b|\bfails?:?)"
    r"(?:\s(?!but\b|and\b|so\b|because\b|since\b|is\b|it's\b)[a-z']+){0,3}\s?"
    r"|不是|不(?:太|完全|怎么|很)?(?=\s?$)|并非|而非|不选|不会选|不应选|不应该选|不能选|排除掉?了?|排除|不属于|不像|不包括|没有|非(?!常)|而不是|而不选|剔除|去掉"
    r"|不可能是|不会是|不应该是|不应是|不能是|不同于|区别于|有别于|相比于?|比起|相较于?|较之|优于|胜过|比(?!较)|除了|除去|勿选|别选|不要选|与其(?:说是)?|否定了?|划掉|否决"
    rf"|❌|✗|✘|✖|×)\s?{FILL}$"
)
"""Before an option: this is not the answer."""

SECOND = re.compile(
    r"\b(?:runner[- ]?up|second[- ](?:best|choice|guess|option|place|pick|most likely)|next[- ]best"
    r"|2nd (?:choice|best)|alternative(?:ly)?(?: answer| choice| option)?|alternate(?: answer)?|backup"
    r"|fallback|failing that|otherwise|least \w+|worst|wrong|incorrect|false|other|another|opposite"
    r"|tempting|distractors?|trap|common (?:mistakes?|errors?)|close(?: second)?|plan b|unlikely"
    r"|unlikeliest|if not|decoys?|previous|original|first(?= (?:thought|impression|instinct|idea|guess))"
    r"|initial|earlier|former|weakest|rejected"
    r"|(?:2nd|3rd|third|second)(?= (?:choice|best|place|guess|pick|most))|eliminated|excluded|possible alternative|also considered|a distant second|user's"
    r"|student's|your)"
    r"(?:\s(?:answer|choice|option|guess|one|likely|possibility|candidate|pick|thought|impression"
    r"|instinct|idea|statement|description|selection|plausible|probable|suitable|fitting|answers"
    r"|options|choices|candidates|suggestion))*\"?(?:\s?\(?s?\)?)?\s?"
    r"(?:would (?:be|have been)|is|was|are|were|might be|could be|:|=|being|->|-)+"
    rf"{FILL}$"
    r"|(?:第[二三四五]名|其次|备选|次选|第二选择|次优|干扰项|最不可能|最不符合|最不合适|最差|退而求其次|另一个可能|迷惑项"
    r"|错误答案|易错项|原答案|最初的?(?:答案|判断|想法)?|第二可能|次要选择|候补|替补|陷阱)"
    rf"(?:的?(?:答案|选项|选择))?(?:应该|则|才)?(?:是|为|:|选)*{FILL}$"
)
"""Before an option: a second choice, or a wrong one, is named beside the answer."""

REPORTS = re.compile(
    r"\b(?:some|others|many|most (?:people|listeners|students|models|would)|people|someone|students?"
    r"|one|another|listeners?|beginners?|you (?:might|may|could|would|said|say|think|chose|suggest\w*)"
    r"|they|he|she|the user|models?|novices?|candidates|examinees|an? \w+ (?:listener|reader|ear)"
    r"|anyone|everybody|critics|my (?:friend|colleague|teacher)|the (?:previous|other) \w+)\b"
    r"[^.;!?\n]{0,40}\b(?:say|says|said|claim|claims|argue|argued|think|thinks|thought|believe"
    r"|believes|choose|chose|pick|picks|picked|answer|answered|guess|guessed|be tempted|is tempted"
    r"|expect|assume|assumed|suggest|suggested|mistake|confuse|go for|go with|opt for|select|selected"
    r"|suspect|vote|prefer|call|fall for|hear|consider|mislead|misled)\b"
    r"|\b(?:might|may|could|easily|often|commonly|frequently|usually|sometimes|wrongly|mistakenly)"
    r" (?:be )?(?:tempted|tempting|misled|mistaken|confused|chosen|picked|choose|pick|think|say"
    r"|seem|look|assume)\b|\b(?:tempting|easy) to\b|\bit would be (?:a mistake|wrong|easy|tempting)"
    r"|\bthe (?:booklet|textbook|book|key|teacher|author|caption|label|title|website|text|hint|description"
    r"|user|prompt|notes|legend|liner notes|program\w*)\b[^.;]{0,20}\b(?:claims?|says?|states?|suggests?|has it)\b"
    r"|\bi(?:'ve| have)? (?:read|heard|been told|seen)\b|听说|据说|书上说|网上说"
    r"|\b(?:according to|the key says|popular|common) (?:the |some |many )?\w*\s?(?:answer|choice|belief"
    r"|opinion|misconception)|\bcommon misconception|\bas you (?:said|suggested|wrote)"
    r"|容易(?:被)?(?:误|错|选|混淆|认为|当成|迷惑)|误选|误以为|误认为|错选|有人|有的(?:人|同学|学生|听众)|有些(?:人|同学|学生|听众)"
    r"|很多人|许多人|不少(?:人|同学|考生|听众)|大家|常有人|常被|同学们?(?:可能|会|常|往往)"
    r"|(?:多数|部分|一些|大部分|一般)(?:人|同学|考生|学生|听众)|你(?:可能|也许|说|认为|选)|考生|可能会(?:有人|认为|选|误)|初学者|用户|人们|他(?:说|认为)"
)
"""Somewhere before an option, in its clause: somebody else's opinion."""

ONCE = re.compile(
    r"\b(?:at first(?: glance| sight| hearing)?|initially|originally|first i|i first|i (?:initially"
    r"|originally|almost|nearly|had (?:thought|said|picked|chosen|settled)|wanted? to (?:say|choose|pick)|was going to|was about to|was tempted|would have|might have"
    r"|could have|used to)|my (?:first|initial|original) (?:thought|instinct|guess|impression|answer"
    r"|reaction|choice|idea)|earlier i|i said|previously|i thought|i considered|i wanted to"
    r"|i started with|from memory)\b"
    r"|起初|一开始|最初|原(?:以为|本|先)|原来(?:以为|觉得|想)|本来|乍(?:看|一看|听|一听)|刚开始|先前|开始时|差点|第一反应|第一印象|第一直觉|初看|初听|曾(?:经)?(?:以为|考虑|想)|之前"
)
"""Before an option, in its clause: what was thought once."""

SUPPOSES = re.compile(
    r"\b(?:suppose|supposing|assuming|imagine|imagining|say it (?:is|were))\b"
    r"|\b(?:if|whether|unless|had (?:it|the|there|this)|were (?:it|the|there"
    r"|this)|in case|provided|should (?:it|the|there)|when asked|even if|even though"
    r"|for|to be)\b(?!\s(?:i|we|one|you (?:must|force|insist|ask me|want (?:a|an|my)|press|need)|forced|pressed|required|that reason|this reason|these reasons"
    r"|my answer|the answer|a final|me)\b)"
    r"|(?:如果|假如|若是?|假设|是否|倘若|要是|除非|即使|假使|倘|万一|换成|换作|设想)(?!必须|要|一定|让我|我|非|只能|硬)"
)
"""Somewhere before an option, in its sentence: a condition. ``for`` and ``to be`` ask for more."""

FREES = re.compile(
    r"\b(?:but|however|since|because|so|therefore|thus|hence|yet|still|here|instead|in this case"
    r"|nevertheless)\b|\bnow\b|\bfinally\b|\bin the end\b|\beventually\b|\bultimately\b"
    r"|但是|但|不过|然而|所以|因此|故|可是|这里|本题|此处|实际|而本|而此|事实上|后来|最后|最终|现在|否则|这次|再听|再看|细听|仔细|分明"
)
"""After a condition: what follows no longer hangs on it."""

CONSIDERS = re.compile(
    r"\b(?:consider(?:ing|ed)?|look(?:ing)? at|let's (?:see|check|examine|look at|test|try|take)"
    r"|let me (?:see|check|examine|test|try|consider|start with)|check(?:ing)?|examin(?:e|ing)"
    r"|compar(?:e|ing|ed)|as for|regarding|about|turning to|test(?:ing)?|take|starting with|start"
    r" with|evaluat(?:e|ing)|analy[sz](?:e|ing)|what about|how about|such as|next|(?:has|contains?|combines|built (?:on|from)|consists of|stacks)"
    r"|e\.g\.|for example|for instance|includ(?:e|es|ing)|options? (?:are|include)s?|either|between"
    r"|example(?: answer)?|sample|format|template|form|e\.g|reply with|respond with|write|output)"
    r"[\s:,'\"(\[]*(?:the |option |choice |answer:? ?)*$"
    r"|(?:看|分析|考虑|关于|对于|至于|来看|首先|其次|再看|先看|接着|然后|最后看|例如|比如|如|在|从|比方说|诸如|包括)"
    r"(?:一下)?:?\s?(?:选项|答案)?[\"'(\[]*$"
)
"""Before an option: it is looked at, no more."""

TEMPLATE = re.compile(
    r"\b(?:example|sample|format|template|form|placeholder|e\.g\.?|for instance|such as|instruct\w*"
    r"|asked to|reply with|respond with|respond only|must be one of|one of|output only)\b"
    r"[^\n]{0,40}$|(?:例如|格式|示例|样例|形式|模板|比如)[^\n]{0,16}$"
)
"""Before a declaration: it only shows what one looks like."""

_QUALITY = (
    r"(?:correct|right|best|answer|accurate|appropriate|suitable|fitting|plausible|likely|true"
    r"|better|closest|winner|choice|pick|guess|match|fit|one|consistent|convincing|proper|valid"
    r"|strongest|clear winner|likeliest|ideal|best-fitting|spot on|nearest|option)"
)
IS_ANSWER = re.compile(
    r"[\s\"')\]}|:,>*-]*(?:option|choice|选项|项)?(?:\s?\([^()\n]{1,60}\))?[\s,:-]*"
    r"(?:(?:,? which )?(?:is|must be|would be|should be|has to be|seems(?: to be)?|remains|appears to be"
    r"|looks like|sounds like|therefore is|will be)\s(?:to be\s)?"
    r"(?:(?:clearly|therefore|thus|likely|most|probably|definitely|indeed|the|my|actually|also"
    r"|still|only|a|final|an|very|single|then|our|in fact|hence|by far|overall|far|much|one|obviously"
    r"|certainly|undoubtedly|surely)\s){0,5}"
    r"(?:(?:correct|right|best|final|most \w+|closest|likeliest|only|better|strongest|suitable|appropriate"
    r"|chosen|remaining|clear)\s)?"
    r"(?:answer|choice|pick|guess|winner|option|one|match|fit|selection|response|bet|solution"
    r"|label|marking|candidate)\b|(?:is )?the (?:better|best|closest) (?:fit|match|choice)\b"
    r"|(?:alone )?(?:makes|make) (?:the most |more |most )?sense|describes [^.,;]{0,30}(?:better|best|accurately)"
    r"|it is(?=\s?[.!,\n])|is it(?=\s?[.!,\n])|comes (?:out )?(?:closest|nearest|first|top)|beats|outranks"
    r"|edges (?:out|it|ahead)|takes it|gets the nod|has the edge|(?:alone )?(?:survives|is left|remains(?=\s?[.,;!]|$)|qualifies)|is what (?:we|i|you)\b"
    r"|莫属|就?是(?:要|该|应)选的|即为所求|是所求|is where (?:i|we) (?:land|end)|prevails|stands out|for me\b|is what i\b|after all\b|gets my vote|is where i\b|wins\b|stands alone"
    r"|(?:clearly |most closely |most accurately |therefore |certainly )?"
    r"(?:best (?:matches|fits|describes|captures|suits|represents|reflects|answers|explains)"
    r"|(?:fits|matches|describes it|works|captures it|suits it) (?:best|better|most closely|the best))"
    r"|を選|を選択|だと思|が正|と思い"
    r"|(?:才|就|应该|应|便|显然|无疑|当然|最终|仍|则|即|只能|必然|肯定)?(?:是|为|最?符合|作为)?(?:本题|此题|这道题|我)?的?"
    r"(?:唯一|最终|最佳|最合适|最恰当|最接近|最可能)?的?(?:正确)?(?:的)?(?:答案|正解|选择(?!题)|首选|应选)(?!吗)"
    r"|(?:是|为)?(?:最|更)(?:合适|恰当|准确|佳|符合|接近|贴切|可能|合理|吻合|贴近|好|相符)"
    r"|当选|胜出|是(?:最)?(?:正确|符合题意|合适)的(?:选项|一项|答案|选择)|(?:です|だ|が正解|が正しい|입니다|이다|이 정답|가 정답)"
    r"|\s?(?:es|est|ist|é|è) (?:la|die|a|das|o|le|el)?\s?(?:respuesta|bonne|r[ée]ponse|richtige|korrekte|resposta|risposta|opci[óo]n))"
)
"""After an option: it is the answer."""

AFFIRMS = re.compile(
    r"(?:\b(?:is|are|was|were|seems?|looks?|sounds?|must be|would be|remains|appears|being|be)?\s?(?:(?:clearly"
    r"|also|the|most|more|very|indeed|therefore|thus|definitely|actually|quite|probably|all|both|highly"
    r"|exactly|precisely|perfectly|a|an|certainly|still|perhaps|only|obviously|fully|entirely)\s)*"
    r"(?:correct|right|true|accurate|plausible|likely|fitting|suitable|appropriate|consistent"
    r"|the one\b|a match|a (?:good|strong|perfect|clear|great) (?:match|fit)|match(?:es|ing)?|fits?"
    r"|closest|best(?! known)|spot on|possible|winner|yes|valid|better(?! known)|agrees|confirmed|chosen"
    r"|(?<!his )(?<!her )(?<!the )(?<!other )(?<!early )(?<!late )works(?=\s(?:best|well|here|perfectly)|[.,;]?$))\b"
    r"|符合(?:题意|要求|条件|题目|描述|录音|事实)?|正确|(?<!不)对(?=[,.;!\n)]|的|$)|成立|吻合|相符|一致|合适|恰当|准确|属实|√|✓|✔|✅|☑|👍|🟢|⭕)"
)
"""After an option, somewhere in what is said of it: good words."""

DISLIKES = re.compile(
    r"(?:\b(?:is|are|was|were|seems?|can|could|would|will|does|do|did|should|must|has|have)?\s?"
    r"(?:(?:clearly|also|definitely|obviously|therefore|both|all|simply|thus|certainly|too|far too"
    r"|completely|entirely|plainly|just|most|very|much|probably|likely|equally|a|the|an|then)\s)*"
    r"(?:not\b(?!\s(?:only|just)\b)|n't\b|isn't|aren't|doesn't|cannot|can't|wouldn't|won't|don't"
    r"|incorrect|wrong|false|out\b|absent|missing|eliminated|excluded|ruled out|unlikely|impossible"
    r"|implausible|inaccurate|irrelevant|unrelated|misleading|mismatch|contradict\w*|lacks?|fails?"
    r"|ignores?|inconsistent|no match|neither|nor|a distractor|distractors?|rejected|never|refuted"
    r"|inappropriate|unsuitable|off\b|worse|weaker|less\b|too (?:fast|slow|high|low|broad|general"
    r"|specific|narrow|bright|dark|vague|early|late)|discarded|dismissed|no\b|untrue|invalid"
    r"|unsupported|ill-fitting|nowhere|hardly|absence|would (?:need|require|have|be|imply|sound|mean)"
    r"|confus\w+|mistak\w+)\b"
    r"|不(?!选|过|仅|但|只|妨|论|是[a-z]选项)|错|有误|排除|无关|没有|缺乏|缺少|并非|未|非(?!常)|偏|误|无法|难以|矛盾|相反|否|✗|✘|❌|×|✖|🔴|👎)"
)
"""After an option, somewhere in what is said of it: bad words."""

DENIED_AFTER = re.compile(
    r"[\s\"')\]}|:,>*(-]*(?:option|choice|选项|项)?(?:的?(?:说法|描述|表述|内容))?[\s,]*"
    r"(?:(?:is|are|was|were|would be|seems?|can be|could be|can|could|does|do|did|must be|should be)\s)?"
    r"(?:(?:clearly|obviously|also|definitely|therefore|both|all|simply|too|certainly|plainly|just)\s)*"
    r"(?:not\b(?!\s+(?:[a-z]\b|option|only|just))|n't|isn't|aren't|wasn't|doesn't|can't|cannot|wouldn't"
    r"|won't|don't|incorrect|wrong|false|out\b|absent|missing|eliminated|excluded|ruled out|unlikely"
    r"|impossible|lacks?\b|fails?\b|contradicts?|both wrong|no\b(?!\s?[,.!]|\s(?:wait|sorry|actually|hold|hmm))"
    r"|(?:也|都|均|则|是|被|就|显然|明显|全)*(?:不(?!选|是\s?[a-z](?![a-z])|过|仅)|错|有误|排除|无关|并非|非(?!常)|误|作废))"
)
"""Straight after an option: it is not right."""

IF_AFTER = re.compile(
    r"[\"')\]}]*,?\s(?:only\s)?(?:if|unless|provided|were it|had it)\b|[\"')\]}]*,?\s*(?:如果|假如|除非)"
    r"|[^.!?\n,;]{0,30}\b(?:if|unless)\s(?!i |you |we |forced|pressed)"
    r"|\s(?:would|might|could) have been\b"
)
"""After an option: only on a condition."""

MAYBE_AFTER = re.compile(
    r"[\"')\]}:,]*\s?(?:is|are) (?:just )?as (?:likely|plausible|good) as"
    r"|[\"')\]}:,]*\s?(?:option|choice|选项|项)?\s?(?:is |are |seems |sounds |looks )?(?:also |both |all |"
    r"certainly |still |equally )*(?:possible|plausible|could(?: also)? (?:be|work|fit)|might(?: also)?"
    r" (?:be|work|fit)|may(?: also)? (?:be|work|fit)|works? too|fits? too|as well(?! as)|close|tempting|a close"
    r"|a possibility|candidates?|attractive|in play|conceivable)"
    r"|[\"')\]}:,]*\s?(?:选项|项)?(?:也|都|均|还|同样|皆|或许|似乎)*(?:是)?(?:有可能|可能|有道理|说得通|有点像|可以考虑|不无道理|接近|像|行|可以|沾边)"
)
"""After an option: it is possible, no more."""

ASKS = re.compile(r"[\"')\]}.]*\s?(?:\?|吗\s?[?.]?|呢\s?\?|么\?)")
"""After an option: it was a question."""

ANSWERS_NO = re.compile(r"[\s\"']*(?:no\b|nope|not\b|wrong|不|否|没有|错)")
ANSWERS_YES = re.compile(
    r"[\s\"']*(?:yes\b|yep|yeah|right\b|correct|indeed|exactly|对|是的|没错|正确)"
)

ALSO = re.compile(
    r"\b(?:also|too|as well|equally|likewise|similarly|both)\b|也(?!许)|同样|都|均|同时"
)
"""Beside a second declaration: it stands beside the first and replaces nothing."""

PERCENT = re.compile(r"[\s\"')\]}:,|(=-]*(?:about |around |~|约)?(\d{1,3}(?:\.\d+)?)\s?%")
"""After an option: how sure."""

PERCENT_BEFORE = re.compile(
    r"(\d{1,3}(?:\.\d+)?)\s?%\s?$|(\d{1,3}(?:\.\d+)?)\s?%的?\s?(?:sure|certain|confident|chance|probability|likely|把握|可能性?"
    r"|概率|几率)[^.,;%]{0,20}$"
)
NONE_FITS = re.compile(
    r"\bnone (?:of|is|are|fits?|match)|\bno (?:option|answer|choice|correct)\b|\ball (?:of the above|four|options)"
    r"|\bneither\b|以上(?:都|皆|均|全)|都不(?:对|是|正确|符合)|全(?:都)?(?:对|错)|没有(?:正确|一个|合适)"
    r"|均不|无正确|\bunclear\b|\bunknown\b|\bcannot (?:be )?determin|\bnot (?:be )?(?:clear|certain|determin)"
)
"""Where an answer is due: none is given."""

ALL_BUT = re.compile(
    r"(?:\b(?:all|every\w*|any\w*|nothing|none|no\w*) (?:\w+ )?(?:except|but|other than|apart from)"
    rf"|\bexcept(?: for)?|\bapart from|除了|除去|除)\s?{FILL}$"
)
OTHERS_WRONG = re.compile(
    r"[\"')\]]*(?:选项|项)?(?:之外|以外|外)?,?\s?(?:(?:is|are|fits?|can be|,|all|the|others?|rest|every\w*"
    r"|options?|of|them|else|其他|其余|别的|剩下|的|选项|三个|三项|都|均|全|皆|全部|就)\s?)*"
    r"(?:is|are|can be|fits?|matches|works|wrong|incorrect|false|not|no|eliminated|excluded|ruled|不|错|没|无|误|排除)"
)
"""Around an option: every other is wrong."""

WAITS = re.compile(
    r"\boh\b(?=,)|\bcorrection\b|\b(?:wait|hold on|hmm|actually|oops|sorry|on second thoughts?|hang on|no(?=,))\b"
    r"|等等|等一下|哦不|不,|再想|抱歉|说错|更正"
)
"""A second thought: what follows may take back what was said."""
OWN_VOICE = re.compile(
    r"\b(?:i|we)(?:'d|'ll| would| will)? (?:think|say|choose|go|pick|believe|hear|find)\b|我(?!听说|们听说|读到)"
)
"""In a clause of somebody else's opinion: the speaker's own after all."""
FIELD = re.compile(r"(?:option|choice|选项)\s?[:：]?")
"""Before options one after the other: a list, not answers."""
CONTRASTS = re.compile(
    r"\b(?:whereas|while|in contrast|by contrast|conversely)\b[^,;]*$"
    r"|\b(?:with|given|in|for) an? [^,;.]{2,50}(?:the answer|it|this|that) would(?: have)? (?:be|been)\s?$"
    r"|(?:而如果|反之|相反地?,)[^,;]*$"
)
"""Before an option: another case than the one asked about."""
MATCHED_UP = re.compile(
    r"\s?(?:for|if|when|in case|indicates?|means?|stands for)\b|\s?(?:表示|代表|对应)"
)
"""After an option that is to be chosen: instructions for choosing, not a choice."""
NOTHING_BUT = re.compile(
    r"(?:n't|not|cannot|nothing|none|no \w+) (?:be |is |possibly )?(?:\w+ ){0,2}(?:other than|but|except|else than)"
    rf"\s?{FILL}$|(?:不可能|不会|不得|绝不|不应)不(?:是|选)\s?{FILL}$|非\s?$(?#莫属)"
)
"""Before an option: it can be no other."""
RANKED = re.compile(
    r"(?:rank\w*|order\w*(?: of| by)?|most to least|likel\w+|from best|排序|排列|排名|从高到低|可能性)[^.\n]{0,40}[:：]\s?$"
)
"""Before options in a row: the first of them ranks highest."""
ENDS_NO = re.compile(r"(?:\b(?:so|,)\s?no|\bno)\s?\.?$|(?:不是|不符|不对|否)\s?\.?$")
ENDS_YES = re.compile(r"\byes\s?[.!]?$|(?:,|^)\s?(?:是的?|符合|对)\s?\.?$")
SUMS_UP = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|accordingly|in conclusion|in summary|to sum up|overall"
    r"|all in all|that is why|this means|which means|i'd (?:describe|call|label|classify)|i would (?:describe"
    r"|call|label|classify)|these are (?:all )?(?:the )?hallmarks of|points? to)\b"
    r"|所以|因此|由此|综上|可见|故而|从而|可以(?:判断|看出|确定|推断|得出|听出|断定|认定)|说明(?:它|这)|表明|证明(?:它|这)"
    r"|这?正是|结论|总之|总的来说|也就是说"
)
"""In a sentence: it sums up, and the one option that it names is what it comes to."""
ONLY = re.compile(r"\bonly (?:the )?$|(?:只有|唯有)\s?$")
ONLY_THIS = re.compile(
    r"[\"')\]]*\s(?:does|do|is|fits|has|can|makes|survives|works|remains|matches)\b"
)
RANKED_LINES = re.compile(
    r"(?:rank\w*|order\w*|most to least|likelihood|排序|排列|排名|从高到低)[^.\n]{0,60}[:：]\s?\n\s*(?:1[.)]|🥇|第一)\s?"
)
"""Before lines of options: a ranking, the best first."""
