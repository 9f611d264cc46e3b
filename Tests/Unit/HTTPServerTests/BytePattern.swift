import Glibc

/// An endless sequence of bytes. Its period fits no buffer, so lost, repeated or swapped bytes show.
enum BytePattern {
    private static let periodBytes = 65_521
    private static let period = (0..<periodBytes).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
    private static let twice = period + period

    /// The bytes from `offset` on, at most `count` and at most one period of them.
    static func bytes(from offset: Int, _ count: Int) -> [UInt8] {
        let start = offset % periodBytes
        return Array(twice[start..<(start + min(count, periodBytes))])
    }

    /// True if these are the bytes from `offset` on. A debug build would need minutes to compare them one by one.
    static func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
        var checked = 0
        while checked < bytes.count {
            let start = (offset + checked) % periodBytes
            let count = min(bytes.count - checked, periodBytes)
            guard areEqual(bytes[checked..<(checked + count)], twice[start..<(start + count)]) else { return false }
            checked += count
        }
        return true
    }

    private static func areEqual(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                guard let start = first.baseAddress, let other = second.baseAddress else { return first.isEmpty }
                return memcmp(start, other, first.count) == 0
            }
        }
    }
}
