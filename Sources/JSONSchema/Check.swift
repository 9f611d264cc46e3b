import NeuroViewsJSON

/// One check of a value against a schema: the current place, and the violations so far.
struct Check {
    private enum Step {
        case member(String)
        case index(Int)
    }

    private(set) var violations: [Violation] = []
    private let maxViolations: Int
    private var path: [Step] = []

    init(maxViolations: Int) {
        self.maxViolations = maxViolations
    }

    /// Returns true if the value conforms to a schema. Reports nothing.
    static func accepts(_ value: JSONValue, _ node: Node) -> Bool {
        var check = Check(maxViolations: 1)
        check.apply(node, to: value, via: "")
        return check.violations.isEmpty
    }

    var isFull: Bool { violations.count >= maxViolations }

    /// Checks a value. `via` is the keyword with this schema, for the report of the schema `false`.
    mutating func apply(_ node: Node, to value: JSONValue, via parent: String) {
        switch node {
        case .anything: break
        case .nothing: report(parent, "is not allowed here")
        case .keywords(let keywords):
            for keyword in keywords {
                if isFull { return }
                apply(keyword, to: value)
            }
        }
    }

    mutating func apply(_ node: Node, toMember name: String, _ value: JSONValue, via parent: String) {
        path.append(.member(name))
        apply(node, to: value, via: parent)
        path.removeLast()
    }

    mutating func apply(_ node: Node, toItem index: Int, _ value: JSONValue, via parent: String) {
        path.append(.index(index))
        apply(node, to: value, via: parent)
        path.removeLast()
    }

    /// Records a violation at this place, or at a member of it.
    mutating func report(_ keyword: String, _ detail: @autoclosure () -> String, member: String? = nil) {
        if isFull { return }
        var pointer = JSONPointer()
        for step in path {
            switch step {
            case .member(let name): pointer.append(member: name)
            case .index(let index): pointer.append(index: index)
            }
        }
        if let member { pointer.append(member: member) }
        let text = pointer.bounded(maxBytes: 1000).description
        violations.append(Violation(pointer: text, keyword: keyword, detail: detail()))
    }

    /// Such a keyword is about one type only, and accepts all other values.
    private mutating func apply(_ keyword: Keyword, to value: JSONValue) {
        if checkAny(keyword, value) { return }
        switch value {
        case .number(let number): checkNumber(keyword, number)
        case .string(let string): checkString(keyword, string)
        case .array(let items): checkArray(keyword, items)
        case .object(let object): checkObject(keyword, object)
        case .null, .bool: break
        }
    }
}
