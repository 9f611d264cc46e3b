/// Decides whose batch is next. Shares (an account, a site of strangers) take turns by the time that their batches took, not by their number:
/// start-time fair queueing (Goyal, Vin, Cheng, 1996). The elements of one share keep their order.
struct TurnQueue<Element> {
    /// One batch, from its start to its end.
    struct Turn {
        fileprivate let share: Int
        /// The time that the batch is expected to take.
        let costNs: UInt64
    }

    private struct Share {
        let name: String
        /// The expected time of a batch. It rises at once with a longer one, so that a series of long ones is not taken for short. It falls as a mean.
        var costNs: UInt64
        /// The virtual time at which the next batch starts.
        var startNs: UInt64
        var underWay = 0
        /// What its batches under way are expected to take.
        var underWayNs: UInt64 = 0
        var waiting: [Element] = []

        var isIdle: Bool { underWay == 0 && waiting.isEmpty }
    }

    /// Idle shares are kept for the mean time of their batches, up to this number of shares.
    static var sharesKept: Int { 1024 }
    /// The limits of the time that counts. A longer batch has waited for something else: a lock, a disk.
    private static var costNs: ClosedRange<UInt64> { 1_000...100_000_000 }
    /// The expected time of a share's batch rises by this factor at most.
    private static var riseMax: UInt64 { 4 }
    /// The weight of the newest batch in the means is one by this: of a share, and of all, from which new shares begin.
    private static var newest: (ofShare: UInt64, ofAll: UInt64) { (4, 64) }

    /// The expected time of one share's batches under way. A longer batch is the only one of its share.
    private let underWayMaxNs: UInt64
    private var shares: [Share] = []
    private var numbers: [String: Int] = [:]
    private var unused: [Int] = []
    /// The shares with waiting elements. The one that waits longest is first.
    private var turns: [Int] = []
    private var sharesMax = sharesKept
    /// The start of the newest batch.
    private var virtualNs: UInt64 = 0
    private var meanNs: UInt64 = 250_000
    /// The number of waiting elements.
    private(set) var count = 0

    init(underWayMaxNs: UInt64) { self.underWayMaxNs = underWayMaxNs }

    var isEmpty: Bool { count == 0 }

    /// How many shares are known.
    var sharesCount: Int { numbers.count }

    /// The number by which the other functions know a share, until its last batch ends.
    mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        if numbers.count >= sharesMax { forgetIdle() }
        let share = Share(name: name, costNs: meanNs, startNs: virtualNs)
        let number = unused.popLast() ?? shares.endIndex
        if number == shares.endIndex { shares.append(share) } else { shares[number] = share }
        numbers[name] = number
        return number
    }

    /// The time that the share's next batch is expected to take.
    func costNs(of number: Int) -> UInt64 { shares[number].costNs }

    /// True if the share may have one more batch under way. Work without a name is the server's own, which has no limit.
    func mayBegin(_ number: Int) -> Bool {
        let share = shares[number]
        return share.underWay == 0 || share.underWayNs + share.costNs <= underWayMaxNs || share.name.isEmpty
    }

    /// Starts a batch of the share.
    mutating func begin(_ number: Int) -> Turn {
        let (startNs, costNs) = (max(shares[number].startNs, virtualNs), shares[number].costNs)
        virtualNs = startNs
        shares[number].startNs = startNs + costNs
        shares[number].underWay += 1
        shares[number].underWayNs += costNs
        return Turn(share: number, costNs: costNs)
    }

    /// Ends a batch, which took so long; nil if nobody knows.
    mutating func end(_ turn: Turn, costNs: UInt64?) {
        shares[turn.share].underWay -= 1
        shares[turn.share].underWayNs -= turn.costNs
        guard let costNs else { return }
        let countedNs = min(max(costNs, Self.costNs.lowerBound), Self.costNs.upperBound)
        shares[turn.share].startNs = shares[turn.share].startNs + countedNs - turn.costNs
        let expectedNs = Self.expected(after: countedNs, before: shares[turn.share].costNs)
        // A batch above the limit is alone, however long it is. More would only keep the share alone for longer.
        shares[turn.share].costNs = min(expectedNs, 2 * underWayMaxNs)
        meanNs = Self.mean(meanNs, countedNs, Self.newest.ofAll)
    }

    /// A single pause of the machine is no long batch, so the time rises by a factor at most.
    private static func expected(after newestNs: UInt64, before expectedNs: UInt64) -> UInt64 {
        newestNs > expectedNs ? min(newestNs, riseMax * expectedNs) : mean(expectedNs, newestNs, newest.ofShare)
    }

    private static func mean(_ meanNs: UInt64, _ newestNs: UInt64, _ parts: UInt64) -> UInt64 {
        (meanNs * (parts - 1) + newestNs) / parts
    }

    private mutating func forgetIdle() {
        for (number, share) in shares.enumerated() where share.isIdle && numbers[share.name] == number {
            numbers[share.name] = nil
            unused.append(number)
        }
        sharesMax = max(Self.sharesKept, 2 * numbers.count)
    }
}

extension TurnQueue {
    mutating func append(_ element: Element, to name: String) {
        let number = number(of: name)
        count += 1
        if shares[number].waiting.isEmpty {
            // Time without a request is no credit.
            shares[number].startNs = max(shares[number].startNs, virtualNs)
            turns.append(number)
        }
        shares[number].waiting.append(element)
    }

    /// The share whose turn it is; nil if no share waits for others.
    var next: Int? {
        var next: Int?
        for number in turns where mayBegin(number) {
            if next.map({ shares[number].startNs < shares[$0].startNs }) ?? true { next = number }
        }
        return next
    }

    /// Removes the oldest element of a waiting share, and starts its batch.
    mutating func removeFirst(of number: Int) -> (element: Element, turn: Turn) {
        let element = remove(at: 0, of: number)
        return (element, begin(number))
    }

    /// Removes an element that waits no longer.
    mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
        for number in turns {
            if let index = shares[number].waiting.firstIndex(where: isWanted) { return remove(at: index, of: number) }
        }
        return nil
    }

    /// Makes room for one element of a share. Removes the newest element of the share with the most; nil if none has two more.
    mutating func evict(for name: String) -> Element? {
        let own = numbers[name].map { shares[$0].waiting.count } ?? 0
        guard let largest = turns.max(by: { shares[$0].waiting.count < shares[$1].waiting.count }),
            shares[largest].waiting.count > own + 1
        else { return nil }
        return remove(at: shares[largest].waiting.count - 1, of: largest)
    }

    /// Removes all waiting elements.
    mutating func removeAll() -> [Element] {
        let elements = turns.flatMap { shares[$0].waiting }
        for number in turns { shares[number].waiting = [] }
        turns = []
        count = 0
        return elements
    }

    private mutating func remove(at index: Int, of number: Int) -> Element {
        count -= 1
        let element = shares[number].waiting.remove(at: index)
        if shares[number].waiting.isEmpty { turns.removeAll { $0 == number } }
        return element
    }
}
