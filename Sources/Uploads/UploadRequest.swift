import HTTP

/// A request to an upload resource, understood from its head alone.
public struct UploadRequest: Sendable, Hashable {
    /// What a request asks for.
    public enum Action: Sendable, Hashable {
        /// Begin the upload; the content is its first part, or all of it.
        case create(UploadContent)
        /// Append the content at this offset, in bytes.
        case append(UploadContent, at: Int)
        /// Report the offset.
        case retrieveOffset
        /// Discard the upload.
        case cancel
        /// Report what the resource can do.
        case describe
    }

    /// The dialect in which it is answered.
    public let dialect: UploadDialect
    /// What it asks for.
    public let action: Action

    /// What it says about its bytes; nil when it has none.
    public var content: UploadContent? {
        switch action {
        case .create(let content), .append(let content, _): content
        case .retrieveOffset, .cancel, .describe: nil
        }
    }

    /// A request in this dialect.
    public init(dialect: UploadDialect, action: Action) {
        self.dialect = dialect
        self.action = action
    }

    /// Reads a request. Throws a refusal, which is to be answered in the dialect of the head's fields.
    public init(_ head: RequestHead) throws(UploadRefusal) {
        let dialect = UploadDialect(head.headers)
        let reader = UploadRequestReader(head: head, dialect: dialect)
        self = dialect == .tus ? try reader.tusRequest() : try reader.request()
    }
}
