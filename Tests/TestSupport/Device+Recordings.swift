import Foundation

extension Device {
    /// Requests recordings: a list, or the changes after a cursor.
    package func recordings(_ query: String = "", _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("GET", "/v2/recordings" + (query.isEmpty ? "" : "?\(query)"), fields)
    }

    /// Reads a recording.
    package func recording(_ id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("GET", "/v2/recordings/\(id)", fields)
    }

    /// Requests an upload URL. `more` is the text of further body members.
    package func openUpload(_ id: String, bytes: Int = 1000, _ more: String = "") throws -> HTTPAnswer {
        try askForUpload(id, #"{"file_size":\#(bytes),"content_type":"video/quicktime"\#(more)}"#)
    }

    /// Requests an upload URL with that body.
    package func askForUpload(_ id: String, _ body: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("POST", "/v2/recordings/\(id)/upload-url", fields, body: body)
    }

    /// Reports that the upload is complete.
    package func complete(_ id: String, _ metadata: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("POST", "/v2/recordings/\(id)/complete", fields, body: #"{"metadata":\#(metadata)}"#)
    }

    /// Changes a recording by a JSON Merge Patch.
    package func patchRecording(_ id: String, _ patch: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        let type = [("Content-Type", "application/merge-patch+json")]
        return try send("PATCH", "/v2/recordings/\(id)", type + fields, body: patch)
    }

    /// Deletes a recording.
    package func deleteRecording(_ id: String, _ fields: APIClient.Fields = []) throws -> HTTPAnswer {
        try send("DELETE", "/v2/recordings/\(id)", fields)
    }
}
