import CommandWords
import NeuroViewsCrypto
import Settings

extension CommandLineInterface {
    private static let signForm =
        "neuroviews-server sign METHOD URL --key-file FILE [--body FILE] [--header FIELD]... [--version 1|3]"

    static func signRequest(_ arguments: ArraySlice<String>) throws(UsageError) -> SignRequest {
        let words = try ArgumentWords(arguments, repeatable: ["--header"])
        guard words.value("key") == nil else { throw .usage(keyOnCommandLine) }
        if let stranger = words.options.first(where: { !["key_file", "body", "version", "header"].contains($0.name) }) {
            throw .usage("sign has no \(stranger.flag): write \(signForm).")
        }
        guard words.positional.count == 2 else { throw .usage("Write \(signForm).") }
        let version = try version(words.value("version") ?? "3")
        return SignRequest(
            method: try method(words.positional[0]),
            url: try absoluteURL(words.positional[1]),
            keyPath: try keyPath(words.value("key_file")),
            bodyPath: words.value("body"),
            version: version,
            covered: try signedHeaders(words, version)
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
        guard let version = Int(text), [1, 3].contains(version) else {
            throw .usage("--version is \"\(text)\": it must be 1 or 3.")
        }
        return version
    }

    private static func signedHeaders(_ words: ArgumentWords, _ version: Int) throws(UsageError) -> [SignedHeader] {
        var headers: [SignedHeader] = []
        for option in words.options where option.name == "header" { headers.append(try signedHeader(option.value)) }
        guard version == 3 else {
            guard headers.isEmpty else { throw .usage("Version 1 signs no --header: leave --version out.") }
            return []
        }
        if words.value("body") != nil, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers.append(SignedHeader(name: "Content-Type", value: "application/json"))
        }
        return headers
    }

    private static func signedHeader(_ text: String) throws(UsageError) -> SignedHeader {
        let parts = text.split(separator: ":", maxSplits: 1)
        let value = parts.last.map { $0.drop { $0 == " " } } ?? ""
        guard parts.count == 2, !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw .usage("--header is \"\(text)\": write it as 'NAME: VALUE'.")
        }
        guard SignedFields.names.contains(parts[0].lowercased()) else {
            throw .usage("\(parts[0]) is not signed: --header takes \(SignedFields.names.joined(separator: ", ")).")
        }
        return SignedHeader(name: String(parts[0]), value: String(value))
    }
}
