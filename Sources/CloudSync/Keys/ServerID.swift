import FoundationEssentials
import Glibc
import Net
import Postgres

/// The identity of a server process that has keys.
package struct ServerID: Sendable {
    let id = UUID().uuidString.lowercased()
    private let host = HostName.own

    /// Identifies this process.
    package init() {}

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
