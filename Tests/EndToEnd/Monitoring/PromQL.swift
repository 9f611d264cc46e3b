import TestSupport

/// The names in a PromQL expression: the selected series, and the labels for grouping. promtool checks the syntax.
struct PromQL {
    struct Selector {
        let metric: String
        var matchers: [Matcher] = []
    }

    struct Matcher {
        let label: String
        let sign: String
        let value: String
    }

    /// A label in `by`, `on` or another clause, and the metrics that the clause applies to.
    struct Grouping {
        let label: String
        let metrics: Set<String>
    }

    private(set) var selectors: [Selector] = []
    private(set) var groupings: [Grouping] = []
    private var tokens: [Token] = []
    /// The index of each selector in `tokens`.
    private var positions: [Int] = []
    /// The tokens that each clause's label applies to.
    private var scopes: [(label: String, tokens: Range<Int>)] = []

    private enum Token: Equatable {
        case word(String)
        case string(String)
        case sign(String)
    }

    private static let operators: Set = ["and", "or", "unless", "bool", "offset"]
    private static let clauses: Set = ["on", "ignoring", "group_left", "group_right"]

    init(_ text: String) throws {
        tokens = try Self.tokens(text)
        var index = 0
        while index < tokens.count {
            if case .word(let word) = tokens[index] {
                index = try take(word, at: index)
            } else {
                index += 1
            }
        }
        groupings = scopes.map { label, scope in
            let inside = zip(positions, selectors).filter { scope.contains($0.0) }
            return Grouping(label: label, metrics: Set(inside.map(\.1.metric)))
        }
    }

    /// Returns the index after the part that begins with the word.
    private mutating func take(_ word: String, at index: Int) throws -> Int {
        let next = index + 1 < tokens.count ? tokens[index + 1] : nil
        if word == "by" {
            let end = try end(ofGroupAt: index + 1)
            // A clause after its argument, as in "sum(x) by (y)", would seem to group nothing.
            guard end < tokens.count, tokens[end] == .sign("(") else {
                throw failure("by (…) stands before what it groups")
            }
            let scope = end..<(try self.end(ofGroupAt: end))
            scopes += labels(in: index + 1..<end).map { ($0, scope) }
            return end
        }
        if Self.clauses.contains(word) {
            let end = try end(ofGroupAt: index + 1)
            scopes += labels(in: index + 1..<end).map { ($0, tokens.indices) }
            return end
        }
        let isFunction = next == .sign("(") || next == .word("by")
        if isFunction || Self.operators.contains(word) { return index + 1 }
        return try takeSelector(word, at: index)
    }

    private mutating func takeSelector(_ metric: String, at index: Int) throws -> Int {
        var selector = Selector(metric: metric)
        positions.append(index)
        defer { selectors.append(selector) }
        guard index + 1 < tokens.count, tokens[index + 1] == .sign("{") else { return index + 1 }
        var index = index + 2
        while index < tokens.count, tokens[index] != .sign("}") {
            guard index + 2 < tokens.count, case .word(let label) = tokens[index],
                case .sign(let sign) = tokens[index + 1], case .string(let value) = tokens[index + 2]
            else { throw failure("a matcher of \(metric)") }
            selector.matchers.append(Matcher(label: label, sign: sign, value: value))
            index += 3
            if index < tokens.count, tokens[index] == .sign(",") { index += 1 }
        }
        return index + 1
    }

    private func labels(in range: Range<Int>) -> [String] {
        tokens[range].compactMap { if case .word(let label) = $0 { label } else { nil } }
    }

    /// The index after the parenthesis that closes the one at `start`.
    private func end(ofGroupAt start: Int) throws -> Int {
        var depth = 0
        for index in tokens.indices.dropFirst(start) {
            if tokens[index] == .sign("(") { depth += 1 }
            if tokens[index] == .sign(")") { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        throw failure("a parenthesis")
    }

    private func failure(_ what: String) -> Program.Failure { Program.Failure("\(what): \(tokens)") }

    /// Leaves out numbers, durations and ranges, because they contain no names.
    private static func tokens(_ text: String) throws -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(text)
        while let first = rest.first {
            if let found = rest.prefixMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) {
                tokens.append(.word(String(found.0)))
                rest = rest[found.range.upperBound...]
            } else if let found = rest.prefixMatch(of: /"([^"\\]*)"/) {
                tokens.append(.string(String(found.1)))
                rest = rest[found.range.upperBound...]
            } else if let found = rest.prefixMatch(of: /\s+|\[[^\]]*\]|[0-9][0-9a-zA-Z.]*/) {
                rest = rest[found.range.upperBound...]
            } else if let found = rest.prefixMatch(of: /=~|!~|!=|==|<=|>=|[-+*\/%^=<>(){},]/) {
                tokens.append(.sign(String(found.0)))
                rest = rest[found.range.upperBound...]
            } else {
                throw Program.Failure("\(first) is not expected in \(text)")
            }
        }
        return tokens
    }
}
