# fish completion for ikm: all candidates come from `ikm --complete`.
function __ikm_complete
    set -l typed (commandline -ct)
    switch $typed
        case '"*' "'*"
            set typed (string sub -s 2 -- $typed)
        case '*'
            set typed (string unescape -- $typed)
    end
    set -l words (commandline -opc) "$typed"
    for line in (ikm --complete (math (count $words) - 1) $words 2>/dev/null)
        set -l word (string split -m 1 \t -- $line)
        switch $word[1]
            case :files
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- $typed)
            case :dirs
                __fish_complete_directories (string replace -r '^--[^=]*=' '' -- $typed) ''
            case :paths
            case '*@*' "$typed*"
                echo $line
            case '*'
                # Behind --type= and -c key= ikm gives the value alone.
                if string match -q '*=*' -- $typed
                    echo (string replace -r '=.*' = -- $typed)$line
                else
                    echo $line
                end
        end
    end
end
complete -c ikm -f -k -a '(__ikm_complete)'
