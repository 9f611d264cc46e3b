/// An assignment to a ``CameraConfiguration``, ``ExposureSettings`` or ``RecordingMetadata`` that no server can store. It changes
/// nothing.
///
/// Assignments can't throw, so the value keeps the first one in ``CameraConfiguration/invalid``, and ``NeuroViews/save(_:)``,
/// ``NeuroViews/edit(_:_:)`` and ``NeuroViews/upload(_:_:id:partSize:sealed:)`` throw it as ``ClientError/invalid(_:)``.
public struct InvalidEdit: Error, Hashable, Sendable {
    /// The place in the document, as it was given.
    public let pointer: String
    /// The reason.
    public let reason: Reason

    /// The reason of the refusal.
    public enum Reason: Hashable, Sendable {
        /// The text is no JSON Pointer (RFC 6901).
        case notAPointer
        /// The empty pointer is the whole document.
        case wholeDocument
        /// The member belongs to the library: `id` and `modified_at`.
        case reserved
        /// The value at `above` has no members: an array is one value, like a number or a text.
        case noMembers(above: String)
        /// The document would be nested deeper than the server allows.
        case tooDeep(maxLevels: Int)
        /// JSON has no infinity, and no NaN.
        case notFinite
        /// A time must be within the years 0 to 9999.
        case notATime
        /// A document must be an object.
        case notAnObject
        /// The document's `id` is no UUID.
        case notAUUID
        /// The configuration in the closure of `edit` has been replaced by one of another item.
        case otherItem
    }
}

extension InvalidEdit: CustomStringConvertible {
    /// The reason with its remedy.
    public var description: String {
        switch reason {
        case .notAPointer: #""\#(pointer)" is no JSON Pointer: write it as in "/exposure_settings/iso"."#
        case .wholeDocument: "The whole document can't be assigned: make a configuration with init(document:)."
        case .reserved: "\(pointer) can't be assigned: the library sets id and modified_at."
        case .noMembers(let above): "\(pointer) can't be assigned, since \(above) is no object: assign \(above) whole."
        case .tooDeep(let maxLevels):
            "\(pointer.isEmpty ? "The document" : pointer) is nested too deep: a document has at most \(maxLevels) levels."
        case .notFinite: "\(pointer) must be a finite number."
        case .notATime: "\(pointer) must be a time within the years 0 to 9999."
        case .notAnObject: "A configuration must be a JSON object."
        case .notAUUID: "The document's id must be a UUID such as 550e8400-e29b-41d4-a716-446655440000."
        case .otherItem: "The configuration is of another item: save it by itself."
        }
    }
}
