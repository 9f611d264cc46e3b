/// The fields of one message head, in one flat copy of its bytes. Names are compared as ASCII without regard to case. A
/// value becomes a String only on demand. Valid UTF-8 is kept byte for byte; invalid parts (obs-text in another
/// encoding) become U+FFFD. `bytes(of:)` returns the received bytes.
public struct Headers: Sendable {
    let bytes: [UInt8]
    let lines: [FieldLine]
    /// One bit for each length of a name that occurs (the lowest six bits of it): most requested fields are absent.
    private let nameLengths: UInt64

    init(bytes: [UInt8], lines: [FieldLine]) {
        self.bytes = bytes
        self.lines = lines
        var lengths: UInt64 = 0
        for line in lines { lengths |= 1 << UInt64(line.name.count & 63) }
        nameLengths = lengths
    }

    /// Number of field lines.
    public var count: Int { lines.count }

    /// The value of the first field with this name, without the white space around it.
    public func first(_ name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of the first field with this name as it was received.
    public func bytes(of name: String) -> ArraySlice<UInt8>? {
        position(of: name, from: 0).map { bytes[lines[$0].value.range] }
    }

    /// The values of all fields with this name, in the order received; list values are not split.
    public func values(_ name: String) -> [String] {
        bytesOfAll(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same as received bytes.
    public func bytesOfAll(_ name: String) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var next = position(of: name, from: 0)
        while let position = next {
            found.append(bytes[lines[position].value.range])
            next = self.position(of: name, from: position + 1)
        }
        return found
    }

    /// The number of fields with this name.
    public func count(of name: String) -> Int {
        var (count, next) = (0, position(of: name, from: 0))
        while let position = next {
            count += 1
            next = self.position(of: name, from: position + 1)
        }
        return count
    }

    private func position(of name: String, from start: Int) -> Int? {
        guard nameLengths >> UInt64(name.utf8.count & 63) & 1 == 1 else { return nil }
        let wanted = name.utf8.span
        let bytes = bytes.span
        for position in start..<max(start, lines.count) {
            let name = lines[position].name
            guard name.count == wanted.count else { continue }
            if bytes.equals(wanted, ignoringCaseIn: name.range) { return position }
        }
        return nil
    }
}
