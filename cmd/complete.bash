# bash completion for ikm: all candidates come from `ikm --complete`.
_ikm() {
	local line word words=() i
	COMPREPLY=()
	# Readline splits at '=', so --type=adr comes as three words.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i > 1)) && [[ $word = '=' || ${COMP_WORDS[i - 1]} = '=' ]]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
	done
	while IFS= read -r line; do
		word=${line%%$'\t'*}
		case $word in
		:files) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$2") ;;
		:dirs) compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$2") ;;
		*) COMPREPLY+=("$word") ;;
		esac
	done < <(ikm --complete $((${#words[@]} - 1)) "${words[@]}" 2>/dev/null)
}
complete -F _ikm ikm
