import FoundationEssentials
import Glibc
import Postgres

/// Which process it is that has keys.
public struct ServerID: Sendable {
    private let id = UUID().uuidString.lowercased()
    private let host: String

    /// This process.
    public init() {
        // Not Foundation's, which asks a name server.
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `time` is PostgreSQL's, from before the file was read; nil: now.
    func note(has held: [String], lacks missing: [String], asOf time: String?) -> BoundQuery<Void> {
        MasterKeySQL.note(
            .text(id),
            .text(host),
            .int(Int(getpid())),
            .texts(held),
            .texts(missing),
            .text(time)
        )
    }

    func leave() -> BoundQuery<Void> { MasterKeySQL.leave(.text(id)) }
}
