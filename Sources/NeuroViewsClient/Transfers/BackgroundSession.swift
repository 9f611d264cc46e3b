#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The system's session that sends files while the app sleeps, one for each store. Its tasks outlive the app, and each has a label.
package protocol BackgroundSession: AnyObject, Sendable {
    /// The labels of the tasks that have not ended.
    func labels() async -> [String]

    /// Begins a task: the request, whose body is the whole file at the path. The session reports to its `TaskEnds`, once for each task.
    func begin(_ request: TransferRequest, file: String, label: String)

    /// Ends a task, if it is there. It is reported as a cut.
    func cancel(_ label: String)

    /// Ends all tasks: the store is closed. Others may begin, if it is opened again.
    func close()
}

/// The name of a task: its upload, and the first of its bytes.
struct BackgroundLabel: Hashable, Sendable {
    let upload: UUID
    let offset: Int64

    init(upload: UUID, offset: Int64) { (self.upload, self.offset) = (upload, offset) }

    /// Reads `text`; nil for a label of anybody else.
    init?(_ text: String) {
        let words = text.split(separator: "_", omittingEmptySubsequences: false)
        guard words.count == 2, let upload = UUID(uuidString: String(words[0])), let offset = Int64(words[1]),
            offset >= 0
        else { return nil }
        (self.upload, self.offset) = (upload, offset)
    }

    /// Also the name of a file.
    var text: String { "\(upload.lower)_\(offset)" }
}
