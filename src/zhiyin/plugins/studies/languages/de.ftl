# What this file is in its own language.
language_itself = Deutsch

# What a new study says; the researcher can edit it. { $minutes } is filled in.
default_title = Eine Studie zum Musikverständnis
default_information = Wir möchten wissen, wie Menschen Fragen zu Musik beantworten. Sie beantworten zuerst einige Fragen zu Ihrer Person und dann eine Reihe von Fragen zu Musik. Das dauert etwa { $minutes } Minuten.
default_sound = Sie werden Klänge hören. Bitte tragen Sie Kopfhörer, falls Sie welche haben, suchen Sie sich einen ruhigen Raum und stellen Sie die Lautstärke so ein, dass sie angenehm ist. Wir erwarten kein Risiko, das über alltägliches Musikhören hinausgeht.
default_no_sound = Wir erwarten kein Risiko, das über alltägliches Lesen am Bildschirm hinausgeht.
default_rights = Die Teilnahme ist freiwillig. Sie können jederzeit aufhören, mit Ihrem persönlichen Link später weitermachen oder alle Ihre Antworten löschen lassen, ohne Gründe zu nennen. Ihre Antworten werden unter einem Pseudonym gespeichert; nach Ihrem Namen wird nicht gefragt.
default_debriefing = Ihre Antworten helfen herauszufinden, wie gut Computermodelle Musik im Vergleich zu Menschen verstehen.
consent_1 = Ich bin mindestens 18 Jahre alt.
consent_2 = Ich habe gelesen, worum es in der Studie geht.
consent_3 = Ich weiß, dass ich jederzeit und ohne Angabe von Gründen aufhören und meine Antworten löschen lassen kann.
consent_4 = Ich bin damit einverstanden, dass meine Antworten unter einem Pseudonym gespeichert, für die Forschung verwendet und ohne meinen Namen veröffentlicht werden.
instructions_exam = Wählen Sie die eine Antwort, die Sie für richtig halten.
instructions_validate = Markieren Sie alle Antworten, die die Frage richtig beantworten. Es können eine oder mehrere sein. Wenn Sie es nicht entscheiden können oder mit der Frage etwas nicht stimmt, geben Sie das an.
instructions_rate = Bewerten Sie, was Ihnen gezeigt wird. Nutzen Sie die ganze Skala.
instructions_annotate = Die Antwort unten ist falsch. Markieren Sie alle Fehler, die auf sie zutreffen.

# Consent, and the personal link.
consent_title = Ihre Einwilligung
consent_all = Um teilzunehmen, stimmen Sie bitte jeder Aussage zu.
agree = Ich stimme zu und beginne
decline = Ich stimme nicht zu
not_translated = Die Fragen selbst sind nicht auf Deutsch.
contact_is = Verantwortlich für diese Studie und ihre Daten, und Kontakt:
link_title = Ihr persönlicher Link
link_text = Mit diesem Link können Sie zu einer anderen Zeit oder an einem anderen Gerät weitermachen. Wer ihn hat, kann an Ihrer Stelle antworten; geben Sie ihn deshalb nicht weiter.
copy_link = Link kopieren
copied = Kopiert.

# What people are asked about themselves, and the answers.
about_you = Über Sie
scale_is = Bitte geben Sie bei jeder Aussage an, wie sehr sie auf Sie zutrifft.
education = Ihr höchster Bildungsabschluss, erreicht oder angestrebt
high_school = Schulabschluss
bachelor = Bachelor
master = Master, Diplom, Magister oder Staatsexamen
doctorate = Promotion
music_major = Studieren Sie Musik im Hauptfach, oder haben Sie es studiert?
music_background = Haben Sie musikalische Vorerfahrung (Unterricht, ein Instrument, Gesang, Komponieren)?
yes = Ja
no = Nein
age = Ihr Alter
age_18_24 = 18 bis 24
age_25_34 = 25 bis 34
age_35_44 = 35 bis 44
age_45_54 = 45 bis 54
age_55_64 = 55 bis 64
over_64 = 65 oder älter
hearing = Hören Sie normal, soweit Sie wissen?
normal = Ja, normal
loss = Nein, ich habe einen Hörverlust (auch mit Hörgeräten)
unsure = Ich weiß es nicht
lessons_years = Wie viele Jahre hatten Sie Unterricht auf einem Instrument oder in Gesang?
years_0 = Gar nicht
years_1_2 = 1 bis 2 Jahre
years_3_5 = 3 bis 5 Jahre
years_6_9 = 6 bis 9 Jahre
years_over_9 = 10 Jahre oder länger
instrument = Was ist Ihr Hauptinstrument?
none = Keines
voice = Gesang
piano = Klavier oder ein anderes Tasteninstrument
strings = Ein Streichinstrument
plucked = Gitarre oder ein anderes Zupfinstrument
wind = Ein Holz- oder Blechblasinstrument
percussion = Schlagzeug oder Perkussion
electronic = Elektronische Instrumente oder Computer
other = Anderes
unsaid = Keine Angabe

