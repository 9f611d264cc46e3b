import NeuroViewsJSON

extension JSON {
    /// The server takes bodies of 64 levels, and a document is one level below its body.
    static let documentLevelsMax = 63

    /// True if arrays and objects are nested in more levels than that; a value without members has none. It looks no
    /// deeper than it must: functions that visit a whole value recurse, and an app's thread has a small stack.
    func isNested(deeperThan levels: Int) -> Bool {
        switch self {
        case .array(let elements): levels < 1 || elements.contains { $0.isNested(deeperThan: levels - 1) }
        case .object(let object): levels < 1 || object.members.contains { $0.value.isNested(deeperThan: levels - 1) }
        default: levels < 0
        }
    }
}

extension JSONValue {
    /// The same for the app's value, before it is converted.
    func isNested(deeperThan levels: Int) -> Bool {
        switch self {
        case .array(let elements): levels < 1 || elements.contains { $0.isNested(deeperThan: levels - 1) }
        case .object(let object): JSON.object(object.exact).isNested(deeperThan: levels)
        default: levels < 0
        }
    }
}
