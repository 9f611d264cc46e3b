extension ExactDecimal {
    /// Appends the canonical text of the number: the layout of RFC 8785 (ECMAScript's Number::toString), filled with the
    /// exact digits instead of those of the nearest double.
    ///
    /// With n the place of the decimal point: plain digits for 0 < n <= 21 (`100`, `1.5`), `0.` and zeros for
    /// -6 < n <= 0 (`0.000125`), otherwise `d.ddde+x` or `d.ddde-x`. Zero is `0`.
    func appendCanonical(to bytes: inout [UInt8]) {
        if isZero { return bytes.append(Byte.zero) }
        if isNegative { bytes.append(Byte.minus) }
        switch pointPosition {
        case 1...21: appendPlain(to: &bytes)
        case -5...0: appendFraction(to: &bytes)
        default: appendScientific(to: &bytes)
        }
    }

    private func appendPlain(to bytes: inout [UInt8]) {
        for (place, digit) in digits.enumerated() {
            if Int64(place) == pointPosition { bytes.append(Byte.point) }
            bytes.append(Byte.zero + digit)
        }
        bytes.append(contentsOf: repeatElement(Byte.zero, count: Int(max(0, exponent))))
    }

    private func appendFraction(to bytes: inout [UInt8]) {
        bytes.append(Byte.zero)
        bytes.append(Byte.point)
        bytes.append(contentsOf: repeatElement(Byte.zero, count: Int(-pointPosition)))
        bytes.append(contentsOf: digits.lazy.map { Byte.zero + $0 })
    }

    private func appendScientific(to bytes: inout [UInt8]) {
        for (place, digit) in digits.enumerated() {
            if place == 1 { bytes.append(Byte.point) }
            bytes.append(Byte.zero + digit)
        }
        bytes.append(Byte.lowerE)
        if pointPosition > 0 { bytes.append(Byte.plus) }
        bytes.append(contentsOf: String(pointPosition - 1).utf8)
    }
}
