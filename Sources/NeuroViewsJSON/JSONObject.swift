/// The members of a JSON object in the order they were written, each name once.
///
/// Names are compared by UTF-8 bytes. Small objects are searched from the start; larger ones have an index.
public struct JSONObject: Sendable {
    /// A name with its value.
    public struct Member: Sendable {
        /// The name, unescaped.
        public let name: String
        /// The value.
        public var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Up to this many members a search from the start is cheaper than hashing.
    static let maxUnindexedMembers = 16

    /// The members in order.
    public private(set) var members: [Member] = []
    private var index: [ByteKey: Int]?

    /// Makes an object without members.
    public init() {}

    /// Makes an object; of members with the same name the last one counts.
    public init(_ members: [Member]) {
        for member in members {
            set(member.name, to: member.value)
        }
    }

    /// The number of members.
    public var count: Int { members.count }

    /// True if there is no member.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member.
    public subscript(name: String) -> JSONValue? {
        position(of: name).map { members[$0].value }
    }

    /// Returns true if there is a member of that name, with any value.
    public func contains(_ name: String) -> Bool {
        position(of: name) != nil
    }

    /// Appends the member, or replaces the value of an existing one at its place.
    public mutating func set(_ name: String, to value: JSONValue) {
        if let position = position(of: name) {
            members[position].value = value
        } else {
            appendNew(name, value)
        }
    }

    /// Appends a member whose name is known to be new.
    mutating func appendNew(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
        if index != nil {
            index?[ByteKey(string: name)] = members.count - 1
        } else if members.count > Self.maxUnindexedMembers {
            buildIndex()
        }
    }

    private mutating func buildIndex() {
        var built: [ByteKey: Int] = [:]
        for (position, member) in members.enumerated() {
            built[ByteKey(string: member.name)] = position
        }
        index = built
    }

    private func position(of name: String) -> Int? {
        if let index { return index[ByteKey(string: name)] }
        for position in members.indices where members[position].name.hasSameBytes(as: name) {
            return position
        }
        return nil
    }
}

extension JSONObject: Hashable {
    /// Returns true if both have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes independently of the order of members.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members {
            var own = Hasher()
            member.name.hashBytes(into: &own)
            own.combine(member.value)
            sum &+= own.finalize()
        }
        hasher.combine(members.count)
        hasher.combine(sum)
    }
}
