# bash completion for ikm: all candidates come from `ikm --complete`.
_ikm() {
	local line word
	COMPREPLY=()
	while IFS= read -r line; do
		word=${line%%$'\t'*}
		case $word in
		:files) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$2")) ;;
		:dirs) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$2")) ;;
		*) COMPREPLY+=("$word") ;;
		esac
	done < <(ikm --complete "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
}
complete -F _ikm ikm
