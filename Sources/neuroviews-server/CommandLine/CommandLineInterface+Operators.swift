import CloudSync
import CommandWords
import JSONSchema
import Operations
import Settings

extension CommandLineInterface {
    static func doctor(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let isJSON = words.take("json") != nil
        try refuse(words.positional, of: .doctor)
        do throws(UsageError) {
            return .doctor(.success(try settings(words, sources)), isJSON: isJSON)
        } catch {
            // A wrong command line is an error of this call; a wrong line in a file is a finding.
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
        var words = words
        let (key, recipient) = (words.take("key_file"), words.take("recipient"))
        let settings = try settings(words, sources)
        guard words.positional.count == 1, words.positional != ["-"] else {
            throw .usage("Write neuroviews-server backup FILE [--key-file KEY] [--recipient RECIPIENT].")
        }
        return .backup(BackupOptions(file: words.positional[0], keyPath: key, recipient: recipient), settings: settings)
    }

    static func restore(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let replaces = words.take("replace") != nil
        let (key, identity) = (words.take("key_file"), words.take("identity"))
        let isTrusted = words.take("unauthenticated") != nil
        let settings = try settings(words, sources)
        guard words.positional.count == 1, words.positional != ["-"], (key == nil) == isTrusted else {
            throw .usage(
                "Write neuroviews-server restore FILE (--key-file KEY | --unauthenticated) [--identity FILE] [--replace]."
            )
        }
        return .restore(
            RestoreOptions(file: words.positional[0], keyPath: key, identity: identity, replaces: replaces),
            settings: settings
        )
    }

    static func user(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let ends = words.take("end") != nil
        let since = try words.take("since").map(time)
        let settings = try settings(words, sources)
        let word = words.positional.first ?? ""
        if words.positional.count == 2, word == "add", !ends, since == nil {
            let email = MailAddress.spelling(of: words.positional[1])
            guard EmailAddress(email) != nil else { throw notAnAddress(email) }
            return .userAdd(email: email, settings: settings)
        }
        if words.positional.count == 1, word == "events", !ends {
            return .user(.events(since: since), settings: settings)
        }
        guard since == nil, let action = try userAction(word, words.positional.dropFirst(), ends: ends) else {
            throw .usage(
                "Write neuroviews-server user list, user trail, user events [--since TIME], "
                    + "user sessions EMAIL [--end], or user (add | show | disable | enable | password | remove-app | delete) EMAIL."
            )
        }
        return .user(action, settings: settings)
    }

    private static func time(_ text: String) throws(UsageError) -> String {
        guard Timestamp(text) != nil else {
            throw .usage("--since takes a time such as 2026-03-01T12:00:00Z (RFC 3339), not \(text).")
        }
        return text
    }

    /// Returns nil for an unknown action.
    private static func userAction(
        _ word: String,
        _ rest: ArraySlice<String>,
        ends: Bool
    ) throws(UsageError) -> UserAction? {
        switch (word, rest.count, ends) {
        case ("list", 0, false): return .list
        case ("trail", 0, false): return .trail
        default: break
        }
        guard rest.count == 1, let text = rest.first else { return nil }
        let email = try email(text)
        switch (word, ends) {
        case ("show", false): return .show(email)
        case ("sessions", false): return .sessions(email)
        case ("sessions", true): return .endSessions(email)
        case ("disable", false): return .disable(email)
        case ("enable", false): return .enable(email)
        case ("password", false): return .password(email)
        case ("remove-app", false): return .removeApp(email)
        case ("delete", false): return .delete(email)
        default: return nil
        }
    }

    static func invite(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        let settings = try settings(words, sources)
        guard words.positional.count == 1 else { throw .usage("Write neuroviews-server invite EMAIL.") }
        return .invite(email: try email(words.positional[0]), settings: settings)
    }

    static func secret(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        let settings = try settings(words, sources)
        guard words.positional.count == 1, let action = SecretCommand.Action(rawValue: words.positional[0]) else {
            throw .usage("Write neuroviews-server secret rotate, or secret compromised.")
        }
        return .secret(action, settings: settings)
    }

    static func admin(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let (all, account) = (words.take("all"), words.take("account"))
        let settings = try settings(words, sources)
        switch (words.positional, all, account) {
        case (["reset-clients"], .some, nil): return .resetClients(.all, settings: settings)
        case (["reset-clients"], nil, let account?):
            return .resetClients(.one(email: try email(account)), settings: settings)
        case (["accept-clock"], nil, nil): return .acceptClock(settings)
        default:
            throw .usage(
                "Write neuroviews-server admin reset-clients --account EMAIL, or --all; or admin accept-clock."
            )
        }
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

    static func refuse(_ positional: [String], of command: Command) throws(UsageError) {
        guard let word = positional.first else { return }
        throw .usage("\(command.rawValue) takes no \"\(word)\": settings are written --name value.")
    }
}
