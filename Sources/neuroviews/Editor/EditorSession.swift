import CommandWords
import NeuroViewsClient

/// A document in the editor, again and again until it is right or given up.
enum EditorSession {
    /// Returns the edited document, nil if nothing was changed. A text that is given up with faults is kept in its file.
    static func edit(_ original: JSONValue, _ call: CommandCall) throws(Failure) -> JSONValue? {
        let file = DraftFile(in: call.profile.folder)
        let schema = try call.profile.schema()
        var text = Draft.text(PrettyJSON.text(original))
        var complaints: [String] = []
        while true {
            try file.write(text)
            do throws(Failure) {
                try Editor.open(file.path, call.environment)
            } catch {
                file.remove()
                throw error
            }
            let edited = try file.read()
            guard edited != text || complaints.isEmpty else { throw kept(file, complaints) }
            let document = Draft.document(in: edited)
            guard edited != text, !document.isEmpty else {
                file.remove()
                return nil
            }
            (text, complaints) = (document, faults(document, original, schema))
            guard !complaints.isEmpty else {
                file.remove()
                return JSONValue(text: document)
            }
            text = Draft.text(document, complaints: complaints)
        }
    }

    private static func faults(_ document: String, _ original: JSONValue, _ schema: String?) -> [String] {
        if let fault = SchemaCheck.fault(ofText: document) { return [fault] }
        guard let value = JSONValue(text: document) else { return ["The document is nested too deep."] }
        return Draft.complaints(value, of: original, schema: schema)
    }

    private static func kept(_ file: DraftFile, _ complaints: [String]) -> Failure {
        Failure("\(complaints.joined(separator: " ")) Nothing was changed; the text is in \(file.path).", .data)
    }
}
