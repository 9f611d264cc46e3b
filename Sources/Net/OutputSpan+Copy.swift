extension OutputSpan<UInt8> {
    /// Appends all of `bytes` as one piece: byte by byte, a head costs as much as the request. Traps without the room.
    @inline(__always) @inlinable
    package mutating func append(copying bytes: borrowing Span<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            bytes.withUnsafeBufferPointer { source in
                // Both are valid for these calls, what is written lies within `room`, and the two can't overlap:
                // `room` is accessed exclusively.
                precondition(source.count <= room.count - count)
                guard let from = source.baseAddress, let to = room.baseAddress else { return }
                (to + count).update(from: from, count: source.count)
                count += source.count
            }
        }
    }
}
