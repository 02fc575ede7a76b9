# The lines of lib and cmd that tests ran, from the trace file of lcov: a table of areas and modules,
# and in the file `blocks` a line for each block that no test ran: lines, place, function, its first
# line. Of these lines the last rows tell how many only a mistake of ours, a failed allocation or
# a reported error would run.
#
# With `target` and `files` one row for a fuzz target: of these files, without what only a failed
# allocation or a mistake of ours would run. Functions that it never calls are a number apart.
BEGIN {
	FS = "[:,]"
	ends = target ? 90 : 92
	split(files, wanted, " ")
	for (i in wanted)
		is_wanted[wanted[i]] = 1
}

function row(name) {
	return sprintf("%-20s %7d %7d %6.1f", name, lines[name], ran[name], lines[name] ? 100 * ran[name] / lines[name] : 0)
}

function block_end(  line, i) {
	if (!from)
		return
	while (read < from && (getline line < file) > 0)
		text = (++read == from) ? line : text
	sub(/^[ \t]+/, "", text)
	printf "%d %s:%d-%d %s: %s\n", n, file, from, to, name[of], called ? "is never called" : text >>blocks
	kind = called ? "never called" : text ~ /(^|[^A-Z])BUG\(/ ? "BUG" : \
		text ~ /out_of_memory\(/ ? "no memory" : text ~ /err_|return e;|_bad\(/ ? "error" : "other"
	left[kind] += n
	if (kind == "no memory" || kind == "BUG")
		spared += n
	from = n = 0
}

$1 == "SF" {
	ours = match($0, /(lib\/[^\/]*\/[^\/]*|cmd)\/[^\/]*\.[ch]$/)
	file = substr($0, RSTART)
	ours = ours && (!target || file in is_wanted)
	area = file
	sub(/^lib\//, "", area)
	sub(/\/[^\/]*$/, "", area)
	split("", name)
	read = 0
	of = 0
}
!ours { next }
$1 == "FN" { name[$2] = $NF }
$1 == "FNDA" { runs[$NF] = $2 }
$1 == "DA" {
	if ($2 in name) {
		block_end()
		of = $2
		called = !runs[name[of]]
	}
	if (target && called) {
		other++
		next
	}
	for (key = area; key; key = key == "all" ? "" : key ~ /\// ? substr(key, 1, index(key, "/") - 1) : "all") {
		lines[key]++
		ran[key] += $3 > 0
	}
	if ($3 > 0) {
		block_end()
	} else {
		from = from ? from : $2
		to = $2
		n++
	}
}
$1 == "end_of_record" {
	block_end()
	close(file)
}

END {
	printf "" >>blocks
	if (target) {
		lines[target] = lines["all"] - spared
		ran[target] = ran["all"]
		printf "%s %7d\n", row(target), other
		exit !lines[target] || 100 * ran[target] < ends * lines[target]
	}
	printf "%-20s %7s %7s %6s\n", "module", "lines", "run", "%"
	fflush()
	order = "LC_ALL=C sort"
	for (key in lines)
		if (key != "all")
			print row(key) | order
	close(order)
	print row("all")
	for (kind in left)
		printf "not run, %-12s %6d\n", kind, left[kind]
	exit 100 * ran["all"] < ends * lines["all"]
}
