/// An open file that takes the body of a download.
package struct DownloadFile: Sendable {
    /// Open for writing. The file's own position is not used.
    package let descriptor: Int32
    /// The first byte that the request's Range asks for; 0 without one. The file has the bytes before it.
    package let offset: Int64
    /// The most bytes that the file may have.
    package let limit: Int64
    /// Called with the number of bytes that the file has. It must return at once.
    package let received: @Sendable (Int64) -> Void
    /// Called with the answer, without its body, before the file gets the first byte. It must return at once.
    package let began: @Sendable (TransferAnswer) -> Void

    package init(
        descriptor: Int32,
        offset: Int64,
        limit: Int64 = .max,
        received: @escaping @Sendable (Int64) -> Void = { _ in },
        began: @escaping @Sendable (TransferAnswer) -> Void = { _ in }
    ) {
        self.descriptor = descriptor
        self.offset = offset
        self.limit = limit
        self.received = received
        self.began = began
    }

    /// The place of an answer's body.
    enum Place: Equatable {
        case memory
        /// The file, which is emptied first unless the bytes before `offset` stay.
        case file(offset: Int64)
    }

    /// Throws `.notHTTP` for a part that was not asked for.
    func place(of answer: TransferAnswer) throws(TransportError) -> Place {
        switch answer.status {
        case 200: return .file(offset: 0)
        case 206:
            guard answer["Content-Range"]?.hasPrefix("bytes \(offset)-") == true else {
                throw .notHTTP("another range than the request's")
            }
            return .file(offset: offset)
        default: return .memory
        }
    }
}
