extension OutputSpan<UInt8> {
    /// Appends all of `bytes` in one copy: byte by byte, a head would cost as much as the request. Traps without enough
    /// space.
    @inline(__always) @inlinable
    package mutating func append(copying bytes: borrowing Span<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            bytes.withUnsafeBufferPointer { source in
                // Both pointers are valid during these calls, and the bytes written are within `room`. The two can't
                // overlap: `room` is accessed exclusively.
                precondition(source.count <= room.count - count)
                guard let from = source.baseAddress, let to = room.baseAddress else { return }
                (to + count).update(from: from, count: source.count)
                count += source.count
            }
        }
    }
}
