"""Plain declarations in Spanish, French, German, Portuguese, Italian, Russian, Japanese, Korean.

`notation` says how a list is written. For these languages only what declares or
concludes is known; what rejects, doubts or supposes is not.
"""

FILLERS = "la | el | le | letra | lettre | die | der | das | buchstabe | lettera | de"

DECLARES = """
    (la )?respuesta( correcta | final)?( es | ser[ií]a | correcta es)?\\s?:?
    | mi (elecci[óo]n | voto) es | me quedo con | opci[óo]n correcta( es)?:?
    | (la )?(bonne )?r[ée]ponse( correcte | exacte | finale)?( est | serait)?\\s?:?
    | je choisirais | j'opte pour
    | (die )?(richtige | korrekte | endg[üu]ltige)? ?(antwort | l[öo]sung)( ist | lautet
      | w[äa]re)?\\s?:?
    | ich entscheide mich f[üu]r
    | (a )?(resposta | alternativa | op[çc][ãa]o)( correta | certa | final)?( [ée] | seria)?\\s?:?
    | (la )?risposta( corretta | giusta | esatta)?( [èe] | sarebbe)?\\s?:?
    | (opzione | alternativa) correcta( es)?:?
    | (richtig | korrekt | correcto | correcta | juste | exact | certo | certa | esatta
      | giusta) (ist | es | est | é | è)
    | (elijo | escojo | elegir[ií]a | selecciono | je choisis | je dirais | ich w[äa]hle
      | ich w[üu]rde | escolho | eu escolheria | scelgo | выбираю | я выбираю)( sagen | la | el
      | le | a | o)?
    | (правильный | верный | мой | окончательный)? ?(ответ | вариант)( - | : | это | —
      | будет)?\\s?:?
    | (答え | 正解 | 回答 | 解答 | 正しい(答え | 选択肢 | もの) | 最も適切な(もの
      | 选択肢))(は | :)\\s?:?
    | (정답 | 답 | 답변 | 올바른 답 | 정답은)(은 | 는 | :)?\\s?:?
"""
"""Before an option: this is the answer."""

CONCLUDES = """
    (?<![a-z])(ist | sind | der | das | und | ein | eine | einen | nicht | klingt | ich | wir)
    [^.!?\\n]{1,120}[,:;] also
    | (?<![a-zà-ÿ])(folglich | daher | somit | demnach | donc | par cons[ée]quent | por lo tanto
      | por tanto | por ende | as[ií] que | portanto | logo | quindi | dunque | perci[òo]
      | pertanto)
    | поэтому | значит | следовательно | итак | 따라서 | 그러므로 | 그래서 | よって | したがって
    | 従って | ゆえに | だから
"""
"""Before an option: so it is this one."""

ENDS = "です | だ | 입니다"
"""May close a clause after the option."""

WINS = """
    を选 | だと思 | が正 | と思い | です | だ | が正解 | が正しい | 입니다 | 이다 | 이 정답
    | 가 정답
    | \\s?(es | est | ist | é | è) (la | die | a | das | o | le | el)?\\s?(respuesta | bonne
      | r[ée]ponse | richtige | korrekte | resposta | risposta | opci[óo]n)
"""
"""Straight after an option: it is the answer."""
