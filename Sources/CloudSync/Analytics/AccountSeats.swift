import Net

/// Limits how many requests of a kind run at once. The limit of one account is lower, so that others have room.
final class AccountSeats: Sendable {
    private let count: Int
    private let ofAccount: Int
    /// The number of taken seats of each account.
    private let taken = Locked<[String: Int]>([:])

    init(_ count: Int, ofAccount: Int) {
        self.count = count
        self.ofAccount = ofAccount
    }

    /// Runs `body` on a seat. Throws `.overloaded` when all are taken.
    func with<T>(_ userID: String, _ body: () async throws -> T) async throws -> T {
        let seat = try take(userID)
        defer { seat.leave() }
        return try await body()
    }

    /// Takes a seat. Throws `.overloaded` when all are taken.
    func take(_ userID: String) throws(CloudSyncError) -> AccountSeat {
        try taken.withLock { taken throws(CloudSyncError) in
            guard taken.values.reduce(0, +) < count, taken[userID, default: 0] < ofAccount else {
                throw .problem(.overloaded)
            }
            taken[userID, default: 0] += 1
        }
        return AccountSeat { [self] in leave(userID) }
    }

    private func leave(_ userID: String) {
        taken.withLock { taken in
            taken[userID, default: 1] -= 1
            if taken[userID] == 0 { taken[userID] = nil }
        }
    }
}

/// A seat. It is released when this object is, at the latest.
package final class AccountSeat: Sendable {
    private let free: Locked<(@Sendable () -> Void)?>

    fileprivate init(free: @escaping @Sendable () -> Void) { self.free = Locked(free) }

    deinit { leave() }

    /// Releases the seat.
    package func leave() {
        let free = free.withLock { free in
            defer { free = nil }
            return free
        }
        free?()
    }
}
