import CommandWords
import NeuroViewsClient

/// A document in the editor, again and again until it is right or given up.
enum EditorSession {
    /// A document; its text is in the file until it is stored.
    struct Edited {
        let document: JSONValue
        let file: DraftFile
    }

    /// Returns the edited document, nil if nothing was changed. After a failure, a text that the person has changed
    /// stays in its file, which the failure names.
    static func edit(_ original: JSONValue, _ call: CommandCall) throws(Failure) -> Edited? {
        let file = DraftFile(in: call.profile.folder)
        do throws(Failure) {
            if let document = try document(of: original, in: file, call) {
                return Edited(document: document, file: file)
            }
            file.remove()
            return nil
        } catch {
            guard file.isChanged(from: PrettyJSON.text(original)) else {
                file.remove()
                throw error
            }
            throw error.naming(file)
        }
    }

    /// Stores a document, which is of the editor if there is a file. The file goes only after that: a failure names it.
    static func store<T>(
        _ file: DraftFile?,
        _ storing: () async throws(Failure) -> T
    ) async throws(Failure) -> T {
        do throws(Failure) {
            let stored = try await storing()
            file?.remove()
            return stored
        } catch {
            if let file { throw error.naming(file) }
            throw error
        }
    }

    private static func document(
        of original: JSONValue,
        in file: DraftFile,
        _ call: CommandCall
    ) throws(Failure) -> JSONValue? {
        let schema = try call.profile.schema()
        var text = Draft.text(PrettyJSON.text(original))
        var refused: (document: String, complaints: [String])?
        while true {
            try file.write(text)
            try Editor.open(file.path, call.environment)
            let edited = try file.read()
            let document = Draft.document(in: edited)
            // A program in the editor's place would write the same for ever.
            if let refused, edited == text || document == refused.document {
                throw Failure("\(refused.complaints.joined(separator: " ")) Nothing was changed.", .data)
            }
            guard edited != text, !document.isEmpty else { return nil }
            let complaints = faults(document, original, schema)
            guard !complaints.isEmpty else { return JSONValue(text: document) }
            refused = (document, complaints)
            text = Draft.text(document, complaints: complaints)
        }
    }

    private static func faults(_ document: String, _ original: JSONValue, _ schema: String?) -> [String] {
        if let fault = SchemaCheck.fault(ofText: document) { return [fault] }
        guard let value = JSONValue(text: document) else { return ["The document is nested too deep."] }
        return Draft.complaints(value, of: original, schema: schema)
    }
}

extension Failure {
    /// The failure with the place of the text that a person has typed.
    fileprivate func naming(_ file: DraftFile) -> Failure {
        let place = "The text is in \(file.path)."
        var failure = Failure("\(sentence) \(place)", status, code: code)
        (failure.retryAfterS, failure.showsHelp, failure.isStopped) = (retryAfterS, showsHelp, isStopped)
        failure.place = place
        return failure
    }
}
