import NeuroViewsCrypto

/// An id of this device. A store that was copied to another device has another one.
enum SystemIdentity {
    private static let name = "device"
    private static let bytes = 32

    /// A random id in the Keychain, which no backup takes to another device. Nil while the Keychain can't be used: then nothing
    /// is known.
    ///
    /// `identifierForVendor` is another one after each new installation, and it belongs to the main actor.
    static func current() -> String? {
        let secrets = KeychainSecretStore(service: SystemDefaults.service(of: nil))
        do {
            if let id = try secrets.read(name) { return Hex.encode(id) }
            let id = try SecureRandom.bytes(bytes)
            // The app and its extension may begin at once: the first id is that of both.
            try secrets.add(name, id)
            return try secrets.read(name).map { Hex.encode($0) }
        } catch {
            return nil
        }
    }
}