# Checks before the questions.
volume_title = Stellen Sie die Lautstärke ein
volume_text = Spielen Sie den Klang ab und stellen Sie Ihr Gerät so ein, dass er deutlich und angenehm ist. Bitte ändern Sie die Lautstärke danach nicht mehr.
volume_done = Die Lautstärke ist eingestellt
headphones_title = Prüfung der Kopfhörer
headphones_text = Bitte setzen Sie Kopfhörer auf. Sie hören jeweils drei Klänge nacheinander.
headphones_woods = Welcher der drei Klänge ist der leiseste?
headphones_huggins = In welchem der drei Geräusche hören Sie einen schwachen Ton?
first = Nummer 1
second = Nummer 2
third = Nummer 3
comprehension_title = Haben Sie die Aufgabe verstanden?
try_again = Nicht alle Antworten waren richtig. Bitte lesen Sie die Anleitung noch einmal; Sie haben einen weiteren Versuch.

# A question.
instructions_title = Was Sie tun
task_words = Die Aufgabe
as_notation = Sie bekommen die MIDI-Daten nicht als Text: Sie sehen die Töne als Noten und können sie abspielen.
examples = Beispiele mit Lösung
example = Beispiel
example_answer = Antwort
listen_once = Jeder Klang muss bis zum Ende gehört werden, bevor Sie antworten können.
listen_times = Jeder Klang muss { $n }-mal bis zum Ende gehört werden, bevor Sie antworten können.
listen_most = Er kann höchstens { $n }-mal abgespielt werden.
listen_volume = Der Klang muss bis zum Ende gehört werden.
practice_is = Dies ist eine Übung: Sie zählt nicht.
practice_over = Die Übung ist vorbei. Jetzt geht es los: Von hier an zählen Ihre Antworten.
practice_right = Richtig.
practice_wrong = Nicht richtig. Die richtige Antwort ist mit ✓ markiert.
practice_on = Weiter
question = Frage
of = von
several = Eine oder mehrere Antworten sind richtig: Markieren Sie alle, die es sind.
your_answer = Ihre Antwort
cannot_tell = Ich kann es nicht entscheiden
odd = Mit dieser Frage stimmt etwas nicht
text = Text
text_left = Text 1
text_right = Text 2
left_better = Text 1 ist besser
right_better = Text 2 ist besser
both_same = Beide sind gleich gut
not_graded = noch nicht bewertet
aspect_completeness = Vollständigkeit: Erfasst der Text die Musik?
aspect_precision = Genauigkeit: Stimmt, was er sagt?
aspect_novelty = Neuheit: Sagt er mehr als das Naheliegende?
attention = Diese Frage zeigt, dass Sie lesen. Bitte wählen Sie „{ $word }“.
word_north = Norden
word_east = Osten
word_south = Süden
word_west = Westen

# Sound, pictures, notation.
play = Abspielen
stop = Anhalten
sound = Klang
reference = Referenz
listened = gehört:
no_more = Er kann nicht noch einmal abgespielt werden.
loading = Der Klang wird geladen …
cannot_play = Der Klang lässt sich nicht laden. Versuchen Sie es noch einmal.
picture = Bild zu dieser Frage
notation = Noten
tune_play = Noten abspielen
zoom = Vergrößern
close = Schließen

# Buttons, keys, and what is said while an answer is saved.
continue = Weiter
send = Speichern und weiter
saved = Gespeichert.
saving = Wird gespeichert …
retrying = Die Verbindung ist unterbrochen. Ihre Antwort bleibt hier erhalten und wird erneut gesendet …
choose_first = Bitte antworten Sie zuerst.
listen_first = Bitte hören Sie zuerst jeden Klang bis zum Ende.
keyboard = Tastatur: 1 bis 9 wählen, Leertaste spielt ab, Eingabetaste speichert.
skip = Zum Inhalt springen
language = Sprache

# The ends.
end_complete = Vielen Dank. Sie haben alles beantwortet.
end_screened_out = Vielen Dank. Die Studie endet hier für Sie: Einige Antworten zur Aufgabe passten nicht zu dem, was sie verlangt. Das sagt nichts über Sie oder Ihr musikalisches Gehör.
end_no_consent = Sie haben nicht zugestimmt, deshalb wurde nichts gespeichert. Vielen Dank für Ihre Zeit.
end_withdrawn = Ihre Antworten wurden gelöscht. Vielen Dank für Ihre Zeit.
end_full = Vielen Dank. Es haben schon genug Menschen geantwortet, oder genug Menschen wie Sie, sodass nichts mehr gebraucht wird. Von Ihnen wurde nichts gespeichert.
end_close = Sie können diese Seite schließen.
code = Ihr Code
go_back = Zurück zur Plattform
withdraw = Teilnahme zurückziehen
withdraw_title = Die Teilnahme zurückziehen
withdraw_text = Alles, was von Ihnen gespeichert wurde, wird sofort gelöscht. Das lässt sich nicht rückgängig machen.
withdraw_yes = Alle meine Antworten löschen
withdraw_no = Zurück

# What went wrong.
error_title = Das hat nicht funktioniert
error_session = Bitte öffnen Sie Ihren persönlichen Link oder die Adresse der Studie.
error_link = Dieser Link ist nicht bekannt.
error_many = Zu viele Anfragen. Bitte warten Sie eine Minute.
error_form = Bitte beantworten Sie alles auf dieser Seite.
error_stale = Diese Seite ist veraltet. Bitte laden Sie sie neu.
error_twice = Sie haben schon begonnen. Bitte öffnen Sie Ihren persönlichen Link, um weiterzumachen.
no_script = Diese Studie braucht JavaScript für ihren Klang. Bitte schalten Sie es ein.
