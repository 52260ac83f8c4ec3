/// Completion for the shells, made from `OptionTable`.
package nonisolated enum CompletionScripts {
  private static var names: [String] { OptionTable.commands.map(\.name) }

  // MARK: - bash

  package static var bash: String {
    var values: [String] = []
    var options: [String] = []
    var operands: [String] = []
    for entry in OptionTable.commands {
      let flags = entry.options.map { "--" + $0.name }.joined(separator: " ")
      options.append("    \(entry.name)) words='\(flags)' ;;")
      for option in entry.options where option.value != nil {
        values.append("    \(entry.name):--\(option.name)) \(bash(CompletionWords(option))) ;;")
      }
      for (word, words) in CompletionWords.following(entry) {
        values.append("    \(entry.name):\(word)) \(bash(words)) ;;")
      }
      operands.append("    \(entry.name)) \(bash(CompletionWords(operandsOf: entry))) ;;")
    }
    return """
      # Completion of parlour for bash: source it, or put it into the folder of bash-completion under the name parlour.
      _parlour_list() {
        "${COMP_WORDS[0]/#\\~/$HOME}" completion words "$1" 2>/dev/null
      }
      _parlour() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=chat words= files=
        COMPREPLY=()
        # The equals sign of --option=value is a word by itself.
        if [[ $cur == '=' ]]; then
          cur=
        elif [[ $prev == '=' ]] && (( COMP_CWORD > 1 )); then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if (( COMP_CWORD > 1 )); then
          case ${COMP_WORDS[1]} in
            \(names.joined(separator: "|"))) command=${COMP_WORDS[1]} ;;
          esac
        fi
        case $command:$prev in
      \(values.joined(separator: "\n"))
          *) if [[ $cur == -* ]]; then
            case $command in
      \(options.joined(separator: "\n"))
            esac
          elif (( COMP_CWORD == 1 )); then
            words="\(names.joined(separator: " ")) $(_parlour_list servers)"
          else
            case $command in
      \(operands.joined(separator: "\n"))
            esac
          fi ;;
        esac
        if [[ $files ]]; then
          compopt -o filenames 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        else
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        fi
      }
      complete -F _parlour parlour

      """
  }

  private static func bash(_ words: CompletionWords) -> String {
    switch words {
    case .words(let words): "words='\(words.joined(separator: " "))'"
    case .files: "files=1"
    case .listed(let kind): "words=$(_parlour_list \(kind))"
    case .nothing: "words="
    }
  }

  // MARK: - zsh

  package static var zsh: String {
    let commands = OptionTable.commands.map { "    '\($0.name):\(zshQuoted($0.summary))'" }
    var cases: [String] = []
    for entry in OptionTable.commands {
      var specs = entry.options.map { option -> String in
        let star = option.isRepeatable ? "*" : ""
        let help = zshQuoted(option.help).replacing("[", with: "\\[").replacing("]", with: "\\]")
        guard let value = option.value else { return "'\(star)--\(option.name)[\(help)]'" }
        let name = zshQuoted(value)
        return
          "'\(star)--\(option.name)=[\(help)]:\(name):\(zsh(CompletionWords(option)))'"
      }
      let operands = CompletionWords(operandsOf: entry)
      if let second = CompletionWords.following(entry).first {
        specs.append("'1:operand:\(zsh(operands))'")
        specs.append("'2:\(second.word):\(zsh(second.words))'")
      } else {
        specs.append("'*:operand:\(zsh(operands))'")
      }
      cases.append(
        "      \(entry.name)) _arguments \\\n          \(specs.joined(separator: " \\\n          ")) ;;"
      )
    }
    return """
      #compdef parlour
      # Completion of parlour for zsh: put it as _parlour into a folder of $fpath.
      _parlour_list() {
        local -a found
        found=(${(f)"$(_call_program $1 parlour completion words $1 2>/dev/null)"})
        compadd -a found
      }
      _parlour() {
        local command=chat
        local -a commands
        commands=(
      \(commands.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
          _describe command commands
          _parlour_list servers
          return
        fi
        if (( CURRENT > 2 )) && [[ -n ${commands[(r)${words[2]}:*]} ]]; then
          command=$words[2]
          shift words
          (( CURRENT-- ))
        fi
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _parlour "$@"
      else
        compdef _parlour parlour
      fi

      """
  }

  private static func zsh(_ words: CompletionWords) -> String {
    switch words {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .files: "_files"
    case .listed(let kind): "{_parlour_list \(kind)}"
    case .nothing: " "
    }
  }

  /// Inside of single quotes, where a colon would end a part.
  private static func zshQuoted(_ text: String) -> String {
    text.replacing("'", with: "’").replacing(":", with: "\\:")
  }

  // MARK: - fish

  package static var fish: String {
    var lines = OptionTable.commands.map {
      "complete -c parlour -n __parlour_first -a \($0.name) -d '\(fishQuoted($0.summary))'"
    }
    lines.append("complete -c parlour -n __parlour_first -a '(__parlour_list servers)' -d server")
    for entry in OptionTable.commands {
      let condition = "-n '__parlour_in \(entry.name)'"
      for option in entry.options {
        let value = option.value == nil ? "" : fish(CompletionWords(option))
        lines.append(
          "complete -c parlour \(condition) -l \(option.name)\(value) -d '\(fishQuoted(option.help))'"
        )
      }
      for case (let word, .listed(let kind)) in CompletionWords.following(entry) {
        lines.append(
          "complete -c parlour -n '__parlour_in \(entry.name); and __parlour_behind \(word)'"
            + " -a '(__parlour_list \(kind))'")
      }
      switch CompletionWords(operandsOf: entry) {
      case .words(let words):
        lines.append("complete -c parlour \(condition) -a '\(words.joined(separator: " "))'")
      case .listed(let kind):
        lines.append("complete -c parlour \(condition) -a '(__parlour_list \(kind))'")
      case .files, .nothing: break
      }
    }
    return """
      # Completion of parlour for fish: put it into ~/.config/fish/completions/parlour.fish.
      function __parlour_list
        parlour completion words $argv[1] 2>/dev/null
      end
      function __parlour_first
        test (count (commandline -opc)) -eq 1
      end
      function __parlour_in
        set -l words (commandline -opc)
        if test (count $words) -gt 1; and contains -- $words[2] \(names.joined(separator: " "))
          test $words[2] = $argv[1]
        else
          test $argv[1] = chat
        end
      end
      function __parlour_behind
        test (commandline -opc)[-1] = $argv[1]
      end
      complete -c parlour -f
      \(lines.joined(separator: "\n"))

      """
  }

  private static func fish(_ words: CompletionWords) -> String {
    switch words {
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    case .files: " -r -F"
    case .listed(let kind): " -x -a '(__parlour_list \(kind))'"
    case .nothing: " -x"
    }
  }

  private static func fishQuoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
