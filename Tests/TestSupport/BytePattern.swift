import Glibc

/// An endless sequence of bytes. Its period fits no buffer, so lost, repeated or swapped bytes show.
///
/// Bytes that are computed or compared one by one cost a debug build a minute for some megabytes, and a sanitizer several.
package enum BytePattern {
    private static let periodBytes = 65_521
    private static let period = (0..<periodBytes).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 16) }
    private static let twice = period + period

    /// The first `count` bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes += Self.bytes(from: bytes.count, count - bytes.count) }
        return bytes
    }

    /// The bytes from `offset` on, at most `count` and at most one period of them.
    package static func bytes(from offset: Int, _ count: Int) -> [UInt8] {
        let start = offset % periodBytes
        return Array(twice[start..<(start + min(count, periodBytes))])
    }

    /// True if these are the bytes from `offset` on.
    package static func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
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
