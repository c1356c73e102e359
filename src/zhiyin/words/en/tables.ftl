# Headings and notes of tables.

figures-key = n: trials judged; ans.: replies with a readable answer; acc.: right answers of all that were judged, with its 95 % interval; prec.: right among the readable; F1: harmonic mean of acc. and prec.; IFR: share of replies with a readable answer
