# example.sh: the examples of README.md and of manual pages, as tests run them. Sourced after lib.sh.

# The literal blocks of a page's section, one file each: OUT1, OUT2, … without mdoc's escapes.
# OUT1.head has what stands before the block: its subsection, and the last file that is named.
blocks() { # PAGE OUT SECTION
	awk -v out="$2" -v section="$3" '
	/^\.Sh / { on = substr($0, 5) == section; next }
	!on { next }
	/^\.Ss / { under = substr($0, 5); file = "" }
	/^\.Pp/ { file = "" }
	/^\.Pa / { file = $2 }
	/^\.Bd -literal/ { n++; inside = 1; print under >(out n ".head"); print file >(out n ".head")
		file = ""; next }
	/^\.Ed/ { inside = 0; close(out n); close(out n ".head") }
	inside { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print >(out n) }' "$1"
}

# Runs the commands of a block; says what a command printed where that differs. An expected line
# that ends with "..." stands for any line that begins so; "..." alone for all that follows.
example() { # BLOCK
	command='' expected=''
	example_run() {
		[ -n "$command" ] || return 0
		eval "$command" >"$T/got" 2>&1 || true
		printf '%s' "$expected" >"$T/want"
		awk -v cmd="$command" '
		FILENAME == ARGV[1] { want[NR] = $0; n = NR; next }
		{ m = FNR; w = want[FNR]
		  if (w == "...") { m = n; exit }
		  if (w == $0) next
		  if (w ~ /\.\.\.$/ && index($0, substr(w, 1, length(w) - 3)) == 1) next
		  print "$ " cmd; print "line " FNR; print "  want: " w; print "  got:  " $0; bad = 1 }
		END { if (m < n && !bad) { print "$ " cmd; print "missing: " want[m + 1]; bad = 1 }
		      exit bad }' "$T/want" "$T/got"
	}
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'$ '*) example_run || return 1; command=${line#??} expected='' ;;
		*) expected="$expected$line
" ;;
		esac
	done <"$1"
	example_run
}

# The indented blocks of a section of README.md that have commands, in one file: they follow each
# other.
shown() { # SECTION
	awk -v section="$1" '
	/^## / { on = substr($0, 4) == section }
	!/^    / { block = 0; next }
	!block { block = 1; run = /^    \$ / }
	on && run { print substr($0, 5) }' "$TOP/README.md"
}

# A repository whose decision is prose, and which has a manifest: the one of "In your repository".
prose() { # DIR
	mkdir -p "$1/docs/adr"
	git init -q -b main "$1"
	printf '# %s\n\n## Status\n\nAccepted\n\n## Decision\n\n%s\n' 'Use PostgreSQL' \
		'One team runs PostgreSQL for all of us.' >"$1/docs/adr/0001-use-postgresql.md"
	echo '{"dependencies": {}}' >"$1/package.json"
	git -C "$1" add -A
	git -C "$1" commit -qm 'decide for PostgreSQL'
}
