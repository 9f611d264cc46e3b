/// A bare item of a structured field (RFC 9651, section 3.3). Types that uploads don't use are recognised but not kept.
enum StructuredItem: Hashable {
    case integer(Int)
    case boolean(Bool)
    case bytes([UInt8])
    /// A decimal, string, token, date, display string or inner list.
    case other
}

extension StructuredItem {
    /// The integer of an Item field, or nil: another type and a syntax error make the whole field absent.
    static func integer(_ value: [UInt8]) -> Int? {
        guard case .integer(let number) = item(value) else { return nil }
        return number
    }

    /// The boolean of an Item field, or nil as above.
    static func boolean(_ value: [UInt8]) -> Bool? {
        guard case .boolean(let flag) = item(value) else { return nil }
        return flag
    }

    /// The members of a Dictionary field, or nil when it has a syntax error. Of equal keys the last one counts.
    static func dictionary(_ value: [UInt8]) -> [String: StructuredItem]? {
        var reader = StructuredFieldReader(value)
        return try? reader.dictionary()
    }

    private static func item(_ value: [UInt8]) -> StructuredItem? {
        var reader = StructuredFieldReader(value)
        return try? reader.wholeItem()
    }
}
