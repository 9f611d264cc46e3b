import HTTP

/// The Range field of a request (RFC 9110, 14.2), for responses of known length.
enum RangeRequest: Equatable {
    /// The whole file: there is no Range, or it counts as none because of another unit or a syntax error.
    case whole
    /// This part.
    case part(Range<Int>)
    /// The range is outside the file, or there are several: a whole file each time would send the rest many times over.
    case unsatisfiable

    /// Reads a field's value; nil without the field.
    init(_ value: String?, length: Int) {
        guard let value, let ranges = Self.ranges(value) else {
            self = .whole
            return
        }
        guard ranges.count == 1, let range = Self.resolved(ranges[0], length) else {
            self = .unsatisfiable
            return
        }
        self = .part(range)
    }

    private typealias Bounds = (first: Int?, last: Int?)

    /// Nil for a syntax error.
    private static func ranges(_ value: String) -> [Bounds]? {
        guard let mark = value.firstIndex(of: "="),
            value[..<mark].lowercased() == "bytes"
        else { return nil }
        var ranges: [Bounds] = []
        for text in value[value.index(after: mark)...].split(separator: ",") {
            guard let bounds = bounds(text.trimmingBlanks) else { return nil }
            ranges.append(bounds)
        }
        return ranges.isEmpty ? nil : ranges
    }

    private static func bounds(_ text: Substring) -> Bounds? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = number(parts[0]), let last = number(parts[1]) else { return nil }
        switch (first, last) {
        case (nil, nil): return nil
        case (.some(let first), .some(let last)) where first > last: return nil
        default: return (first, last)
        }
    }

    /// Nil for anything but digits; the inner nil is for an empty text. A number
    /// that is too large counts as the largest.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return .some(Int(text) ?? .max)
    }

    private static func resolved(_ bounds: Bounds, _ length: Int) -> Range<Int>? {
        switch bounds {
        case (.some(let first), let last):
            guard first < length else { return nil }
            return first..<min(length, (last ?? .max).addingSaturated(1))
        case (nil, .some(let suffix)):
            guard suffix > 0, length > 0 else { return nil }
            return max(0, length - suffix)..<length
        case (nil, nil): return nil
        }
    }
}

extension Int {
    fileprivate func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
