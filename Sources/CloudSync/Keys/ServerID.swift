import FoundationEssentials
import Glibc
import Postgres

/// The identity of a server process that has keys.
package struct ServerID: Sendable {
    private let id = UUID().uuidString.lowercased()
    private let host: String

    /// Identifies this process.
    package init() {
        // Foundation's function would ask a name server.
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `time` is PostgreSQL's time from before the file was read; nil means now.
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
