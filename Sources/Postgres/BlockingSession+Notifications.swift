import CPostgres
import Glibc

extension BlockingSession {
    /// Waits for what a LISTEN is for, so long at most. Returns whether there was something. Throws `.connectionLost`.
    public func awaitNotification(forMs limitMs: Int32) throws(DatabaseError) -> Bool {
        var waiting = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, limitMs)
        guard PQconsumeInput(handle) == 1 else { throw .connectionLost(errorMessage) }
        var isNotified = false
        while let notification = PQnotifies(handle) {
            PQfreemem(notification)
            isNotified = true
        }
        return isNotified
    }
}
