#!/bin/sh
# The cases of toml-test, as Debian's golang-github-burntsushi-toml-dev ships them, against
# lib/text/toml. IKM_TOML_TEST is another folder with valid/ and invalid/.
# The bodies call the functions, which shellcheck does not see.
# shellcheck source=t/lib.sh disable=SC2317
. "$(dirname "$0")/../lib.sh"

gocode=/usr/share/gocode/src/github.com/BurntSushi/toml/internal/toml-test/tests
suite=${IKM_TOML_TEST:-$gocode}
needs golang-github-burntsushi-toml-dev "$suite/valid" "$suite/invalid"

parse() {
	"$BUILD/tool/parse" toml "$1"
}

# Cases of TOML 1.1, which ikm does not claim: \e and \x in a string, a time without seconds, lines in
# an inline table, and letters in a bare key.
is_later() {
	case ${1#"$suite/"} in
	valid/string/escape-esc.toml | valid/string/hex-escape.toml) ;;
	valid/datetime/no-seconds.toml | valid/inline-table/newline.toml | valid/key/unicode.toml) ;;
	*) return 1 ;;
	esac
}

# Values have several right texts: floats count by value (and -0 is 0), T and Z in capitals,
# fractions without the zeros at their end.
cat >normal.jq <<'E'
def float: ltrimstr("+") | if test("inf|nan") then . else tonumber + 0 end;
def time: ascii_upcase | sub(" "; "T")
	| sub("(?<f>\\.[0-9]*?)0+(?<z>Z|[+-]|$)"; .f + .z) | sub("\\.(?<z>Z|[+-]|$)"; .z);
def normal:
	if type == "array" then map(normal)
	elif keys != ["type", "value"] or (.value | type) != "string" then map_values(normal)
	elif .type == "float" then .value |= float
	elif .type | test("date|time") then .value |= time
	else . end;
normal
E

try 'what is valid is read as expected' <<'E'
# One jq for all: it takes longer to start than all of this.
for f in $(find "$suite/valid" -name '*.toml' | sort); do
	if is_later "$f"; then
		fails 1 parse "$f"
		continue
	fi
	parse "$f" >out || { echo "$f: refused" && cat out && exit 1; }
	cat out >>ours.json
	cat "${f%.toml}.json" >>theirs.json
	echo "$f" >>names
done
jq -cS -f normal.jq ours.json | paste names - >ours
jq -cS -f normal.jq theirs.json | paste names - >theirs
diff -u theirs ours
[ "$(wc -l <names)" -ge 99 ]
E

# A crash or a sanitizer's finding shows as an exit status that is neither 0 nor 1.
more 'what is invalid is refused, with its place' <<'E'
bad=0 seen=0
for f in $(find "$suite/invalid" -name '*.toml' | sort); do
	seen=$((seen + 1)) rc=0
	parse "$f" >out 2>&1 || rc=$?
	[ "$rc" = 1 ] && grep -qE '^line [0-9]+, column [0-9]+: .' out && continue
	bad=$((bad + 1)) && echo "$f: exit $rc" && sed 3q out
done
echo "$seen cases, $bad of them wrong"
[ "$bad" = 0 ] && [ "$seen" -ge 200 ]
E

done_testing
