import NeuroViewsCrypto
import NeuroViewsJSON

/// The `state_hash` computed from the documents alone, like a client: the XOR over all items of SHA-256(id in lower
/// case || digest).
struct StateHash {
    private var bytes = [UInt8](repeating: 0, count: 32)

    init(of replica: Replica) throws {
        for (id, item) in replica.items {
            guard let document = item.document else { continue }
            let digest = try Self.digest(of: document, id: id)
            let term = SHA256.hash(Array(id.lowercased().utf8) + digest)
            for index in bytes.indices { bytes[index] ^= term[index] }
        }
    }

    /// SHA-256 of the canonical form, with the id in lower case.
    private static func digest(of document: String, id: String) throws -> [UInt8] {
        guard var object = try JSONParser.parse(Array(document.utf8), policy: .requestBody).object else { return [] }
        object.set("id", to: .string(id.lowercased()))
        return SHA256.hash(JSONValue.object(object).canonical())
    }

    /// The hash in the clients' format.
    var text: String { Hex.encode(bytes) }
}
