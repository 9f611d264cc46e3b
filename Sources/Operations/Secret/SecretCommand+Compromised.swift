import CloudSync
import Machine
import NeuroViewsCrypto
import Settings

extension SecretCommand {
    /// Makes a new key current and makes everything sealed by old keys useless. It does not wait for servers: a server
    /// without the new key rejects all logins.
    func replaceCompromised(_ rotation: MasterKeyRotation) throws {
        // A lost secret can be replaced too.
        var file = try SecretFile.load(settings) ?? []
        defer { file.wipe() }
        let old = SecretFile.split(file).prefix(SecretFile.maxBytes / SecretFile.keyBytes - 1)
        var new = try NewKey()
        defer { new.bytes.wipe() }
        // The old keys are needed until the database has changed.
        try write([new.bytes] + old)
        let done = try rotation.replaceCompromised(by: new.key, try SecretFile.keys(file))
        try write([new.bytes])
        StandardStreams.print("sessions ended: \(done.endedSessions), new master key: \(new.key.kid)\n")
        if !done.unreadable.isEmpty {
            StandardStreams.print("did not open, and stay sealed by the old key: \(Self.list(done.unreadable))\n")
        }
        let lacking = try serversLacking(new.key, rotation)
        guard !lacking.isEmpty else { return }
        StandardStreams.print(
            "Nobody can log in at these servers before they have \(path): \(Self.list(lacking)). Copy the file to them, and restart "
                + "those that get it as a credential.\n"
        )
    }
}
