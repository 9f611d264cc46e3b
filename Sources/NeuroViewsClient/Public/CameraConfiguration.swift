import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A camera preset: a JSON document with an id.
///
/// Each assignment notes the member that it sets, also if the value is the one that was there: `exposure.iso = 400` notes
/// `/exposure_settings/iso`. ``NeuroViews/save(_:)`` and ``NeuroViews/edit(_:_:)`` store the noted members alone, so that
/// edits of other members on other devices survive. Members that this library does not know stay as they are, and numbers
/// keep their digits.
///
/// Values outside the server's limits, such as a name without characters, are stored here; the server refuses them.
public struct CameraConfiguration: Identifiable, Sendable {
    /// The item's id. It never changes.
    public let id: UUID
    /// The first assignment that was refused, if there was one: this configuration can't be saved.
    public internal(set) var invalid: InvalidEdit?

    /// All members, known or not.
    private(set) var content: Document
    /// True if it takes the place of what is stored.
    let isWhole: Bool
    private(set) var noted = NotedMembers()

    /// A stored document.
    init(_ content: Document, id: UUID) { (self.id, self.content, isWhole) = (id, content, false) }

    /// A new document, or one that takes the place of all members of a stored one.
    init(whole content: Document, id: UUID) {
        (self.id, isWhole) = (id, true)
        var own = content
        own.put(.string(id.uuidString.lowercased()), at: JSONPointer().appending(member: "id"))
        self.content = own
    }

    /// Sets a member, or removes it, and notes it. A value that means the same keeps its spelling.
    mutating func put(_ value: JSON?, at pointer: JSONPointer) {
        noted.insert(pointer)
        if content.value(at: pointer) != value { content.put(value, at: pointer) }
    }
}

extension CameraConfiguration {
    /// Reads or assigns any member by its JSON Pointer (RFC 6901), such as `/focus_settings/mode`; nil if it is missing,
    /// and to remove it.
    ///
    /// Objects on the way are made if they are missing. An array is one value: no pointer leads into it. Pointers to
    /// `id`, `modified_at` and the whole document, and values that make a document of more than 63 levels, are refused:
    /// see ``invalid``.
    public subscript(pointer: String) -> JSONValue? {
        get { JSONPointer(pointer).flatMap { content.value(at: $0) }.map { JSONValue($0) } }
        set {
            do throws(InvalidEdit) {
                let place = try assignable(pointer, newValue)
                put(newValue.map { JSON($0) }, at: place)
            } catch {
                invalid = invalid ?? error
            }
        }
    }

    private func assignable(_ text: String, _ value: JSONValue?) throws(InvalidEdit) -> JSONPointer {
        guard let pointer = JSONPointer(text) else { throw InvalidEdit(pointer: text, reason: .notAPointer) }
        guard let top = pointer.tokens.first else { throw InvalidEdit(pointer: text, reason: .wholeDocument) }
        if ["id", "modified_at"].contains(where: top.hasSameBytes) {
            throw InvalidEdit(pointer: text, reason: .reserved)
        }
        if let above = content.obstacle(above: pointer) {
            throw InvalidEdit(pointer: text, reason: .noMembers(above: above.description))
        }
        if (value ?? .null).isNested(deeperThan: JSON.documentLevelsMax - pointer.tokens.count) {
            throw InvalidEdit(pointer: text, reason: .tooDeep(maxLevels: JSON.documentLevelsMax))
        }
        return pointer
    }
}

extension CameraConfiguration: Hashable {
    /// True if both are the same document of the same item. The noted members do not count.
    public static func == (left: CameraConfiguration, right: CameraConfiguration) -> Bool {
        left.id == right.id && left.content == right.content
    }

    /// Equal documents have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(content)
    }
}
