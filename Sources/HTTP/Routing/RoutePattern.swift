/// A path with parameters, "/v2/configurations/{id}". A literal segment is compared byte for byte with the path as it
/// was sent; a parameter matches any one segment that is not empty.
public struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        case literal([UInt8])
        case parameter
    }

    /// The pattern as it was written; the name of the route in logs and metrics.
    public let description: String
    /// The names of the parameters, in the order of the path.
    public let parameterNames: [String]
    let segments: [Segment]

    /// Rejects a pattern that doesn't begin with `/`, has empty segments, or has characters that a path can't have.
    /// Also rejects braces other than around a whole segment, and repeated parameters.
    public init(_ pattern: String) throws(RouterError) {
        let bytes = Array(pattern.utf8)
        guard bytes.first == .slash else { throw .malformedPattern(pattern) }
        var segments: [Segment] = []
        var names: [String] = []
        for part in bytes.dropFirst().split(separator: .slash, omittingEmptySubsequences: false) {
            if part.first == 0x7B {
                let name = try RoutePattern.parameterName(part, in: pattern)
                guard !names.contains(name) else { throw .repeatedParameter(name: name, pattern: pattern) }
                names.append(name)
                segments.append(.parameter)
            } else {
                let isRoot = part.isEmpty && bytes.count == 1
                guard isRoot || RoutePattern.isLiteral(part) else { throw .malformedPattern(pattern) }
                segments.append(.literal(Array(part)))
            }
        }
        self.description = pattern
        self.parameterNames = names
        self.segments = segments
    }

    private static func parameterName(_ part: ArraySlice<UInt8>, in pattern: String) throws(RouterError) -> String {
        let name = part.dropFirst().dropLast()
        let isName = name.allSatisfy { $0 == 0x5F || $0.isDigit || (0x61...0x7A).contains($0.lowercased) }
        guard part.last == 0x7D, !name.isEmpty, isName else { throw .malformedPattern(pattern) }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isLiteral(_ part: ArraySlice<UInt8>) -> Bool {
        !part.isEmpty && part.allSatisfy(\.isPathLiteral)
    }

    /// Returns true if some path matches both patterns.
    func overlaps(_ other: RoutePattern) -> Bool {
        guard segments.count == other.segments.count else { return false }
        return zip(segments, other.segments).allSatisfy { mine, theirs in
            switch (mine, theirs) {
            case (.literal(let mine), .literal(let theirs)): mine == theirs
            case (.literal(let literal), .parameter), (.parameter, .literal(let literal)): !literal.isEmpty
            case (.parameter, .parameter): true
            }
        }
    }
}
