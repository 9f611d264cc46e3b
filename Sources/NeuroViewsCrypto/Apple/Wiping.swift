import Darwin

extension [UInt8] {
    /// Overwrites the bytes before their memory is freed. Call it on the only copy: a shared array is copied first, and
    /// the other copy stays. Copies that Swift made before also stay, such as in a `String` or a register.
    ///
    /// With random bytes: the compiler may leave out zeros that nobody reads, but no call whose work it does not know.
    public mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { arc4random_buf(base, bytes.count) }
        }
    }
}

/// Compares two byte strings in a time that depends on their lengths alone. Different lengths are unequal.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
