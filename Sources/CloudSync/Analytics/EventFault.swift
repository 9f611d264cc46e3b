import NeuroViewsJSON

/// A fault of an event.
struct EventFault: Error {
    /// A JSON Pointer into the event.
    let pointer: String
    /// The keyword of the schema, or the name of a rule that no keyword expresses.
    let keyword: String
    /// The requirement, as the end of a sentence.
    let detail: String
}

extension EventFault {
    /// The fault of a text that the parser rejects. Its syntax is known to be JSON.
    init(_ error: JSONError) {
        let detail =
            switch error.reason {
            case .nul: "must not have the character U+0000"
            case .loneSurrogate: "must not have half a surrogate pair"
            case .numberTooLarge: "must be in the range of a double (1.8e308)"
            case .exponentTooLarge: "must have an exponent of at most 18 digits"
            case .numberTooLong(let maxBytes): "must have at most \(maxBytes) characters"
            case .duplicateName: "must be there once"
            case .tooDeep(let maxDepth): "must be nested at most \(maxDepth) levels deep"
            default: "must be JSON: \(error.reason)"
            }
        self.init(pointer: error.pointer.description, keyword: "json", detail: detail)
    }
}
