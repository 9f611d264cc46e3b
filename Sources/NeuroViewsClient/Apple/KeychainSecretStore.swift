import Foundation
import Security

/// Secrets in the Keychain of this device.
///
/// They can be read after the first unlock, also while the device is locked: an upload ends, and a token is refreshed, in a pocket.
/// Neither backups nor iCloud take them to another device. They outlive the app.
struct KeychainSecretStore: SecretStore {
    /// Secrets of other services have the same names.
    private let service: String

    init(service: String) { self.service = service }

    func read(_ name: String) throws(SecretError) -> [UInt8]? {
        var query = item(name)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        switch status {
        case errSecSuccess:
            guard let data = found as? Data else { throw .unreadable("the Keychain has no bytes for it") }
            return [UInt8](data)
        case errSecItemNotFound: return nil
        case errSecInteractionNotAllowed: throw .locked
        default: throw .unreadable(Self.reason(status))
        }
    }

    func write(_ name: String, _ value: [UInt8]?) throws(SecretError) {
        guard let value else { return try remove(name) }
        let content = Self.content(value)
        var status = SecItemUpdate(item(name) as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
            status = insert(name, content)
            // Somebody else was faster.
            if status == errSecDuplicateItem {
                status = SecItemUpdate(item(name) as CFDictionary, content as CFDictionary)
            }
        }
        try Self.check(status)
    }

    /// Writes a secret, unless there is one by that name: then that one stays.
    func add(_ name: String, _ value: [UInt8]) throws(SecretError) {
        let status = insert(name, Self.content(value))
        if status != errSecDuplicateItem { try Self.check(status) }
    }

    private func insert(_ name: String, _ content: [String: Any]) -> OSStatus {
        let whole = item(name).merging(content) { $1 }
        return SecItemAdd(whole as CFDictionary, nil)
    }

    private func remove(_ name: String) throws(SecretError) {
        let status = SecItemDelete(item(name) as CFDictionary)
        if status != errSecItemNotFound { try Self.check(status) }
    }

    private func item(_ name: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: name,
            // On a Mac, the Keychain that knows these rules.
            kSecUseDataProtectionKeychain as String: true,
        ]
    }

    private static func content(_ value: [UInt8]) -> [String: Any] {
        [
            kSecValueData as String: Data(value),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
    }

    private static func check(_ status: OSStatus) throws(SecretError) {
        switch status {
        case errSecSuccess: return
        case errSecInteractionNotAllowed: throw .locked
        default: throw .unwritable(reason(status))
        }
    }

    private static func reason(_ status: OSStatus) -> String {
        if status == errSecMissingEntitlement {
            return "the app is not signed for a Keychain: sign it, or set Options.secrets"
        }
        let text = SecCopyErrorMessageString(status, nil) as String?
        return "\(text ?? "an error of the Keychain") (\(status))"
    }
}
