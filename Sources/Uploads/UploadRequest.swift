import HTTP

/// A request to an upload resource, read from its head alone.
package struct UploadRequest: Sendable, Hashable {
    /// The purpose of a request.
    package enum Action: Sendable, Hashable {
        /// Start the upload; the content is its first part, or all of it.
        case create(UploadContent)
        /// Append the content at this offset, in bytes.
        case append(UploadContent, at: Int)
        /// Report the offset.
        case retrieveOffset
        /// Discard the upload.
        case cancel
        /// Report the abilities of the resource.
        case describe
    }

    /// The dialect of the response.
    package let dialect: UploadDialect
    /// The purpose of the request.
    package let action: Action

    /// The facts about its bytes; nil when it has none.
    package var content: UploadContent? {
        switch action {
        case .create(let content), .append(let content, _): content
        case .retrieveOffset, .cancel, .describe: nil
        }
    }

    /// A request in this dialect.
    package init(dialect: UploadDialect, action: Action) {
        self.dialect = dialect
        self.action = action
    }

    /// Reads a request. Throws a refusal, which must be sent in the dialect of the head's fields.
    package init(_ head: RequestHead) throws(UploadRefusal) {
        let dialect = UploadDialect(head.headers)
        let reader = UploadRequestReader(head: head, dialect: dialect)
        self = dialect == .tus ? try reader.tusRequest() : try reader.request()
    }
}
