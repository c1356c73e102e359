# What an audit of how replies were read has found: analysis/audit/result.py.

audit-line = read by rule ({ NAMES($policies) }), { $found }
audit-by = { $by ->
    [none] {""}
   *[some] {" "}by { $by }
}
audit-under-way = audit{ audit-by } under way: { $marked } of { $drawn } drawn are marked, { $misread } of them misread
audit-unsure = audited{ audit-by }: none of { $marked } marks is sure
audit-found = audited{ audit-by }: { $misread } of { $sure } misread{ $rate ->
    [none] {""}
   *[some] , { audit-rate } of all
} ({ $low ->
    [none] all were marked
   *[some] { audit-ends }
}){ $unsure ->
    [0] {""}
   *[other] ; { $unsure } unsure, not counted
}
audit-rate = { EXACT($rate) } %
audit-ends = { EXACT($low) } to { EXACT($high) } %
audit-accuracy = accuracy over these { $n } { $n ->
    [one] reply
   *[other] replies
}: { EXACT($as_read) } % as read, { EXACT($corrected) } % corrected by the audit (95 % interval { audit-ends })
audit-in-sight = marked with the reader's verdict visible: { $n }
audit-stale = the replies have changed since they were drawn for the audit: `zhiyin audit` draws again and keeps the marks
