#!/bin/sh
# What looks like an update of a short fact comes first only if it is about the same thing.
. "$(dirname "$0")/../lib.sh"

# Lines become the only memories; then what the answer to a question is told as.
keep() {
	rm -rf "$HOME/.ikigai"
	while read -r one; do ikm mem add "$one" >/dev/null; done
}
says() { ikm mem search "$1" --json | jq -r '.relevance // "nothing"'; }

first() { # QUESTION: the first result
	ikm mem search "$1" --json | jq -r '.results[0].content'
}

try 'facts about other things of one kind are no updates of the one asked for' <<'E'
	for s in 'gateway no database' 'billing PostgreSQL' 'reports ClickHouse' 'router RocksDB' \
		'search OpenSearch' 'auth LMDB' 'ingest S3'; do
		echo "{\"content\":\"The ${s%% *} service stores its state in ${s#* }.\"}"
		for x in 'listens on port 80' 'is written in Go' 'has alerts' 'runs twice' 'belongs to Sven'; do
			echo "{\"content\":\"The ${s%% *} service $x.\"}"
		done
	done | ikm mem import - >/dev/null
	for s in gateway billing router ingest; do
		first "Where does the $s service store its state?" | grep "^The $s service stores"
	done
E
try 'a question with another word of the older fact asks for that one' <<'E'
	ikm mem add 'Invoices are sent on the third working day.' >/dev/null
	ikm mem add 'Reminders are sent on the tenth working day.' >/dev/null
	first 'On which working day are invoices sent?' | grep '^Invoices'
	first 'On which working day are reminders sent?' | grep '^Reminders'
E
try 'a newer fact about the same thing comes first' <<'E'
	ikm mem add 'The staging database listens on port 5432.' >/dev/null
	ikm mem add 'The staging database listens on port 6543.' >/dev/null
	first 'On which port does the staging database listen?' | grep 6543
E
try 'a narrower fact updates nothing' <<'E'
	keep <<'L'
Ben is 12 years old.
The rent is 900 euros.
The wifi password is heron.
The team has seven members.
L
	while read -r one; do ikm mem add "$one" >/dev/null; done <<'L'
Ben's sister is 14 years old.
The rent of the garage is 80 euros.
The guest wifi password is falcon.
The team has nine members.
L
	same 'Ben is 12 years old.' "$(first 'How old is Ben?')"
	same 'The rent is 900 euros.' "$(first 'How much is the rent?')"
	same 'The wifi password is heron.' "$(first 'What is the wifi password?')"
	same 'The team has nine members.' "$(first 'How many members has the team?')"
	same 0 "$(ikm mem search 'How old is Ben?' --json | jq '[.results[] | select(.maybeSupersededBy)] | length')"
E

try 'what is said of one person updates nothing that is said of another' <<'E'
	ikm mem add 'Dan likes coffee, black.' >/dev/null
	ikm mem add 'Carla does not like coffee.' >/dev/null
	first 'Who likes coffee?' | grep ^Dan
	first 'Who does not like coffee?' | grep ^Carla
	first "Who doesn't like coffee?" | grep ^Carla
	first 'Does Carla like coffee?' | grep ^Carla
E
try 'a negation counts in other languages' <<'E'
	ikm mem add 'Dan mag Kaffee, schwarz.' >/dev/null
	ikm mem add 'Carla mag keinen Kaffee.' >/dev/null
	first 'Wer mag keinen Kaffee?' | grep ^Carla
	first 'Wer mag Kaffee?' | grep ^Dan
E
long 'an answer that a newer one may replace says so' <<'E'
	while read -r old; do ikm mem add "$old" >/dev/null; done <<'L'
Ada has a dog.
Ada likes tea.
Ada lives in Lisbon.
The standup is at 9:30.
The office is in the Green Street.
L
	while read -r new; do ikm mem add "$new" >/dev/null; done <<'L'
