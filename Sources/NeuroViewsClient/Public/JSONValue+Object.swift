import NeuroViewsJSON

extension JSONValue {
    /// The members of an object in their order, each name once. Names are compared by their bytes.
    public struct Object: Hashable, Sendable {
        private(set) var exact = JSONObject()

        init(_ exact: JSONObject) { self.exact = exact }

        /// An object without members.
        public init() {}

        /// The names of the members, in their order.
        public var names: [String] { exact.members.map(\.name) }

        /// The members, in their order.
        public var members: [(name: String, value: JSONValue)] {
            exact.members.map { ($0.name, JSONValue($0.value)) }
        }

        /// The number of members.
        public var count: Int { exact.count }

        /// The value of a member. Setting a new one appends it, setting nil removes it.
        public subscript(name: String) -> JSONValue? {
            get { exact[name].map { JSONValue($0) } }
            set {
                if let newValue {
                    exact.set(name, to: JSON(newValue))
                } else {
                    exact = JSONObject(exact.members.filter { !$0.name.hasSameBytes(as: name) })
                }
            }
        }
    }
}

extension JSONValue.Object: ExpressibleByDictionaryLiteral {
    /// Of members with the same name the last one counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        for (name, value) in members { self[name] = value }
    }
}
