/// The scripts that let a shell ask this program for completions. `neuroviews complete -- WORD…` prints a line for each
/// candidate: the word, a tab, and its explanation.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// bash gives words as they are written, with quotes and backslashes, and wants candidates in that form.
    private static let bashText = #"""
        # bash completion for neuroviews
        _neuroviews() {
            local line word
            local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
            words=("${words[@]//[\\\"\']/}")
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == :files ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
                else
                    printf -v word %q "${line%%$'\t'*}"
                    COMPREPLY+=("$word")
                fi
            done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
        }
        complete -F _neuroviews neuroviews

        """#

    private static let zshText = #"""
        #compdef neuroviews
        # zsh completion for neuroviews
        _neuroviews() {
            local line
            local -a candidates
            for line in "${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
                if [[ $line == :files ]]; then
                    _files
                elif [[ -n $line ]]; then
                    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
                fi
            done
            (( ! $#candidates )) || _describe -t values neuroviews candidates
        }
        if [[ ${funcstack[1]} == _neuroviews ]]; then _neuroviews "$@"; else compdef _neuroviews neuroviews; fi

        """#

    private static let fishText = #"""
        # fish completion for neuroviews
        function __neuroviews_complete
            set -l typed (string unescape -- (commandline -ct))
            or set typed (string trim --left --chars "\"'" -- (commandline -ct))
            set -l words (commandline -opc) "$typed"
            for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
                if test "$line" = :files
                    __fish_complete_path (commandline -ct)
                else
                    echo $line
                end
            end
        end
        complete -c neuroviews -f -a '(__neuroviews_complete)'

        """#
}
