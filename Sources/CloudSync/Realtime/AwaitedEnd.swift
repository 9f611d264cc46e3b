import Net

/// Somebody who waits for the outcome of a command. Used on the account's home loop alone.
final class AwaitedEnd {
    let seat: RealtimeSeat
    let id: String
    let wakeup: Wakeup
    private(set) var end: CommandEnd?

    init(_ seat: RealtimeSeat, _ id: String, on loop: EventLoop) {
        self.seat = seat
        self.id = id
        wakeup = Wakeup(loop)
    }

    var account: AccountID { seat.account }

    func take(_ end: CommandEnd) {
        self.end = end
        wakeup.signal()
    }
}

/// A request that waits for another state of its account. Used on the account's home loop alone.
final class StateWatcher {
    let seat: RealtimeSeat
    /// The version that it knows.
    let version: Int
    let wakeup: Wakeup

    init(_ seat: RealtimeSeat, version: Int, on loop: EventLoop) {
        self.seat = seat
        self.version = version
        wakeup = Wakeup(loop)
    }
}