Ada now works in Bonn.
Ada has relocated to Porto.
The standup was moved to 10:00.
The office moved to Market Street 4.
L
	doubted() {
		ikm mem search "$1" --json --threshold 0 | jq -c '.results as $all | [$all[] |
			select(.maybeSupersededBy) | .maybeSupersededBy as $by |
			{(.content): ($all[] | select(.memoryId == $by) | .content)}] | add'
	}
	same '{"Ada lives in Lisbon.":"Ada has relocated to Porto."}' "$(doubted 'Where does Ada live?')"
	same '{"The standup is at 9:30.":"The standup was moved to 10:00."}' \
		"$(doubted 'When is the standup?')"
	same '{"The office is in the Green Street.":"The office moved to Market Street 4."}' \
		"$(doubted 'Where is the office?')"
	ikm mem search 'When is the standup?' | grep '  maybe superseded by mem_'
	# Also where the newer one is not shown.
	ikm mem search 'Where does Ada live?' --limit 1 --json >found
	jq -e '.results[0] | .content == "Ada lives in Lisbon." and has("maybeSupersededBy")' found
E

long 'what is said of one time is no doubt of what is said of another' <<'E'
	doubts() { # OLDER, NEWER, QUESTION: how many results say that they may be superseded
		rm -rf "$HOME/.ikigai"
		ikm mem add "$1" >/dev/null
		ikm mem add "$2" >/dev/null
		ikm mem search "$3" --threshold 0 --json >found
		same 2 "$(jq '.results | length' found)"
		jq '[.results[] | select(.maybeSupersededBy)] | length' found
	}
	same 0 "$(doubts 'The report of January is in the wiki.' 'The report of March is in the wiki.' \
		'Where is the report?')"
	same 0 "$(doubts 'The January report lists 12 defects.' 'The March report lists 15 defects.' \
		'How many defects does the report list?')"
	same 0 "$(doubts 'The budget of 2025 is 3 million.' 'The budget of 2026 is 4 million.' \
		'What is the budget?')"
	same 0 "$(doubts 'The January report is in the wiki.' 'The March report was moved to the wiki.' \
		'Where is the report?')"
	same 0 "$(doubts 'The Monday standup takes 15 minutes.' 'The Friday standup takes 30 minutes.' \
		'How long does the standup take?')"
	same 1 "$(doubts 'The January report lists 12 defects.' 'The January report lists 15 defects.' \
		'How many defects does the January report list?')"
	same 1 "$(doubts 'The deadline is in January.' 'The deadline was moved to March.' \
		'When is the deadline?')"
	same 1 "$(doubts 'The audit is on Monday.' 'The audit is now on Friday.' 'When is the audit?')"
	same 0 "$(doubts 'Die Sitzung im Januar ist um 9 Uhr.' 'Die Sitzung im Mai ist um 10 Uhr.' \
		'Wann ist die Sitzung?')"
	same 0 "$(doubts 'La réunion du lundi est à 9h.' 'La réunion du mardi est à 10h.' \
		'Quand est la réunion ?')"
	same 1 "$(doubts 'Die Abgabe ist im Januar.' 'Die Abgabe wurde auf März verschoben.' \
		'Wann ist die Abgabe?')"
E
long 'a fact that lacks a name of the question is no answer' <<'E'
	keep <<'L'
The Hamburg office is in the Green Street.
The office in Lyon has forty desks and a garden.
Lunch is at noon.
The staging server is called heron.
L
	same weak "$(says 'In which street is the Berlin office?')"
	same answers "$(says 'In which street is the Hamburg office?')"
	same answers "$(says 'In which street is the office?')"
	same answers "$(says 'In Which Street Is The Hamburg Office?')"
	ikm mem add 'Ada was born in Berlin.' >/dev/null
	same weak "$(says 'In which street is the Berlin office?')"
	same weak "$(says 'where is the street of the oranienburg office?')"
E

long 'a few memories answer no question about what none of them knows' <<'E'
	keep <<'L'
