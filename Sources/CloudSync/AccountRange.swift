import NeuroViewsCrypto

/// A part of all accounts, by their ids, which are random. A sweep without an index reads one part in a run.
struct AccountRange: Sendable {
    let lowest: String
    let highest: String

    /// The part to read at this Unix time. It lasts ten minutes, and a server sweeps every five. So each server reads
    /// all parts within a day, one after the other, and none has to store a position.
    init(at seconds: Int) {
        let byte = UInt8(truncatingIfNeeded: seconds / 300) & 0xFE
        lowest = "\(Hex.encode([byte]))000000-0000-0000-0000-000000000000"
        highest = "\(Hex.encode([byte | 1]))ffffff-ffff-ffff-ffff-ffffffffffff"
    }
}
