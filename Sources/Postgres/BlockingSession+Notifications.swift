import CPostgres
import Glibc

/// A notification of a channel that a session listens to.
public struct DatabaseNotification: Sendable, Equatable {
    /// The channel's name.
    public let channel: String
    /// The text that was sent along, maybe empty.
    public let payload: String
    /// The backend of the session that sent it.
    public let processID: Int32
}

extension BlockingSession {
    /// This session's backend, by which it knows its own notifications.
    public var processID: Int32 { PQbackendPID(handle) }

    /// True while the statement of `send` has no result yet.
    public var isAnswering: Bool { PQtransactionStatus(handle) == PQTRANS_ACTIVE }

    /// Sends a statement without waiting. `awaitNotifications` takes its result, before which nothing else may be sent. Throws
    /// `.connectionLost`.
    public func send(_ sql: String) throws(DatabaseError) {
        guard PQsetnonblocking(handle, 1) == 0, PQsendQuery(handle, sql) == 1, PQflush(handle) >= 0 else {
            throw .connectionLost(errorMessage)
        }
    }

    /// Waits for notifications, for the result of `send`, or until `waking` can be read; `limitMs` milliseconds at most. Returns the
    /// notifications. Throws `.connectionLost`, and `.refused` for the statement.
    public func awaitNotifications(
        orWaking waking: Int32,
        forMs limitMs: Int32
    ) throws(DatabaseError) -> [DatabaseNotification] {
        // Some may have come with an earlier result.
        let known = takeNotifications()
        guard known.isEmpty else { return known }
        let unsent = PQflush(handle)
        guard unsent >= 0 else { throw .connectionLost(errorMessage) }
        var waiting = [
            pollfd(fd: PQsocket(handle), events: Int16(unsent == 0 ? POLLIN : POLLIN | POLLOUT), revents: 0),
            pollfd(fd: waking, events: Int16(POLLIN), revents: 0),
        ]
        poll(&waiting, nfds_t(waiting.count), limitMs)
        guard PQconsumeInput(handle) == 1 else { throw .connectionLost(errorMessage) }
        while isAnswering, PQisBusy(handle) == 0, let result = PQgetResult(handle) { _ = try check(result) }
        return takeNotifications()
    }

    private func takeNotifications() -> [DatabaseNotification] {
        var notifications: [DatabaseNotification] = []
        while let notification = PQnotifies(handle) {
            notifications.append(
                DatabaseNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra),
                    processID: notification.pointee.be_pid
                )
            )
            PQfreemem(notification)
        }
        return notifications
    }
}
