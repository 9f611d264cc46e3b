import Net

/// Limits the logged rejections of unauthenticated clients: at most 10 a second for each address (/64 of IPv6) and 200
/// in all. Addresses with the same hash share a counter.
struct RefusalShares {
    private static let perAddressMax = 10
    private static let allMax = 200
    private static let placeCount = 1024

    private var second = 0
    private var counts = [UInt8](repeating: 0, count: placeCount)
    private var admitted = 0
    private var refused = 0

    /// Returns true if one more is logged now. `passed` is the number of rejections that were not logged in an earlier
    /// second. It is returned once.
    mutating func admit(_ address: IPAddress?, second now: Int) -> (isAdmitted: Bool, passed: Int) {
        // Another thread may have begun the next second already.
        let passed = now <= second ? 0 : begin(now)
        // The hash has a random seed for each process, so nobody can choose an address that shares another's counter.
        let place = (address?.subscriber).hashValue & (Self.placeCount - 1)
        guard counts[place] < Self.perAddressMax, admitted < Self.allMax else {
            refused += 1
            return (false, passed)
        }
        counts[place] += 1
        admitted += 1
        return (true, passed)
    }

    private mutating func begin(_ now: Int) -> Int {
        defer { refused = 0 }
        second = now
        admitted = 0
        for place in counts.indices { counts[place] = 0 }
        return refused
    }
}
