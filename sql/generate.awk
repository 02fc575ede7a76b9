# Statements and migrations into C:
#   awk -v what=enum|text|migrations [-v prefix=Q_ -v type=db_query] -f generate.awk FILE…
# With what=sql: the statements with their parts, for tests.
function c_string(s) {
	gsub(/\\/, "&&", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\\n\""
}
function fail(why) {
	print FILENAME ":" FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}
function with_parts(s,	of) {
	while (match(s, /[{][a-z_]+[}]/)) {
		of = substr(s, RSTART + 1, RLENGTH - 2)
		if (!(of in parts))
			fail("no part " of " above")
		s = substr(s, 1, RSTART - 1) "(" parts[of] ")" substr(s, RSTART + RLENGTH)
	}
	return s
}
BEGIN {
	prefix = prefix ? prefix : "Q_"
	type = type ? type : "db_query"
	if (what == "enum")
		print "/* Made from " ARGV[1] ". */\nenum " type " {"
	else if (what == "text")
		print "static const struct { const char *name, *text; } queries[] = {"
	else if (what == "migrations")
		print "static const char *const migrations[] = {"
}
what == "migrations" {
	if (FNR == 1 && NR > 1)
		print "\t,"
	print "\t" c_string($0)
	next
}
/^-- (name|part): / {
	if (name && !ended)
		fail("the statement before has no semicolon")
	name = $3
	part = $2 == "part:"
	ended = 0
	if (part && name in parts)
		fail("the part " name " again")
	if (part)
		next
	if (what == "enum")
		print "\t" prefix toupper(name) ","
	else if (what == "text")
		print "\t{\"" name "\", "
	else
		print
	next
}
/^--/ || !NF { next }
{
	if (!name || ended)
		fail("a statement without a name")
	$0 = with_parts($0)
	ended = /;[ \t]*$/
	if (part && /--/)
		fail("a comment in a part")
	if (part) {
		sub(/^[ \t]+/, "")
		sub(/;[ \t]*$/, "")
		parts[name] = parts[name] (parts[name] == "" ? "" : " ") $0
	} else if (what == "text") {
		print "\t " c_string($0) (ended ? "}," : "")
	} else if (what == "sql") {
		print
	}
}
END {
	if (failed)
		exit 1
	if (name && !ended)
		fail("the last statement has no semicolon")
	if (what == "sql")
		exit
	if (what == "migrations")
		print "\t,"
	print (what == "enum" ? "\t" toupper(substr(type, 1, 2)) "_QUERIES\n};" : "};")
}
