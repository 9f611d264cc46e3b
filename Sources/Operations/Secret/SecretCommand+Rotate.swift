import CloudSync
import Machine
import NeuroViewsCrypto
import Settings

extension SecretCommand {
    /// Prepares a key, or continues with a prepared one, and makes it current when every server has it.
    func rotate(_ rotation: MasterKeyRotation) throws {
        guard var file = try SecretFile.load(settings) else { throw noFile }
        defer { file.wipe() }
        let key = try prepared(file, rotation)
        let lacking = try serversLacking(key, rotation)
        guard lacking.isEmpty else { throw MasterKeyRotation.Refusal.notEverywhere(lacking) }
        try rotation.activate(key, try SecretFile.keys(file))
        let kept = try tidy(rotation)
        StandardStreams.print("new sessions use the master key \(key.kid); kept for older ones: \(kept)\n")
    }

    /// The key that is in the file and is prepared in the database. Makes one if there is none.
    private func prepared(_ file: [UInt8], _ rotation: MasterKeyRotation) throws -> MasterKey {
        let (keys, known) = (try SecretFile.keys(file), try rotation.known())
        guard !known.isEmpty else { throw CommandFailure("The database has no master key yet: start the server once.") }
        let readable = ReadableKeys(keys, known)
        if let sentence = SecretMisfit.sentence(readable, path) { throw CommandFailure(sentence) }
        if let key = readable.held.first(where: { key in known.contains { $0.id == key.kid && $0.state == .prepared } })
        {
            return key
        }
        guard readable.held.count < Self.keysMax else {
            throw CommandFailure(
                "Sessions still use \(readable.held.count) master keys: wait until the oldest have ended."
            )
        }
        var new = try NewKey()
        defer { new.bytes.wipe() }
        try write([new.bytes] + kept(file, readable))
        try rotation.prepare(new.key)
        return new.key
    }

    /// Removes unused keys, first from the database and then from the file. Returns the ids of the older keys that
    /// remain.
    private func tidy(_ rotation: MasterKeyRotation) throws -> String {
        _ = try rotation.forget()
        guard var file = try SecretFile.load(settings) else { throw noFile }
        defer { file.wipe() }
        let readable = ReadableKeys(try SecretFile.keys(file), try rotation.known())
        let kept = kept(file, readable)
        if kept.count < SecretFile.split(file).count { try write(kept) }
        let older = readable.held.map(\.kid).filter { $0 != readable.current?.kid }
        return older.isEmpty ? "none" : older.joined(separator: ", ")
    }

    /// The bytes of the keys that servers may still read.
    private func kept(_ file: [UInt8], _ readable: ReadableKeys) -> [[UInt8]] {
        SecretFile.split(file).filter { bytes in
            guard let key = try? MasterKey(bytes: bytes) else { return false }
            return readable.held.contains { $0.kid == key.kid }
        }
    }

    private var noFile: CommandFailure {
        CommandFailure("There is no secret file \(path): name the server's with NEUROVIEWS_SECRET_FILE.")
    }
}
