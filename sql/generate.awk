# Statements and migrations into C: awk -v what=enum|text|migrations -f generate.awk FILE…
function c_string(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\\n\""
}
BEGIN {
	if (what == "enum")
		print "/* Made from sql/query.sql. */\nenum db_query {"
	else if (what == "text")
		print "static const struct { const char *name, *text; } queries[] = {"
	else
		print "static const char *const migrations[] = {"
}
what == "migrations" {
	if (FNR == 1 && NR > 1)
		print "\t,"
	print "\t" c_string($0)
	next
}
/^-- name: / {
	if (name && !ended) {
		print FILENAME ":" FNR ": the statement before has no semicolon" >"/dev/stderr"
		exit 1
	}
	name = $3
	ended = 0
	if (what == "enum")
		print "\tQ_" toupper(name) ","
	else
		print "\t{\"" name "\", "
	next
}
/^--/ || !NF { next }
{
	if (!name || ended) {
		print FILENAME ":" FNR ": a statement without a name" >"/dev/stderr"
		exit 1
	}
	ended = /;[ \t]*$/
	if (what == "text")
		print "\t " c_string($0) (ended ? "}," : "")
}
END {
	if (what == "migrations")
		print "\t,"
	print (what == "enum" ? "\tDB_QUERIES\n};" : "};")
}