The sauna opens at 17:00.
Uwe repaired the roof in 2021.
Olga teaches maths.
The ferry departs at nine.
We buy the coffee from Tchibo.
The horse is in the stable.
The backups are kept for a month.
L
	same weak "$(says 'Who may open the safe?')"
	same weak "$(says 'Who repaired the boiler?')"
	same weak "$(says 'Who teaches swimming?')"
	same weak "$(says 'Who repaired the roof in 2019?')"
	same answers "$(says 'Who repaired the roof in 2021?')"
	# Other words for what it says.
	same answers "$(says 'From whom do we purchase the coffee?')"
	same answers "$(says 'Could you please tell me when the ferry departs? Thanks!')"
	# A word is no slip of another one; a slip is.
	same nothing "$(says 'Where is the house?')"
	same answers "$(says 'How long do we keep the bakcups?')"
	# A number is no slip of another one; a word that another memory has counts in each form.
	ikm mem add 'The garage code is 4711.' >/dev/null
	ikm mem add 'The mice eat grain.' >/dev/null
	ikm mem add 'The key of the cellar hangs in the hall.' >/dev/null
	same weak "$(says 'What is the garage code, 4712?')"
	same weak "$(says 'Where hangs the key of the mouse?')"
	same answers "$(says 'Where hangs the key of the cellar?')"
	# Words of other languages have no table.
	ikm mem add 'Das Büro in Dresden hat 25 Mitarbeiter.' >/dev/null
	same weak "$(says 'Wie viele Fenster hat das Büro?')"
	same answers "$(says 'Wie viele Mitarbeiter hat das Büro in Dresden?')"
	# What is told of yesterday did not happen long ago; nothing is an answer below the threshold.
	ikm mem add 'We bought a telescope.' -k episodic --happened 2020-05-05 >/dev/null
	same answers "$(says 'When did we buy the telescope?')"
	same weak "$(says 'Did we buy a telescope yesterday?')"
	same weak "$(ikm mem search 'garage code' --threshold 1 --json | jq -r .relevance)"
	# Another language begins a sentence with a word that no table knows, and that is no name.
	ikm mem add 'Порт базы 5432.' >/dev/null
	same answers "$(says 'Подскажи порт базы')"
	# A question of stop words alone, with capitals in them.
	same nothing "$(says 'whEre thEse thOse whIch thEir thEre yoUrs whOse abOut coUld')"
	# An update makes its words no less rare.
	ikm mem add 'Marie habite à Lyon.' >/dev/null
	ikm mem add 'Marie habite maintenant à Paris.' >/dev/null
	same answers "$(says 'Où habite Marie ?')"
E

long 'a word behind an article says what the question is about' <<'E'
	keep <<'L'
The staging server runs on port 8443.
Elena's daughter plays the violin.
The next vet appointment is on 5 March.
Die Telefonnummer von Eva ist 0711 4455.
La clave del garaje es 5512.
Ключ от подвала лежит в шкафу.
L
	# "Red" and "blue" are near each other in the table of meaning, and so are names of roles.
	same weak "$(says 'Which port does the production server run on?')"
	same weak "$(says "What does Elena's son play?")"
	same weak "$(says 'When is the next dentist appointment?')"
	same weak "$(says 'Wie ist die Telefonnummer von Ida?')"
	same weak "$(says '¿Cuál es la clave del banco?')"
	same weak "$(says 'Где лежит ключ от гаража?')"
	same answers "$(says 'Which port does the staging server run on?')"
	same answers "$(says "Which instrument does Elena's daughter play?")"
	same answers "$(says 'Wie ist die Telefonnummer von Eva?')"
	# A number and a day of the week have no other words; behind a title stands a name.
	ikm mem add 'Uncle Tobias drives a green Skoda.' >/dev/null
	ikm mem add 'La cantine ferme à 14 heures le vendredi.' >/dev/null
	ikm mem add 'Frau Okafor kommt alle sechs Wochen zur Blutabnahme.' >/dev/null
	ikm mem add 'Legacy API v1 will be switched off in March 2027.' >/dev/null
	ikm mem add 'Diana fed the horses at six.' >/dev/null
	same weak "$(says 'When will the legacy API v2 be switched off?')"
	same answers "$(says 'When will the legacy API v1 be switched off?')"
	same weak "$(says 'À quelle heure ferme la cantine le mercredi ?')"
	same answers "$(says 'À quelle heure ferme la cantine le vendredi ?')"
	same weak "$(says 'Wie oft kommt Frau Lorenz zur Blutabnahme?')"
	same answers "$(says 'Wie oft kommt Frau Okafor zur Blutabnahme?')"
	same weak "$(says 'What does Uncle Diana drive?')"
	ikm mem add 'The release manager for version 4.2 is Anneke.' >/dev/null
	same weak "$(says 'Okafor release manager version 4.2')"
	same answers "$(says 'Did Diana or Tobias feed the horses?')"
	# A question for a measure wants a number.
	same weak "$(says 'How old is Uncle Tobias?')"
