import CNeuroViewsOpenSSL

/// Compares two byte strings in a time that depends on their lengths alone. Different lengths are unequal.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
