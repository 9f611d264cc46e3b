import Net
import NeuroViewsJSON

/// An OpenID provider in the operator's configuration.
package struct ProviderEntry: Equatable {
    /// The source of its keys.
    package enum KeySource: Equatable {
        case url(String)
        case file(String)
    }

    package let name: String
    package let issuer: String
    package let audiences: [String]
    package let keys: KeySource

    /// A fault of an entry; completes "the entry …".
    struct Fault: Error { let text: String }

    private static let members = ["name", "issuer", "audiences", "jwks_url", "jwks_file"]
    private static let audiencesMax = 20
    private static let textMaxBytes = 255

    /// Reads an entry. A path is relative to `folder`.
    init(_ json: JSONValue, folder: String) throws(Fault) {
        guard let entry = json.object else { throw Fault(text: "is not an object") }
        if let unknown = entry.members.first(where: { !Self.members.contains($0.name) }) {
            throw Fault(
                text:
                    "has the unknown member \"\(unknown.name)\": it takes name, issuer, audiences, and jwks_url or jwks_file"
            )
        }
        name = try Self.name(entry["name"])
        issuer = try Self.url(entry["issuer"], "issuer", maxBytes: Self.textMaxBytes)
        audiences = try Self.audiences(entry["audiences"])
        switch (entry["jwks_url"], entry["jwks_file"]) {
        case (let url?, nil): keys = .url(try Self.url(url, "jwks_url", maxBytes: 2000))
        case (nil, let file?): keys = .file(try Self.path(file, folder))
        default: throw Fault(text: "needs either jwks_url or jwks_file")
        }
    }

    private static func name(_ value: JSONValue?) throws(Fault) -> String {
        let text = value?.string ?? ""
        let isName = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-")
        }
        guard isName, 1...40 ~= text.utf8.count else {
            throw Fault(text: "needs a name of 1 to 40 small letters, digits and hyphens, such as apple")
        }
        return text
    }

    private static func audiences(_ value: JSONValue?) throws(Fault) -> [String] {
        let items = value?.array ?? []
        let texts = items.compactMap(\.string).filter { 1...textMaxBytes ~= $0.utf8.count }
        guard 1...audiencesMax ~= items.count, texts.count == items.count else {
            throw Fault(text: "needs audiences: a list of 1 to \(audiencesMax) client ids of your apps at the provider")
        }
        return texts
    }

    private static func path(_ value: JSONValue, _ folder: String) throws(Fault) -> String {
        guard let path = value.string, !path.isEmpty, !path.utf8.contains(0) else {
            throw Fault(text: "has a jwks_file that is not the path of a file")
        }
        return path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    /// Plain HTTP is allowed only to this machine: keys from the network could be forged.
    private static func url(_ value: JSONValue?, _ member: String, maxBytes: Int) throws(Fault) -> String {
        guard let url = value?.string, url.utf8.count <= maxBytes, isSafe(url) else {
            throw Fault(
                text: "needs \(member): a URL that begins with https://, or with http:// and an address of this machine"
            )
        }
        return url
    }

    private static func isSafe(_ url: String) -> Bool {
        let isClean = url.utf8.allSatisfy { (0x21...0x7e).contains($0) && !Array("#@\"<>\\".utf8).contains($0) }
        guard isClean, let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return false }
        let authority = url.dropFirst(scheme.count).prefix { !"/?".contains($0) }
        guard !authority.isEmpty, authority.first != ":" else { return false }
        return scheme == "https://" || isThisMachine(String(authority))
    }

    private static func isThisMachine(_ authority: String) -> Bool {
        if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
        let host = String(authority.prefix { $0 != ":" })
        return host == "localhost" || (host.hasPrefix("127.") && IPAddress(host) != nil)
    }
}
