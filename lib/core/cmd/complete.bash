# bash completion for ikm: all candidates come from `ikm --complete`.
_ikm() {
	local line word typed quote='' words=() marked=() i
	COMPREPLY=()
	# Readline splits at '=', ':' and '@' too, so --type=adr comes as three words, ikigai:///a as
	# three, and @src as two.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i > 1)) && [[ $word = [=:] || ${COMP_WORDS[i - 1]} = [=:] ||
			${COMP_WORDS[i - 1]} =~ ^@+$ ]]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
	done
	typed=${words[${#words[@]} - 1]}
	case $typed in
	\"* | \'*) quote=${typed:0:1} typed=${typed:1} ;;
	esac
	# What readline will replace of a marker begins here: behind the first of two @.
	i=$((${#typed} - ${#2}))
	[[ -n $quote ]] || typed=${typed//\\/}
	words[${#words[@]} - 1]=$typed
	while IFS= read -r line; do
		word=${line%%$'\t'*}
		case $word in
		:files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$2") ;;
		:paths) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(cut -f1) ;;
		:dirs) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$2") ;;
		*= | *..) compopt -o nospace; COMPREPLY+=("$word") ;;
		*@*) marked+=("$word") ;;
		# Of ikigai:///a, readline replaces only what is behind the colon.
		*:*) COMPREPLY+=("${word#"${typed:0:i}"}") ;;
		*) COMPREPLY+=("$word") ;;
		esac
	done < <(ikm --complete $((${#words[@]} - 1)) "${words[@]}" 2>/dev/null)
	[[ ${#marked[@]} -gt 0 ]] || return 0
	# Several that do not begin as typed would leave only what they share: they are listed (?), or
	# gone through (%), and what was typed stays.
	if [[ ${#marked[@]} -gt 1 && ${marked[0]} != "$typed"* && $COMP_TYPE != 63 && $COMP_TYPE != 37 ]]; then
		return 0
	fi
	for word in "${marked[@]}"; do
		[[ -n $quote ]] || printf -v word %q "$word"
		COMPREPLY+=("${word:i}")
	done
}
complete -F _ikm ikm
