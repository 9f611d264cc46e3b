import CloudSync
import NeuroViewsCrypto
import Settings

/// Compares the master keys of the database with the secret file.
struct SecretCheck {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    func findings(_ database: ExaminedDatabase) throws -> [Finding] {
        // Problems of the file itself are reported by `DataCheck`.
        let file = (try? SecretFile.keys(settings)) ?? nil
        guard let keys = try database.compared(file ?? []) else { return [] }
        guard file != nil else {
            return [.wrong("secret", "the database was used with one that is not here", "put it back from a backup")]
        }
        if let sentence = SecretMisfit.sentence(keys, settings.secretFilePath) {
            return [.wrong("secret", sentence: sentence)]
        }
        return [inUse(keys, try database.liveSessionsByKey())] + prepared(keys)
    }

    private func inUse(_ keys: ReadableKeys, _ sessions: [String: Int]) -> Finding {
        let list = keys.known.filter { $0.state != .compromised }.map { key in
            "\(key.id) (\(key.state.rawValue) since \(key.since.text), sessions: \(sessions[key.id] ?? 0))"
        }
        return .ok("master keys", list.joined(separator: ", "))
    }

    /// Reports a rotation that waits for servers or was interrupted.
    private func prepared(_ keys: ReadableKeys) -> [Finding] {
        guard let key = keys.known.first(where: { $0.state == .prepared }) else { return [] }
        return [
            .warning(
                "master keys",
                "\(key.id) was prepared at \(key.since.text) and is not used yet",
                "run neuroviews-server secret rotate again: it says what it waits for"
            )
        ]
    }
}
