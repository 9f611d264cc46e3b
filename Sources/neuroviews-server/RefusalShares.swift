import Net

/// How many refusals of strangers are logged in a second: so many of each address (/64 of IPv6), and so many in all. Addresses share a place here
/// and there.
struct RefusalShares {
    private static let placeMax = 10
    private static let secondMax = 200
    private static let placeCount = 1024

    private var second = 0
    private var counts = [UInt8](repeating: 0, count: placeCount)
    private var admitted = 0
    private var refused = 0

    /// Whether one more is logged now. `passed` is how many were not in the last second that had any, told once.
    mutating func admit(_ address: IPAddress?, second now: Int) -> (isAdmitted: Bool, passed: Int) {
        // Another thread may have begun the next second before this one came.
        let passed = now <= second ? 0 : begin(now)
        // Hashed with a seed of the process: nobody can choose an address that shares another's place.
        let place = (address?.subscriber).hashValue & (Self.placeCount - 1)
        guard counts[place] < Self.placeMax, admitted < Self.secondMax else {
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
