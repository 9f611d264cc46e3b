import CommandWords
import Operations
import Settings

extension CommandLineInterface {
    static func usage(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        var options = UsageOptions(from: words.take("from"), to: words.take("to"))
        if words.take("json") != nil { options.form = .json }
        options.areCrashes = words.take("crashes") != nil
        let settings = try settings(words, sources)
        try refuse(words.positional, of: .usage)
        return .usage(options, settings: settings)
    }

    static func console(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        let isReadOnly = words.take("read_only") != nil
        let text = words.take("port") ?? "0"
        guard let port = UInt16(text) else { throw .usage("--port is \"\(text)\": write a number from 0 to 65535.") }
        let settings = try settings(words, sources)
        try refuse(words.positional, of: .console)
        return .console(port: port, isReadOnly: isReadOnly, settings: settings)
    }
}
