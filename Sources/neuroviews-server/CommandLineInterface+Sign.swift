extension CommandLineInterface {
    private static let signForm = "neuroviews-server sign METHOD URL --key-file FILE [--body FILE] [--version 1|2]"

    static func signRequest(_ arguments: ArraySlice<String>) throws(UsageError) -> SignRequest {
        let words = try ArgumentWords(arguments)
        guard words.value("key") == nil else { throw .usage(keyOnCommandLine) }
        if let stranger = words.options.first(where: { !["key_file", "body", "version"].contains($0.name) }) {
            throw .usage("sign has no \(stranger.flag): write \(signForm).")
        }
        guard words.positional.count == 2 else { throw .usage("Write \(signForm).") }
        return SignRequest(
            method: try method(words.positional[0]),
            url: try absoluteURL(words.positional[1]),
            keyPath: try keyPath(words.value("key_file")),
            bodyPath: words.value("body"),
            version: try version(words.value("version") ?? "1")
        )
    }

    private static func method(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw .usage("\"\(text)\" is not a method: write GET, POST, PUT, PATCH or DELETE.")
        }
        return text
    }

    private static func absoluteURL(_ text: String) throws(UsageError) -> String {
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isPrintable, text.hasPrefix("http://") || text.hasPrefix("https://") else {
            throw .usage(
                "\"\(text)\" is not an absolute URL: write it as the client sends it, with http:// or https://."
            )
        }
        return text
    }

    private static let keyOnCommandLine =
        "--key is no longer taken, since everybody on this machine can read a command line: write the key into a file and "
        + "name it with --key-file."

    private static func keyPath(_ text: String?) throws(UsageError) -> String {
        guard let text else {
            throw .usage("--key-file is missing: name a file with the signing_key that login answered.")
        }
        return text
    }

    private static func version(_ text: String) throws(UsageError) -> Int {
        guard let version = Int(text), (1...2).contains(version) else {
            throw .usage("--version is \"\(text)\": it must be 1 or 2.")
        }
        return version
    }
}
