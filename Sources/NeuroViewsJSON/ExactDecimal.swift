/// An exact decimal number, `±digits × 10^exponent`, normalised: no zero at either end of the digits, so that equal
/// numbers have equal parts. Zero has no digits, no sign and exponent 0.
public struct ExactDecimal: Sendable, Hashable {
    /// True if the number is less than zero.
    public private(set) var isNegative = false
    /// The digits, each 0 to 9, the most significant first.
    public private(set) var digits: [UInt8] = []
    /// The power of ten of the last digit. On a 32-bit system `Int` is too small.
    public private(set) var exponent: Int64 = 0

    /// Reads a literal that follows RFC 8259 and has an exponent of at most 18 significant digits, so that no sum below
    /// can overflow. The literal alone determines the memory, with any exponent.
    init(accepted literal: String) {
        digits.reserveCapacity(literal.utf8.count)
        var afterPoint = false
        var bytes = literal.utf8.makeIterator()
        scanning: while let byte = bytes.next() {
            switch byte {
            case Byte.minus: isNegative = true
            case Byte.point: afterPoint = true
            case Byte.lowerE, Byte.upperE:
                exponent += Self.readExponent(&bytes)
                break scanning
            default:
                // A leading zero only moves the place of the point.
                if byte != Byte.zero || !digits.isEmpty { digits.append(byte - Byte.zero) }
                if afterPoint { exponent -= 1 }
            }
        }
        dropTrailingZeros()
    }

    private static func readExponent(_ bytes: inout String.UTF8View.Iterator) -> Int64 {
        var isNegative = false
        var magnitude: Int64 = 0
        while let byte = bytes.next() {
            switch byte {
            case Byte.minus: isNegative = true
            case Byte.plus: break
            default: magnitude = magnitude * 10 + Int64(byte - Byte.zero)
            }
        }
        return isNegative ? -magnitude : magnitude
    }

    private mutating func dropTrailingZeros() {
        var count = digits.count
        while count > 0, digits[count - 1] == 0 { count -= 1 }
        exponent += Int64(digits.count - count)
        digits.removeLast(digits.count - count)
        if digits.isEmpty {
            exponent = 0
            isNegative = false
        }
    }

    /// True if the number is zero.
    public var isZero: Bool { digits.isEmpty }

    /// True if the number has no fraction.
    public var isInteger: Bool { exponent >= 0 }

    /// The number of digits before the decimal point; zero or less when the first digit is after it.
    public var pointPosition: Int64 { Int64(digits.count) + exponent }

    /// The value when it's an integer that fits.
    public var int64: Int64? {
        guard isInteger, pointPosition <= 19 else { return nil }
        var result: Int64 = 0
        for place in 0..<Int(pointPosition) {
            let digit = place < digits.count ? Int64(digits[place]) : 0
            let (shifted, tooLarge) = result.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
            if tooLarge || overflow { return nil }
            result = sum
        }
        return result
    }
}

extension ExactDecimal: Comparable {
    /// Compares the values.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative
            ? right.hasSmallerMagnitude(than: left) : left.hasSmallerMagnitude(than: right)
    }

    private func hasSmallerMagnitude(than other: ExactDecimal) -> Bool {
        if isZero || other.isZero { return isZero && !other.isZero }
        if pointPosition != other.pointPosition { return pointPosition < other.pointPosition }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}
