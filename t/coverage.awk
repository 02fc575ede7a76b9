# The lines of lib and cmd that tests ran, from the trace file of lcov: a table of areas and modules,
# and in the file `blocks` a line for each block that no test ran: lines, place, function.
BEGIN { FS = "[:,]"; ends = 92 }

function row(name) {
	return sprintf("%-20s %7d %7d %6.1f", name, lines[name], ran[name], 100 * ran[name] / lines[name])
}

function block_end() {
	if (from)
		printf "%d %s:%d-%d %s\n", n, file, from, to, name[of] called >>blocks
	from = n = 0
}

$1 == "SF" {
	ours = match($0, /(lib\/[^\/]*\/[^\/]*|cmd)\/[^\/]*\.[ch]$/)
	file = substr($0, RSTART)
	area = file
	sub(/^lib\//, "", area)
	sub(/\/[^\/]*$/, "", area)
	split("", name)
	of = 0
}
!ours { next }
$1 == "FN" { name[$2] = $NF }
$1 == "FNDA" { runs[$NF] = $2 }
$1 == "DA" {
	if ($2 in name) {
		block_end()
		of = $2
		called = runs[name[of]] ? "" : " is never called"
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
$1 == "end_of_record" { block_end() }

END {
	printf "" >>blocks
	printf "%-20s %7s %7s %6s\n", "module", "lines", "run", "%"
	fflush()
	order = "LC_ALL=C sort"
	for (key in lines)
		if (key != "all")
			print row(key) | order
	close(order)
	print row("all")
	exit 100 * ran["all"] < ends * lines["all"]
}