E

long 'an answer has what the question asks for: a cause, a person, a length of time' <<'E'
	keep <<'L'
Mr Petrov refused the flu vaccine.
The deploy failed because the disk was full.
Le boulanger ferme le mercredi.
The catheter was removed on Monday.
The monorepo moved from GitLab to GitHub in May.
Marta recommended the restaurant near the station.
The night nurse locks the key cabinet.
Le plombier a réparé la fuite.
The railway bridge is red and old.
Orders are kept for a year.
The lift is out of order.
The river is closed on 21 June.
The gym costs 35 euros per evening.
L
	same weak "$(says 'Why did Mr Petrov refuse the flu vaccine?')"
	same answers "$(says 'Why did the deploy fail?')"
	same weak "$(says 'Pourquoi le boulanger ferme le mercredi ?')"
	# A day and a program are no persons, nor is one whom the question names.
	same weak "$(says 'Who removed the catheter?')"
	same weak "$(says 'Who moved the monorepo to GitHub?')"
	same weak "$(says 'Who gave Mr Petrov the flu vaccine?')"
	same answers "$(says 'Who recommended the restaurant?')"
	same answers "$(says 'Who locks the key cabinet?')"
	same answers "$(says 'Qui a réparé la fuite ?')"
	same weak "$(says 'How long is the railway bridge?')"
	same answers "$(says 'How long are orders kept?')"
	same weak "$(says 'What does the lift cost?')"
	same answers "$(says 'What does the gym cost?')"
	# A number of the question measures nothing; another day of a month is another day.
	same weak "$(says 'How much is the gym for 35 evenings?')"
	same weak "$(says 'Is the river closed on 22 June?')"
	same answers "$(says 'Is the river closed on 21 June?')"
	# What another memory says of the small van is no answer about the big one.
	ikm mem add 'The big van failed its MOT because of the brakes.' >/dev/null
	ikm mem add 'The small van is blue.' >/dev/null
	same weak "$(says 'Why did the small van fail its MOT?')"
	same answers "$(says 'Why did the big van fail its MOT?')"
E

long 'what denies a question says not who or which one' <<'E'
	first() {
		ikm mem search "$1" --json | jq -r '.relevance + " " + .results[0].content'
	}
	keep <<'L'
Rosa has no car.
Tim drinks coffee.
Uwe raucht nicht.
The pool is not heated.
L
	same 'weak Rosa has no car.' "$(first 'Who has a car?')"
	same 'weak Tim drinks coffee.' "$(first 'Who does not drink coffee?')"
	same 'weak Rosa has no car.' "$(first 'What person has a car?')"
	same 'weak Uwe raucht nicht.' "$(first 'Wer raucht?')"
	same 'answers The pool is not heated.' "$(first 'Is the pool heated?')"
	# A longer text that says what is asked stands before a shorter one that denies it.
	ikm mem add 'Tom does not drink coffee.' >/dev/null
	same 'answers Tom does not drink coffee.' "$(first 'Who does not drink coffee?')"
	same 'answers Tim drinks coffee.' "$(first 'Who drinks coffee?')"
E

try 'a time is understood beside words that ask for it' <<'E'
	rm -rf "$HOME/.ikigai"
	week=$(date -u -d '7 days ago' +%FT12:00:00Z)
	day_fr() {
		set -- dimanche lundi mardi mercredi jeudi vendredi samedi
		shift "$(date -u +%w)"
		echo "$1"
	}
	ikm mem add 'The boiler broke.' -k episodic --happened "$week" >/dev/null
	ikm mem add 'The roof leaks.' -k episodic --happened 2020-01-01 >/dev/null
	for question in "Qu'est-ce qui s'est passé la semaine dernière ?" '¿Qué pasó la semana pasada?' \
		'Was hat sich letzte Woche ereignet?' 'Any news from last week?' \
		"Qu'ai-je fait il y a 7 jours ?" "Que s'est-il passé $(day_fr) dernier ?"; do
		same 'dated The boiler broke.' "$(ikm mem search "$question" --json |
			jq -r '.relevance + " " + .results[0].content')"
	done
E

done_testing
