import HTTP

/// The path of the interface that is nearest to one without a route, for the message of its 404.
struct NearestPath: Sendable {
    private struct Known: Sendable {
        /// `/v2/recordings/{id}`
        let pattern: String
        /// Its segments behind `/v2`; nil for a parameter, which any segment can be.
        let segments: [[UInt8]?]
    }

    private static let prefix = "/v2/"
    /// Wrong letters in a segment.
    private static let lettersMax = 2
    private static let segmentsMax = 8

    private let known: [Known]

    /// Knows the patterns under `/v2`; each may occur several times.
    init(_ patterns: [String]) {
        known = Set(patterns).filter { $0.hasPrefix(Self.prefix) }.sorted().map { pattern in
            let segments = pattern.dropFirst(Self.prefix.count).split(separator: "/")
            return Known(pattern: pattern, segments: segments.map { $0.hasPrefix("{") ? nil : Array($0.utf8) })
        }
    }

    /// The detail of the 404.
    func detail(for path: ArraySlice<UInt8>) -> String {
        guard let pattern = nearest(to: path) else { return "There is no such path. /v2/openapi.json lists all." }
        return "There is no such path. The nearest one is \(pattern)."
    }

    /// Nil if none is near, or several equally so: to name one of them would be a guess.
    private func nearest(to path: ArraySlice<UInt8>) -> String? {
        let sent = Self.segments(of: path)
        guard sent.count <= Self.segmentsMax else { return nil }
        var least = Int.max
        var found: [String] = []
        for one in known {
            guard let distance = Self.distance(sent, one.segments), distance <= least else { continue }
            if distance < least { found = [] }
            found.append(one.pattern)
            least = distance
        }
        return found.count == 1 ? found.first : nil
    }

    /// The segments that are not empty, behind the version. A path may lack the version, have another one, have
    /// it twice, or have it behind a segment of a proxy.
    private static func segments(of path: ArraySlice<UInt8>) -> [[UInt8]] {
        let all = path.split(separator: UInt8(ascii: "/"), maxSplits: segmentsMax + 2).map { Array($0) }
        guard let version = all.prefix(2).lastIndex(where: isVersion) else { return all }
        return Array(all[(version + 1)...])
    }

    private static func isVersion(_ segment: [UInt8]) -> Bool {
        segment.count == 2 && segment[0] | 0x20 == UInt8(ascii: "v") && (0x30...0x39).contains(segment[1])
    }

    /// Counts wrong letters, then parameters, since a literal is nearer. A missing segment is further than wrong
    /// letters. Nil if the paths differ by more.
    private static func distance(_ sent: [[UInt8]], _ known: [[UInt8]?]) -> Int? {
        guard sent.count == known.count else { return lacksOne(sent, known) ? .max : nil }
        var (letters, parameters) = (0, 0)
        for (segment, literal) in zip(sent, known) {
            guard let literal else {
                parameters += 1
                continue
            }
            guard let wrong = EditDistance.between(segment, literal, most: lettersMax) else { return nil }
            letters += wrong
        }
        return letters * segmentsMax + parameters
    }

    /// True if a path without parameters becomes the sent one when a segment is removed: `/v2/auth/login`, `/v2/login`.
    private static func lacksOne(_ sent: [[UInt8]], _ known: [[UInt8]?]) -> Bool {
        guard known.count == sent.count + 1 else { return false }
        return known.indices.contains { index in
            var rest = known
            rest.remove(at: index)
            return !known.contains(nil) && rest.elementsEqual(sent) { $0 == $1 }
        }
    }
}
