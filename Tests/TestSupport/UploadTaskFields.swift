/// The fields of the draft for resumable uploads that URLSession adds to an upload task. It takes the task's body for the whole file.
package enum UploadTaskFields {
    /// `version` is that of the draft: 3 on iOS 17, 8 on iOS 26.2.
    package static func added(version: Int, bodyBytes: Int64) -> [(name: String, value: String)] {
        let draft = (name: "Upload-Draft-Interop-Version", value: "\(version)")
        if version == 3 { return [draft, (name: "Upload-Incomplete", value: "?0")] }
        return [draft, (name: "Upload-Complete", value: "?1"), (name: "Upload-Length", value: "\(bodyBytes)")]
    }
}
