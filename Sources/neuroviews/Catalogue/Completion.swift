/// What may follow the words of an unfinished command line: for all shells, made of the table of commands.
struct Completion {
    /// A line of this text asks the shell for the names of files.
    static let files = ":files"

    struct Candidate: Equatable {
        let word: String
        var explanation = ""
    }

    /// The words after the program's name; the last one is being typed, and may be empty.
    let words: [String]
    /// The items of a kind, from the profile's store.
    let items: (Operand) async -> [(id: String, name: String)]

    var candidates: [Candidate] {
        get async {
            let typed = words.last ?? ""
            guard let entry = words.dropLast().lazy.compactMap({ Catalogue.entry($0) }).first(where: { !$0.isHidden })
            else {
                return fitting(Catalogue.shown.map { Candidate(word: $0.name, explanation: $0.summary) }, typed)
            }
            if typed.hasPrefix("-") {
                return fitting(
                    entry.allOptions.map { Candidate(word: $0.flag, explanation: $0.explanation) }
                        + [Candidate(word: "--help", explanation: "explain the command")],
                    typed
                )
            }
            let open = words.dropLast().last.flatMap { word in
                entry.allOptions.first { $0.flag == word && $0.value != nil }
            }
            return await candidates(of: open?.operand ?? operand(of: entry), typed)
        }
    }

    /// The operand that is being typed: those before it are counted without options and their values.
    private func operand(of entry: CommandEntry) -> Operand? {
        var count = -1
        var isValue = false
        for word in words.dropLast() {
            if isValue {
                isValue = false
            } else if let option = entry.allOptions.first(where: { $0.flag == word }) {
                isValue = option.value != nil
            } else if !word.hasPrefix("-") {
                count += 1
            }
        }
        return entry.operand(count)
    }

    private func candidates(of operand: Operand?, _ typed: String) async -> [Candidate] {
        switch operand {
        case .words(let words): return fitting(words.map { Candidate(word: $0) }, typed)
        case .command: return fitting(Catalogue.shown.map { Candidate(word: $0.name, explanation: $0.summary) }, typed)
        case .file: return [Candidate(word: Self.files)]
        case .configuration, .upload, .lostEdit:
            guard let operand else { return [] }
            return itemCandidates(await items(operand), typed)
        case .other, nil: return []
        }
    }

    /// Names are what people know; ids are offered to somebody who types one. A name that two items have is of no use.
    private func itemCandidates(_ items: [(id: String, name: String)], _ typed: String) -> [Candidate] {
        let named = items.filter { item in
            !item.name.isEmpty && Shown.text(item.name) == item.name && !item.name.hasPrefix("-")
                && items.filter { $0.name == item.name }.count == 1
        }
        let names = named.map { Candidate(word: $0.name, explanation: $0.id) }
        let ids = items.filter { item in !typed.isEmpty || !named.contains { $0.id == item.id } }
            .map { Candidate(word: $0.id, explanation: Shown.text($0.name)) }
        return fitting(names + ids, typed)
    }

    private func fitting(_ candidates: [Candidate], _ typed: String) -> [Candidate] {
        candidates.filter { $0.word.hasPrefix(typed) }
    }
}
