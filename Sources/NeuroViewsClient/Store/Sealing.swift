import NeuroViewsCrypto

/// Encrypts the values of the store. Each box is bound to its table, row and column: nobody can move it to another place.
struct Sealing {
    private static let (keyBytes, proof) = (32, Array("NeuroViews".utf8))
    private let key: [UInt8]

    /// Takes a key of 32 bytes.
    init(key: [UInt8]) throws(ClientError) {
        guard key.count == Self.keyBytes else { throw .store(.other("the store's key has not \(Self.keyBytes) bytes")) }
        self.key = key
    }

    /// Encrypts a value.
    func seal(_ content: [UInt8], _ table: String, _ id: String, _ column: String) throws(ClientError) -> [UInt8] {
        do throws(CryptoError) {
            return try SealedBox.seal(content, key: key, context: Self.context(table, id, column))
        } catch {
            throw .store(.other("a value can't be encrypted"))
        }
    }

    /// Decrypts a value. Throws `.unreadable` if it was changed, moved, or sealed with another key.
    func open(_ box: [UInt8], _ table: String, _ id: String, _ column: String) throws(ClientError) -> [UInt8] {
        do throws(CryptoError) {
            return try SealedBox.open(box, key: key, context: Self.context(table, id, column))
        } catch {
            throw .store(.unreadable("\(table).\(column) can't be decrypted"))
        }
    }

    /// A value that shows later whether the key is the same.
    func sealedProof() throws(ClientError) -> [UInt8] { try seal(Self.proof, "account", "1", "proof") }

    /// True if this key made the proof.
    func isOwn(_ proof: [UInt8]) -> Bool { (try? open(proof, "account", "1", "proof")) == Self.proof }

    private static func context(_ table: String, _ id: String, _ column: String) -> [UInt8] {
        Array("\(table)/\(id)/\(column)".utf8)
    }
}
