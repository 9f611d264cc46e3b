import CloudSync
import Foundation
import TestSupport

/// A device that makes random writes and pulls after each acknowledged write.
struct ConvergenceWriter: Sendable {
    struct Acknowledgement: Sendable {
        let receipt: WriteReceipt
        /// Nil for a deletion.
        let document: Document?
    }

    private enum Write: Sendable {
        case create(Document)
        case update(Document, base: VersionTag?)
        case delete(String)

        var document: Document? {
            switch self {
            case .create(let document), .update(let document, _): document
            case .delete: nil
            }
        }
    }

    let world: World
    let caller: Caller
    let name: String
    var random: SeededRandom
    private(set) var replica = Replica()
    private(set) var acknowledged: [Acknowledgement] = []
    /// The documents that lost a conflict.
    private(set) var losers: [Document] = []
    private(set) var failures: [String] = []
    private var last: (write: Write, receipt: WriteReceipt)?
    private var count = 0

    init(world: World, caller: Caller, name: String, random: SeededRandom) {
        self.world = world
        self.caller = caller
        self.name = name
        self.random = random
    }

    mutating func run(writes: Int) async throws {
        for _ in 0..<writes {
            let isRepeated = random.below(10) == 0
            if isRepeated, let last {
                try await repeatLast(last.write, last.receipt)
            } else {
                try await perform(choose())
            }
        }
    }

    private var server: ConfigurationService { world.servers[name.utf8.count % world.servers.count] }

    private mutating func choose() -> Write {
        count += 1
        let known = replica.items.filter { $0.value.document != nil }.sorted { $0.key < $1.key }
        let dice = random.below(10)
        guard dice >= 5, !known.isEmpty else {
            return .create(document(random.uuid(isUpperCase: dice % 2 == 0)))
        }
        let (id, item) = known[random.below(known.count)]
        switch dice {
        case 5, 6: return .update(document(id), base: nil)
        case 7, 8: return .update(document(id), base: item.version)
        default: return .delete(id)
        }
    }

    private func document(_ id: String) -> Document {
        let microseconds = Int(Date().timeIntervalSince1970 * 1_000_000)
        return Document("\(name) \(count)", id: id, at: Timestamp(microseconds: microseconds))
    }

    private mutating func perform(_ write: Write) async throws {
        do {
            let receipt = try await send(write)
            acknowledged.append(Acknowledgement(receipt: receipt, document: write.document))
            last = (write, receipt)
            try await pullAfter(receipt)
        } catch CloudSyncError.conflict(let conflict) {
            if conflict.reason != .versionMismatch, let document = write.document { losers.append(document) }
        }
    }

    /// Repeats a write as after a lost answer. Expects the first answer again.
    private mutating func repeatLast(_ write: Write, _ first: WriteReceipt) async throws {
        let again = try await send(write)
        if (again.id, again.version.text, again.changedAt) != (first.id, first.version.text, first.changedAt) {
            failures.append("\(name): \(first) was repeated as \(again)")
        }
    }

    private func send(_ write: Write) async throws -> WriteReceipt {
        switch write {
        case .create(let document): return try await server.create(document.parsed(), for: caller).get()
        case .update(let document, let base):
            let conditions = WriteConditions(ifMatch: base.map { .versions([$0]) })
            return try await server.update(document.id, document.parsed(), conditions, for: caller).get()
        case .delete(let id): return try await server.delete(id, for: caller).get()
        }
    }

    /// Pulls from a random server. Expects the acknowledged write.
    private mutating func pullAfter(_ receipt: WriteReceipt) async throws {
        let server = world.servers[random.below(world.servers.count)]
        try await server.pull(&replica, for: caller)
        if replica.version(of: receipt.id) < receipt.version.number {
            failures.append("\(name): a pull straight after \(receipt) does not contain it")
        }
    }
}
