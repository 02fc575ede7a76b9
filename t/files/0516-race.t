#!/bin/sh
# Many processes on one file or stored asset: no change is lost, and of two with the same ifMatch
# only one succeeds.
. "$(dirname "$0")/../lib.sh"

git init -q repo
cd repo || exit 1
lines=40

fresh() { # FILE: forty lines, each for one process
	seq -f 'line %g of nobody' $lines | ikm write "$1"
}
# COMMAND with {} for the number: forty at once, and all must succeed.
forty() {
	rm -f ../failed
	i=0
	while [ $i -lt $lines ]; do
		i=$((i + 1))
		(eval "$(printf '%s' "$1" | sed "s/{}/$i/g")" >"../out.$i" 2>&1 || echo "$i" >>../failed) &
	done
	wait
	[ ! -e ../failed ] || { cat ../failed ../out.*; return 1; }
}
kept() { # FILE
	ikm read "$1" >../got
	same "$(seq -f 'line %g is mine' $lines)" "$(cat ../got)"
}

for file in f.txt ikigai:///t/f.txt; do
	export file
	some 3 "forty edits of forty lines: $file" <<'E'
fresh $file
forty 'ikm edit $file --old "line {} of nobody" --new "line {} is mine"'
kept $file
E

	some 3 "the same as a tool: $file" <<'E'
fresh $file
forty 'echo "{\"path\": \"$file\", \"old\": \"line {} of nobody\", \"new\": \"line {} is mine\"}" |
	ikm call file_edit'
kept $file
kind=file
[ "$file" = f.txt ] || kind=asset
# Each record begins where the record before it ends, so they are in the order of the changes.
same '40|0' "$(sqlite3 "$HOME/.ikigai/ikm.db" "select count(*), sum(b <> p) from (
	select before_hash b, lag(after_hash, 1, before_hash) over (order by seq) p from events
	where entity_type = '$kind' and op = 'edit')")"
E

	some 3 "forty appends: $file" <<'E'
: | ikm write $file
forty 'ikm append $file --text "line {}"'
ikm read $file | sort >../got
same "$(seq -f 'line %g' $lines | sort)" "$(cat ../got)"
E

	some 3 "of two that compare, one wins: $file" <<'E'
for round in 1 2 3 4 5; do
	echo "round $round" | ikm write $file
	hash=$(ikm read $file --json | jq -r .hash)
	rc1=0 rc2=0
	ikm write $file --content one --if-match "$hash" >/dev/null 2>&1 &
	one=$!
	ikm write $file --content two --if-match "$hash" >/dev/null 2>&1 || rc2=$?
	wait $one || rc1=$?
	case "$rc1 $rc2 $(ikm read $file)" in
	'0 4 one' | '4 0 two') ;;
	*) echo "$rc1 $rc2 $(ikm read $file)"; exit 1 ;;
	esac
done
E

	some 3 "of twenty that make it new, one wins: $file" <<'E'
rm -f ../won.*
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	(! ikm write $file.new --content $i --if-match none >/dev/null 2>&1 || : >../won.$i) &
done
wait
same 1 "$(ls ../won.* | wc -l)"
[ -e "../won.$(ikm read $file.new)" ]
E
done

more 'two moves that cross do not wait for each other' <<'E'
mkdir -p x y
for i in 1 2 3 4 5 6 7 8; do
	echo $i >x/a$i
	echo $i >y/b$i
	ikm move --maintainer x/a$i y/a$i &
	ikm move --maintainer y/b$i x/b$i &
done
wait
same 'a1 a2 a3 a4 a5 a6 a7 a8' "$(ls y | xargs)"
same 'b1 b2 b3 b4 b5 b6 b7 b8' "$(ls x | xargs)"
E

more 'eight writers for some seconds: the store stays whole' <<'E'
w=0
while [ $w -lt 8 ]; do
	w=$((w + 1))
	(
		end=$(($(date +%s) + 3))
		i=0
		while [ "$(date +%s)" -lt $end ]; do
			i=$((i + 1))
			echo "{\"path\": \"ikigai:///t/shared\", \"text\": \"$w $i\"}" |
				ikm call fs_append >/dev/null || exit 1
			echo "{\"path\": \"own.$w\", \"content\": \"$w $i\"}" |
				ikm call file_write >/dev/null || exit 1
		done
		echo $i >../wrote.$w
	) 2>>../errors &
done
wait
same 8 "$(ls ../wrote.* | wc -l)"
same ok "$(sqlite3 "$HOME/.ikigai/ikm.db" 'pragma integrity_check')"
same '' "$(sqlite3 "$HOME/.ikigai/ikm.db" 'pragma foreign_key_check')"
w=0
while [ $w -lt 8 ]; do
	w=$((w + 1))
	n=$(cat ../wrote.$w)
	same "$(seq -f "$w %g" "$n")" "$(ikm read ikigai:///t/shared | grep "^$w ")"
	same "$w $n" "$(ikm read own.$w)"
done
E
done_testing
