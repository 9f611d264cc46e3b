/// Counts the pieces of a stream until other tasks of the loop should run: a stream that never waits for its peer would
/// block them. A turn is 256 KiB, a larger piece, or 32 small ones.
struct StreamTurn {
    private static let turnBytes: Int32 = 256 << 10
    private static let pieceMinBytes = 8 << 10

    private var bytes: Int32 = 0

    /// Counts a piece. Returns true if the turn is over, and begins the next one.
    mutating func isOver(after count: Int) -> Bool {
        bytes += Int32(min(max(count, Self.pieceMinBytes), Int(Self.turnBytes)))
        guard bytes >= Self.turnBytes else { return false }
        bytes = 0
        return true
    }
}
