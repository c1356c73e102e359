# The researcher's page of a study; what participants read is in zhiyin/study/languages.

study-researcher = researcher
study-wrong-token = That is not the token.
study-token = Token, as `zhiyin study serve` printed it
study-enter = Enter
study-title = Study { $name }, of kind { $kind }
study-answers = Answers
study-codebook = Codebook
study-as-json = These figures as JSON
study-people = People
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
study-excluded = Excluded by the declared rules: { $n }
study-agreement = Agreement
study-alpha-is = Krippendorff’s alpha, without excluded people and practice. Of choices, each option of an item is a unit: marked or not. Intervals are jackknife intervals over units, at 95 %.
study-measure = measure
study-from = from
study-to = to
study-units = units
study-values = values
study-items = Items
study-item = item
study-group = group
study-n-answers = answers
study-closed = closed
study-median-s = median s
study-right = right
study-distractors = distractors
study-decision = decision
study-yes = yes
