# Statements and migrations into C:
#   awk -v what=enum|text|migrations [-v prefix=Q_ -v type=db_query] -f generate.awk FILE…
function c_string(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\\n\""
}
BEGIN {
	prefix = prefix ? prefix : "Q_"
	type = type ? type : "db_query"
	if (what == "enum")
		print "/* Made from " ARGV[1] ". */\nenum " type " {"
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
		print "\t" prefix toupper(name) ","
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
	print (what == "enum" ? "\t" toupper(substr(type, 1, 2)) "_QUERIES\n};" : "};")
}
