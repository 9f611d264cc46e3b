/// The sites and apps that use the passkeys of a domain.
package struct PasskeyUsers: Equatable, Sendable {
    /// Origins, in the form that browsers send.
    var sites: [String] = []
    /// In the form that Android sends: `android:apk-key-hash:` and the hash.
    var androidApps: [String] = []
    /// Team and bundle identifiers. `/.well-known/apple-app-site-association` names them, without which iOS has no
    /// passkeys. These apps send an origin of the domain.
    package var appleApps: [String] = []

    private static let androidPrefix = "android:apk-key-hash:"
    private static let applePrefix = "ios:"

    /// Nobody is named.
    init() {}

    /// Reads names with commas between them; nil if one is none.
    init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part.drop { $0 == " " })
            if name.hasPrefix(Self.androidPrefix) {
                guard Self.isHash(name.dropFirst(Self.androidPrefix.count)) else { return nil }
                androidApps.append(name)
            } else if name.hasPrefix(Self.applePrefix) {
                guard Self.isApp(name.dropFirst(Self.applePrefix.count)) else { return nil }
                appleApps.append(String(name.dropFirst(Self.applePrefix.count)))
            } else {
                guard let site = Origin.list(name)?.first else { return nil }
                sites.append(site)
            }
        }
    }

    /// All names, as they are set.
    var all: [String] { sites + androidApps + appleApps.map { Self.applePrefix + $0 } }

    /// A domain in lower case. Passkeys do not work with IP addresses; `localhost` is for tests.
    static func domain(_ text: String) -> String? {
        let name = text.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
        let isAddress = labels.last?.utf8.allSatisfy { (48...57).contains($0) } ?? true
        return isName && !isAddress && name.utf8.count <= 253 && (labels.count > 1 || name == "localhost") ? name : nil
    }

    /// The SHA-256 of the certificate, in base64url.
    private static func isHash(_ text: Substring) -> Bool {
        text.utf8.count == 43 && text.utf8.allSatisfy { isLetterOrDigit($0) || "-_".utf8.contains($0) }
    }

    private static func isApp(_ text: Substring) -> Bool {
        let (team, bundle) = (text.prefix(10), text.dropFirst(10))
        let isTeam = team.utf8.count == 10 && team.utf8.allSatisfy { isLetterOrDigit($0) }
        let isBundle = bundle.utf8.allSatisfy { isLetterOrDigit($0) || "-.".utf8.contains($0) }
        return isTeam && isBundle && bundle.hasPrefix(".") && bundle.utf8.count > 1
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
