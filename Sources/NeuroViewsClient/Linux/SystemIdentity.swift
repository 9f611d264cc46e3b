import FoundationEssentials
import NeuroViewsCrypto

/// The system's id of this device. A store that was copied to another device has another one.
enum SystemIdentity {
    private static let files = ["/etc/machine-id", "/var/lib/dbus/machine-id"]
    private static let digits = 32

    /// A digest, since machine-id(5) itself is secret. Nil if the system has none.
    static func current() -> String? { files.lazy.compactMap { identity(ofFile: $0) }.first }

    static func identity(ofFile path: String) -> String? {
        guard let content = FileManager.default.contents(atPath: path) else { return nil }
        let id = String(decoding: content, as: UTF8.self).lowercased().prefix { !$0.isWhitespace }
        // A system that is being set up has the word "uninitialized", or an empty file.
        guard id.utf8.count == digits, id.allSatisfy(\.isHexDigit) else { return nil }
        return Hex.encode(SHA256.hash(Array("NeuroViews device \(id)".utf8)))
    }
}
