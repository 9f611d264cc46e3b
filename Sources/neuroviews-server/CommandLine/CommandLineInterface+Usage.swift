import Operations
import Settings

extension CommandLineInterface {
    private static let usageForm = "neuroviews-server usage [--from DATE] [--to DATE] [--json | --html FILE]"

    static func usage(_ words: ArgumentWords, _ sources: SettingSources) throws(UsageError) -> Invocation {
        var words = words
        var options = UsageOptions(from: words.take("from"), to: words.take("to"))
        switch (words.take("json"), words.take("html")) {
        case (nil, nil): break
        case (.some, nil): options.form = .json
        case (nil, let file?): options.form = .html(file)
        case (.some, .some): throw .usage("Write \(usageForm): either --json or --html.")
        }
        let settings = try settings(words, sources)
        try refuse(words.positional, of: .usage)
        return .usage(options, settings: settings)
    }
}
