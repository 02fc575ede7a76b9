# rules.sh: sourced by benchmarks: rules DIR writes 50 rules as a decision in DIR/.knowledge, of
# which five are about what must be present, and `patterns` prints those about text.
patterns() {
	i=0
	for word in strcpy sprintf gets system popen mktemp tmpnam alloca setjmp longjmp vfork \
		rand srand strtok asctime ctime gmtime localtime readdir getenv putenv setenv \
		atoi atol atof scanf sscanf vsprintf strcat strncat bcopy bzero index rindex \
		usleep gethostbyname inet_ntoa inet_addr getpwnam getgrnam getlogin ttyname \
		crypt encrypt ecvt; do
		i=$((i + 1))
		[ $i -le "$1" ] || break
		case $((i % 3)) in
		0) printf '%s\n' "$word\\(" ;;
		1) printf '%s\n' "${word}[ ]*\\([^)]*argv" ;;
		2) echo "${word}_(unsafe|old|legacy)" ;;
		esac
	done
}

rules() {
	mkdir -p "$1/.knowledge/policies"
	{
		printf -- '---\nstatus: accepted\nseverity: warn\nconstraints:\n'
		patterns 45 | while IFS= read -r p; do
			printf "  - {operator: must_not_use, target: code, pattern: '%s'}\n" "$p"
		done
		for p in README.md LICENSE Makefile .gitignore docs; do
			printf "  - {operator: must_use, target: file, pattern: '/%s'}\n" "$p"
		done
		printf -- '---\n# Rules\n'
	} >"$1/.knowledge/policies/rules.md"
}
