#compdef ikm
# zsh completion for ikm: all candidates come from `ikm --complete`.
_ikm() {
	local line word typed=${(Q)PREFIX} names=''
	local -a asked marked found shown open opened files
	asked=("${(@Q)words[1,CURRENT-1]}" "$typed")
	for line in "${(@f)$(ikm --complete $((CURRENT - 1)) "${asked[@]}" 2>/dev/null)}"; do
		word=${line%%$'\t'*}
		# Behind --type= and -c key= ikm gives the value alone.
		[[ $word = *@* || $word = "$typed"* || $typed != *=* ]] || word=${typed%%=*}=$word
		line=$word${${line#"${line%%$'\t'*}"}:+"  -- ${line#*$'\t'}"}
		# After ":paths" all words are names of files.
		[[ $names != *p* || $word = :* ]] || { files+=("$word"); continue }
		case $word in
		'') ;;
		:files) names+=f ;;
		:dirs) names+=d ;;
		:paths) names+=p ;;
		*@*) marked+=("$word") ;;
		*= | *..) open+=("$word") opened+=("$line") ;;
		*) found+=("$word") shown+=("$line") ;;
		esac
	done
	(($#found)) && compadd -l -d shown -a found
	(($#open)) && compadd -l -S '' -d opened -a open
	(($#files)) && compadd -f -a files
	if [[ $names = *[fd]* ]]; then
		compset -P '--*='
		if [[ $names = *f* ]]; then _files; else _files -/; fi
	fi
	(($#marked)) || return
	# Names that do not begin as typed: one is put in, several are listed.
	[[ $#marked -gt 1 && $marked[1] != "$typed"* ]] && compstate[insert]='' compstate[list]='list force'
	if [[ $#marked -eq 1 && $marked[1] = */ ]]; then compadd -U -S '' -a marked; else compadd -U -a marked; fi
}
if [[ $funcstack[1] = _ikm ]]; then _ikm "$@"; else compdef _ikm ikm; fi
