import Foundation

extension Parameter.Kind {
    /// Values that the schema rejects, in the form of a target.
    var badValues: [String] {
        let id = "11111111-2222-4333-8444-555555555555"
        switch self {
        case .uuid:
            return [
                "1", "not-a-uuid", String(id.dropLast()), id + "0", "g" + id.dropFirst(), "a%2Fb", "..%2f..",
                "%F0%9F%93%B7", id.replacing("-", with: ""), "-", "'%20OR%20'1'='1", "%EF%BC%91" + id.dropFirst(),
                String(repeating: "a", count: 3000),
            ]
        case .time:
            return ["yesterday", "2025-06-01", "2025-02-29T00:00:00Z", "2025-06-01T24:00:00Z", "1748779200"]
        case .date:
            return [
                "today", "2026-3-01", "2026-02-29", "2026-02-29T00:00:00Z", "20260301", "0000-01-01", "12026-01-01",
                "%EF%BC%92026-03-01",
            ]
        case .integer(let range):
            return Self.atLeast(range.lowerBound).badValues + ["\(range.upperBound + 1)", "99999999999999999999"]
        case .atLeast(let least): return ["\(least - 1)", "-1", "ten", "1.0", "1e2", "0x1", "%201", "%EF%BC%91"]
        case .text(let count):
            let short = count.lowerBound > 1 ? [String(repeating: "0", count: count.lowerBound - 1)] : []
            return short + ["x", "%C3%A9"].map { String(repeating: $0, count: count.upperBound + 1) }
        case .word: return ["nothing", "..%2f..", "%F0%9F%93%B7"]
        case .opaque: return ["x", "0", "%F0%9F%93%B7", String(repeating: "9", count: 100)]
        case .anything: return []
        }
    }

    /// A value that the schema accepts, and that names nothing.
    var unknownValue: String {
        switch self {
        case .uuid: UUID().uuidString
        case .integer(let range): "\(range.upperBound)"
        case .text(let count): String(String(repeating: "0a", count: 100).prefix(count.upperBound))
        case .time, .date, .word, .opaque, .anything, .atLeast: "nothing"
        }
    }
}

extension Fault {
    /// Bytes that are invalid in any path, and values that the path's parameters reject.
    static func ofPath(_ operation: Operation) -> [Fault] {
        let bytes: [[UInt8]] = ["%", "%00", "%zz", "%1", "%ff", "a%c3(", "{x}"].map { Array($0.utf8) } + [[0], [0xff]]
        let encoding = bytes.map { bytes in
            Fault(name: "a path that ends in \(bytes)", verdict: "400 bad-request") { $0.path += bytes }
        }
        return encoding
            + operation.parameters(in: .path).flatMap { parameter in
                // The document has no rule for a name by the server, so a bad name is just unknown.
                let isName =
                    switch parameter.kind {
                    case .word, .opaque: true
                    default: false
                    }
                return parameter.kind.badValues.map {
                    Fault(
                        name: "\(parameter.name) is \($0)",
                        verdict: isName ? "404 not-found" : "400 invalid-parameter",
                        values: [parameter.name: $0]
                    )
                }
            }
    }

    /// Well-formed names of things that don't exist.
    static func ofUnknown(_ operation: Operation) -> [Fault] {
        guard operation.needsWhatIsNamed else { return [] }
        return operation.parameters(in: .path).map {
            Fault(name: "unknown \($0.name)", verdict: "404 not-found", values: [$0.name: $0.kind.unknownValue])
        }
    }

    /// Queries that can't be decoded, and values that the query's parameters reject.
    static func ofQuery(_ operation: Operation) -> [Fault] {
        func fault(_ query: String) -> Fault {
            Fault(name: "the query \(query)", verdict: "400 invalid-parameter") { $0.query.append(query) }
        }
        func fault(_ query: String, of name: String) -> Fault {
            Fault(name: "the query \(query)", verdict: "400 invalid-parameter") { draft in
                draft.query.removeAll { $0.hasPrefix("\(name)=") }
                draft.query.append(query)
            }
        }
        let encoding = ["x=%", "x=%00", "%00=x", "x=%zz", "x=%ff", "x=a%c3("].map(fault)
        let tooMany = fault((0...64).map { "x\($0)=" }.joined(separator: "&"))
        let unknown = ofQueryNames(operation).map(fault)
        return encoding + [tooMany] + unknown
            + operation.parameters(in: .query).flatMap { parameter in
                let item = "\(parameter.name)=\(parameter.example)"
                let repeated = fault("\(item)&\(item)", of: parameter.name)
                if case .anything = parameter.kind { return [repeated] }
                let bad = ([""] + parameter.kind.badValues).map { fault("\(parameter.name)=\($0)", of: parameter.name) }
                return bad + [repeated, fault(parameter.name, of: parameter.name)]
            }
    }

    /// Parameters of other operations, and misspelt ones of its own.
    private static func ofQueryNames(_ operation: Operation) -> [String] {
        guard !operation.takesAnyQuery, let all = try? Operation.all() else { return [] }
        let own = operation.parameters(in: .query).map(\.name)
        let others = Set(all.flatMap { $0.parameters(in: .query) }.map(\.name)).subtracting(own)
        return others.sorted().prefix(2).map { $0 + "=1" } + own.map { $0 + "x=1" }
    }
}
