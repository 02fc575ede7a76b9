#!/bin/sh
# What looks like an update of a short fact comes first only if it is about the same thing.
. "$(dirname "$0")/lib.sh"

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

done_testing
