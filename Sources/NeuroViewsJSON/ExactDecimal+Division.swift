extension ExactDecimal {
    /// Returns true if this is a whole multiple of the divisor, exactly. Nothing is a multiple of zero.
    ///
    /// With this = V × 10^a and the divisor = D × 10^b, D must divide V × 10^(a-b). V doesn't end in zero, so the
    /// result is false if a < b. D has fewer than four factors of 2 or 5 a digit. So more tens than four times its
    /// digits change nothing, and a huge exponent costs nothing.
    func isMultiple(of divisor: ExactDecimal) -> Bool {
        if divisor.isZero { return false }
        if isZero { return true }
        let tens = exponent - divisor.exponent
        if tens < 0 { return false }
        var remainder = Remainder(divisor: divisor.digits)
        for digit in digits { remainder.append(digit) }
        for _ in 0..<min(tens, Int64(4 * divisor.digits.count)) { remainder.append(0) }
        return remainder.isZero
    }
}

/// Long division on paper, keeping the remainder only.
private struct Remainder {
    private let divisor: [UInt8]
    // As many digits as the divisor, and one more in front for the digit brought down.
    private var digits: [UInt8]

    init(divisor: [UInt8]) {
        self.divisor = [0] + divisor
        digits = [UInt8](repeating: 0, count: divisor.count + 1)
    }

    var isZero: Bool { digits.allSatisfy { $0 == 0 } }

    /// Brings down the next digit of the dividend.
    mutating func append(_ digit: UInt8) {
        for place in 1..<digits.count { digits[place - 1] = digits[place] }
        digits[digits.count - 1] = digit
        while !digits.lexicographicallyPrecedes(divisor) { subtractDivisor() }
    }

    private mutating func subtractDivisor() {
        var borrow: UInt8 = 0
        for place in digits.indices.reversed() {
            let minus = divisor[place] + borrow
            borrow = digits[place] < minus ? 1 : 0
            digits[place] = digits[place] + borrow * 10 - minus
        }
    }
}
