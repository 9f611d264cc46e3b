import NeuroViewsCrypto

/// The keys for recordings that only the user's devices can read. They are in the device's secret store, never at the server, and
/// stay after a log out.
extension NeuroViews {
    /// The account's keys on this device, none before the first one. The first one seals; all of them open.
    public func recordingKeys() throws(ClientError) -> [RecordingKey] { try keyring().keys() }

    /// Makes the key that seals from now on, or returns the one that is there. Show its ``RecordingKey/text`` to the user, who must
    /// keep it: a recording is lost with its key. A second device gets the same key by ``enterRecordingKey(_:)``.
    @discardableResult
    public func makeRecordingKey() throws(ClientError) -> RecordingKey {
        let key: RecordingKey
        do throws(CryptoError) { key = try RecordingKey() } catch { throw .store(.other("\(error)")) }
        return try keyring().sealing(orAdd: key)
    }

    /// Takes the key of another device over. It seals from now on; former keys still open their recordings.
    ///
    /// - Throws: `.sealing(.mistypedKey)` for a text that is no key.
    @discardableResult
    public func enterRecordingKey(_ text: String) throws(ClientError) -> RecordingKey {
        let key: RecordingKey
        do throws(SealingError) { key = try RecordingKey(text) } catch { throw .sealing(error) }
        try keyring().add(key)
        return key
    }

    /// Throws `.needsLogIn` before anybody has logged in: keys belong to an account.
    func keyring() throws(ClientError) -> RecordingKeyring {
        _ = try openedStore()
        return try core.keyring()
    }

    /// The recording with its hidden metadata, if this device has the key.
    func revealed(_ recording: Recording) -> Recording {
        guard recording.seal != nil, let keys = try? keyring().keys() else { return recording }
        return recording.revealed(by: keys)
    }
}
