import CloudSync
import NeuroViewsJSON
import TestSupport

/// Random documents and edits. They use few names and values, so that edits overlap.
struct RandomMerge {
    private static let names = ["a", "b", "c", "d", "x/y", "~", "", "\u{e9}", "e\u{301}"]
    private static let numbers = ["0", "-0", "1", "1.0", "10e-1", "2", "2.50", "9007199254740993", "1e300"]
    private static let times = ["2026-03-01T12:00:00Z", "2026-03-01T13:00:00+01:00", "2026-03-01T12:30:00Z"]
    private var random: SeededRandom

    init(seed: Int) { random = SeededRandom(seed: seed, worker: 0) }

    /// A base and two edits. Sometimes a side has no edit, or both sides have the same time.
    mutating func input() -> MergeInput {
        let base = configuration()
        return MergeInput(base: base, mine: edit(of: base), theirs: edit(of: base))
    }

    private mutating func configuration() -> JSONObject {
        var object = object(depth: 3)
        object.set("id", to: .string("11111111-2222-4333-8444-555555555555"))
        for name in ["created_at", "modified_at"] { object.set(name, to: time()) }
        return object
    }

    private mutating func edit(of base: JSONObject) -> ConfigurationMerge.Edit {
        var object = base
        if !chance(8) {
            object = edited(base, depth: 3)
            for name in ["id", "created_at"] { object.set(name, to: base[name] ?? .null) }
            if chance(4) { object.set("created_at", to: time()) }
            object.set("modified_at", to: time())
        }
        return .init(object, editedAt: Timestamp(seconds: Int.random(in: 0..<3, using: &random)))
    }

    private mutating func edited(_ object: JSONObject, depth: Int) -> JSONObject {
        var members: [JSONObject.Member] = []
        for member in object.members {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: break
            case 1: members.append(.init(name: member.name, value: value(depth: depth - 1)))
            case 2: members.append(.init(name: member.name, value: respelled(member.value)))
            default: members.append(.init(name: member.name, value: inside(member.value, depth: depth - 1)))
            }
        }
        if chance(2) { members.append(.init(name: name(), value: value(depth: depth - 1))) }
        if chance(4) { members.shuffle(using: &random) }
        return JSONObject(members)
    }

    /// The same value, or an object with edited members.
    private mutating func inside(_ value: JSONValue, depth: Int) -> JSONValue {
        guard depth > 0, let object = value.object, chance(2) else { return value }
        return .object(edited(object, depth: depth))
    }

    /// The same number in another spelling.
    private func respelled(_ value: JSONValue) -> JSONValue {
        guard let literal = value.number?.literal, !literal.contains("e"), !literal.contains("."),
            let number = JSONNumber(literal + ".0")
        else { return value }
        return .number(number)
    }

    private mutating func object(depth: Int) -> JSONObject {
        let count = Int.random(in: 0..<5, using: &random)
        return JSONObject((0..<count).map { _ in .init(name: name(), value: value(depth: depth - 1)) })
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: .null
        case 1: .bool(chance(2))
        case 2: .string(name())
        case 3: .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in value(depth: 0) })
        case 4, 5: number()
        default: .object(object(depth: depth))
        }
    }

    private mutating func number() -> JSONValue {
        let literal = Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)]
        return JSONNumber(literal).map { .number($0) } ?? .null
    }

    private mutating func name() -> String { Self.names[Int.random(in: 0..<Self.names.count, using: &random)] }
    private mutating func time() -> JSONValue { .string(Self.times[Int.random(in: 0..<3, using: &random)]) }
    private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
}
