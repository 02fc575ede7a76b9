#!/bin/sh
# Finds what is exported or shared with one user alone. Prints, sorted:
#   function NAME   a function of lib/ whose one user is another file of its own folder
#   unused NAME     a function of lib/ that no file of lib/ or cmd/ uses but its own
#   file FILE       a source that commands share, in lib/face, and that serves one file
# Reads what nm prints of the objects: the Makefile's build/test/symbols.
set -eu
LC_ALL=C awk '
{
	file = $1
	sub(/^.*\/o\//, "", file)
	sub(/\.o:.*/, ".c", file)
}
# These stand in for functions of libgit2 (lib/repo/git/libgit2_network_stubs.c).
file == "lib/repo/git/libgit2_network_stubs.c" { next }
$2 == "U" { users[$3] = users[$3] " " file }
$2 == "T" && file ~ /^lib/ { home[$3] = file }
function shared(path) {
	return path ~ /^lib\/face\/(assets|decisions|events|exchange|memories|paths|reply|toolbox)\//
}
function folder(path) {
	sub(/[^\/]*$/, "", path)
	return path
}
END {
	for (name in home) {
		file = home[name]
		n = split(users[name], user, " ")
		if (!n)
			print "unused", name
		if (n == 1 && folder(user[1]) == folder(file))
			print "function", name
		if (shared(file))
			for (i = 1; i <= n; i++)
				if (!shared(user[i]) && !seen[file, user[i]]++)
					served[file]++
	}
	for (file in served)
		if (served[file] == 1)
			print "file", file
}' "$1" | LC_ALL=C sort
