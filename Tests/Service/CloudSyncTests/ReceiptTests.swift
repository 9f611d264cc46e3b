import CloudSync
import Crypto
import Foundation
import JSON
import TestSupport
import Testing

@testable import CloudSync

/// Receipts, checked by a third party.
struct ReceiptTests {
    @Test("OpenSSL alone can check a receipt, and refuses one that was changed")
    func openSSL() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let bytes = Array("a recording".utf8)
            try await fixture.record(id, bytes, caller)
            try await fixture.runAll()
            let receipt = try #require(try await fixture.document(id, caller).value["receipt"])
            let payload = try #require(receipt["payload"]?.string.flatMap { Base64.padded.decode($0) })
            let signature = try #require(receipt["signature"]?.string.flatMap { Base64.padded.decode($0) })
            let keys = try await fixture.world.recordings[1].receiptKeys.published()
            #expect(keys.map(\.keyID) == [receipt["key_id"]?.string] && keys[0].until == nil)

            let text = Base64.padded.encode(keys[0].encodedPublicKey)
            let pem = "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
            #expect(try Self.isVerified(payload, signature, pem))
            #expect(try !Self.isVerified(payload + [32], signature, pem))

            let said = try JSONParser.parse(payload, policy: .rfc8259)
            #expect(said["account"]?.string == caller.userID && said["id"]?.string == id)
            #expect(said["size"]?.number?.int64 == Int64(bytes.count))
            #expect(said["sha256"]?.string == Base64.padded.encode(SHA256.hash(bytes)))
            let stored = "SELECT rfc3339(verified_at) FROM recording_files"
            #expect(said["verified_at"]?.string == (try await fixture.value(stored)))
        }
    }

    private static func isVerified(_ payload: [UInt8], _ signature: [UInt8], _ pem: String) throws -> Bool {
        let folder = Sandbox.makeFolder()
        for (name, content) in [("payload", payload), ("signature", signature), ("key.pem", Array(pem.utf8))] {
            try Data(content).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let files = ["-inkey", "\(folder)/key.pem", "-in", "\(folder)/payload", "-sigfile", "\(folder)/signature"]
        return try Program.run(["openssl", "pkeyutl", "-verify", "-pubin", "-rawin"] + files).status == 0
    }

    @Test("Servers that need the first key at once agree on one, which is stored sealed and outlives them")
    func oneKey() async throws {
        try await World.with { world in
            let all = world.databases.flatMap { database in
                (0..<4).map { _ in ReceiptKeys(database: database, keys: World.keys) }
            }
            let signers = try await withThrowingTaskGroup(of: Receipt.Signer.self) { group in
                for keys in all { group.addTask { try await keys.signer() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(signers.map(\.keyID)).count == 1)
            let later = try await ReceiptKeys(database: world.databases[1], keys: World.keys).signer()
            #expect(later.key.seed == signers[0].key.seed)
            let hexSeed = Hex.encode(later.key.seed)
            let rows = try await world.sql("SELECT encode(sealed_private_key, 'hex') FROM receipt_keys")
            #expect(rows.count == 1 && rows[0].text(0)?.contains(hexSeed) == false)
        }
    }

    @Test("Another master key does not open the sealed one")
    func otherMaster() async throws {
        try await World.with { world in
            _ = try await ReceiptKeys(database: world.databases[0], keys: World.keys).signer()
            let other = ReceiptKeys(
                database: world.databases[0],
                keys: try KeyRing(current: MasterKey(bytes: Array(1..<33)))
            )
            await #expect(throws: CryptoError.self) { try await other.signer() }
        }
    }
}
