extension CommandLineInterface {
    static func doctor(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let isJSON = words.take("json") != nil
        try refuse(words.positional, of: .doctor)
        do throws(UsageError) {
            return .doctor(.success(try settings(words, sources)), isJSON: isJSON)
        } catch {
            // A wrong word on this command line is a slip; a wrong line in a file is a finding.
            guard error.status == .configuration else { throw error }
            return .doctor(.failure(error), isJSON: isJSON)
        }
    }

    static func migrate(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let isTrial = words.take("dry_run") != nil
        let settings = try settings(words, sources)
        switch (words.positional, isTrial) {
        case ([], false), (["up"], false): return .migrate(settings)
        case ([], true), (["up"], true): return .migrateTrial(settings)
        case (["status"], false): return .migrateStatus(settings)
        default: throw .usage("Write neuroviews-server migrate [up [--dry-run] | status].")
        }
    }

    static func backup(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        let settings = try settings(words, sources)
        guard words.positional.count == 1, words.positional != ["-"] else {
            throw .usage("Write neuroviews-server backup FILE.")
        }
        return .backup(file: words.positional[0], settings: settings)
    }

    static func restore(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let replaces = words.take("replace") != nil
        let settings = try settings(words, sources)
        guard words.positional.count == 1, words.positional != ["-"] else {
            throw .usage("Write neuroviews-server restore FILE [--replace].")
        }
        return .restore(file: words.positional[0], replaces: replaces, settings: settings)
    }

    static func user(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        let settings = try settings(words, sources)
        switch (words.positional.first, words.positional.count) {
        case ("add", 2): return .userAdd(email: try email(words.positional[1]), settings: settings)
        case ("password", 2): return .userPassword(email: try email(words.positional[1]), settings: settings)
        default: throw .usage("Write neuroviews-server user add EMAIL, or user password EMAIL.")
        }
    }

    static func admin(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let accounts: ResetAccounts
        switch (words.take("all"), words.take("account")) {
        case (.some, nil): accounts = .all
        case (nil, let account?): accounts = .one(email: try email(account))
        default: throw .usage(resetClientsForm)
        }
        let settings = try settings(words, sources)
        guard words.positional == ["reset-clients"] else { throw .usage(resetClientsForm) }
        return .resetClients(accounts, settings: settings)
    }

    static func storage(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let (repairs, readsFiles) = (words.take("repair") != nil, words.take("digests") != nil)
        let settings = try settings(words, sources)
        guard words.positional == ["check"] else {
            throw .usage("Write neuroviews-server storage check [--digests] [--repair].")
        }
        return .storageCheck(repairs: repairs, readsFiles: readsFiles, settings: settings)
    }

    private static let resetClientsForm = "Write neuroviews-server admin reset-clients --account EMAIL, or --all."

    static func refuse(_ positional: [String], of command: Command) throws(UsageError) {
        guard let word = positional.first else { return }
        throw .usage("\(command.rawValue) takes no \"\(word)\": settings are written --name value.")
    }
}
