import Foundation

extension CommandLineInterface {
    private static let signForm = "neuroviews-server sign METHOD URL --key BASE64 [--body FILE] [--version 1|2]"

    static func signRequest(_ arguments: ArraySlice<String>) throws(UsageError) -> SignRequest {
        let words = try ArgumentWords(arguments)
        if let stranger = words.options.first(where: { !["key", "body", "version"].contains($0.name) }) {
            throw .usage("sign has no \(stranger.flag): write \(signForm).")
        }
        guard words.positional.count == 2 else { throw .usage("Write \(signForm).") }
        return SignRequest(
            method: try method(words.positional[0]),
            url: try absoluteURL(words.positional[1]),
            key: try key(words.value("key")),
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

    /// The key itself never stands in an error sentence.
    private static func key(_ text: String?) throws(UsageError) -> [UInt8] {
        guard let text else { throw .usage("--key is missing: write the signing_key that login answered.") }
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
            throw .usage("--key is not valid: it must be the Base64 of 32 bytes, the signing_key that login answered.")
        }
        return Array(bytes)
    }

    private static func version(_ text: String) throws(UsageError) -> Int {
        guard let version = Int(text), (1...2).contains(version) else {
            throw .usage("--version is \"\(text)\": it must be 1 or 2.")
        }
        return version
    }
}
