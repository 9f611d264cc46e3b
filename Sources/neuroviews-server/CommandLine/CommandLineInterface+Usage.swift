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
}
