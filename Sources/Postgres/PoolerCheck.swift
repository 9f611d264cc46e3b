import CPostgres
import Glibc
import Net

/// Whether a pooler gives the transactions of one connection to different backends: it would run a request under the settings of another
/// one, its role and its user included.
///
/// A pooler makes up the number that a connection has for cancellations. So where this is the backend's own, there is none. Where it is not,
/// two connections are open: in transaction or statement mode both get the same backend, or one of them gets another backend each time.
enum PoolerCheck {
    /// Others may take a backend between two looks.
    private static let looks = 4
    /// A pool in session mode may have no room for more than one.
    private static let turn = Locked(())
    private static let query = "SELECT pg_catalog.pg_backend_pid()"

    /// Throws `.unusable(.pooler)`. `connect` makes another connection of the same kind.
    static func run(
        _ handle: OpaquePointer,
        limitMs: UInt64,
        connect: () throws(DatabaseError) -> OpaquePointer
    ) throws(DatabaseError) {
        let own = try backend(handle, limitMs)
        guard own != PQbackendPID(handle) else { return }
        try turn.withLock { _ throws(DatabaseError) in
            let other = try connect()
            defer { PQfinish(other) }
            for _ in 0..<looks {
                let theirs = try backend(other, limitMs)
                let ours = try backend(handle, limitMs)
                guard ours == own, theirs != own else { throw .unusable(.pooler) }
            }
        }
    }

    /// A pooler answers when it has a backend for us.
    private static func backend(_ handle: OpaquePointer, _ limitMs: UInt64) throws(DatabaseError) -> Int32 {
        guard PQsendQuery(handle, query) == 1 else { throw lost(handle) }
        let deadlineMs = Monotonic.nowMs() + limitMs
        var number: Int32?
        while true {
            while PQisBusy(handle) == 1 {
                guard SocketWait.wait(PQsocket(handle), POLLIN, deadlineMs) else {
                    throw .unavailable("no answer within \(limitMs) ms")
                }
                guard PQconsumeInput(handle) == 1 else { throw lost(handle) }
            }
            guard let result = PQgetResult(handle) else { break }
            let rows = Rows(result)
            if PQresultStatus(result) == PGRES_TUPLES_OK { number = rows.first?.int(0).map { Int32(clamping: $0) } }
        }
        guard let number else { throw lost(handle) }
        return number
    }

    private static func lost(_ handle: OpaquePointer) -> DatabaseError {
        .unavailable(BlockingSession.message(of: handle))
    }
}
