/// Fires once at its deadline, on its loop's thread. A timer can be reused for later deadlines.
///
/// `@unchecked Sendable`: used only on its loop's thread.
public final class LoopTimer: @unchecked Sendable {
    fileprivate(set) var deadlineMs: UInt64 = .max
    fileprivate var slot = -1
    fileprivate var position = 0
    fileprivate var slotTimeMs: UInt64 = 0
    private let action: () -> Void

    /// Makes a timer that runs `action`. Start it with `EventLoop.schedule`.
    public init(_ action: @escaping () -> Void) { self.action = action }

    /// Runs the action, unless another timer of the same round has moved or cancelled this one.
    func fire(nowMs: UInt64) {
        guard deadlineMs <= nowMs else { return }
        deadlineMs = .max
        action()
    }
}

/// A hashed timing wheel (Varghese and Lauck, 1987): setting, moving and cancelling cost the same for any number of
/// timers.
///
/// A timer moved to a later time stays in its slot and is relinked at that slot's time. So the common case, an idle
/// limit moved by each request, costs one store.
struct TimerWheel {
    private static let slotCount = 1024
    static let tickMs: UInt64 = 8

    private var slots = [[LoopTimer]](repeating: [], count: slotCount)
    private var tick: UInt64
    /// The slots between the current tick and this one are empty. The next search continues here.
    private var firstUsed: UInt64 = 0
    private(set) var count = 0

    init(nowMs: UInt64) { tick = Self.lastPast(nowMs) }

    mutating func schedule(_ timer: LoopTimer, atMs deadlineMs: UInt64) {
        timer.deadlineMs = deadlineMs
        if timer.slot >= 0 {
            if timer.slotTimeMs <= deadlineMs { return }
            unlink(timer)
        }
        link(timer)
    }

    mutating func cancel(_ timer: LoopTimer) {
        timer.deadlineMs = .max
        if timer.slot >= 0 { unlink(timer) }
    }

    /// The wait for epoll in milliseconds: until the next used slot, at most a second; -1 without timers.
    mutating func waitMs(nowMs: UInt64) -> Int32 {
        guard count > 0 else { return -1 }
        let last = tick + 125
        firstUsed = max(firstUsed, tick + 1)
        while firstUsed <= last, slots[slotIndex(firstUsed)].isEmpty { firstUsed += 1 }
        guard firstUsed <= last else { return 1000 }
        let slotEndMs = (firstUsed + 1) * Self.tickMs
        return Int32(slotEndMs > nowMs ? slotEndMs - nowMs : 0)
    }

    /// Removes and returns the due timers. A timer is at most one tick late, never early.
    mutating func takeDue(nowMs: UInt64) -> [LoopTimer] {
        let past = Self.lastPast(nowMs)
        guard past > tick else { return [] }
        // After a long pause, one turn over all slots finds everything.
        let first = max(tick + 1, (past + 1) - min(past + 1, UInt64(Self.slotCount)))
        tick = past
        var due: [LoopTimer] = []
        for passed in first...tick { emptySlot(slotIndex(passed), nowMs: nowMs, into: &due) }
        // A slot is unordered, and after a long pause the turn starts at any slot.
        if due.count > 1 { due.sort { $0.deadlineMs < $1.deadlineMs } }
        return due
    }

    private mutating func emptySlot(_ index: Int, nowMs: UInt64, into due: inout [LoopTimer]) {
        guard !slots[index].isEmpty else { return }
        var timers: [LoopTimer] = []
        swap(&timers, &slots[index])
        count -= timers.count
        for timer in timers {
            timer.slot = -1
            if timer.deadlineMs <= nowMs {
                due.append(timer)
            } else if timer.deadlineMs != .max {
                link(timer)
            }
        }
    }

    private mutating func link(_ timer: LoopTimer) {
        // A deadline beyond one turn waits in the last slot and is relinked from there.
        let due = max(timer.deadlineMs / Self.tickMs, tick + 1)
        let place = min(due, tick + UInt64(Self.slotCount) - 1)
        timer.slot = slotIndex(place)
        timer.slotTimeMs = place * Self.tickMs
        timer.position = slots[timer.slot].count
        firstUsed = min(firstUsed, place)
        slots[timer.slot].append(timer)
        count += 1
    }

    private mutating func unlink(_ timer: LoopTimer) {
        let last = slots[timer.slot].count - 1
        slots[timer.slot].swapAt(timer.position, last)
        slots[timer.slot][timer.position].position = timer.position
        slots[timer.slot].removeLast()
        timer.slot = -1
        count -= 1
    }

    /// The last finished tick.
    private static func lastPast(_ nowMs: UInt64) -> UInt64 { max(1, nowMs / tickMs) - 1 }

    private func slotIndex(_ tick: UInt64) -> Int { Int(tick % UInt64(Self.slotCount)) }
}
