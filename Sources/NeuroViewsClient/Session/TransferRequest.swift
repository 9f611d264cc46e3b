/// A request as a transport sends it.
package struct TransferRequest: Sendable {
    /// A header field. Names are sent as they are.
    package typealias Field = (name: String, value: String)

    /// The content of a request.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        case file(FileRegion)
    }

    package var method: String
    /// An absolute URL, sent unchanged: it is part of the signature.
    package var url: String
    /// `Host` and `Content-Length` are the transport's own and are left out.
    package var fields: [Field]
    package var body: Body
    /// True if the server answers when something happens: then it may keep a connection for a minute.
    package var waits = false

    package init(_ method: String, _ url: String, fields: [Field] = [], body: Body = .none) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// True for a file, and for an answer that waits: either may keep a connection for minutes.
    var isLong: Bool { if case .file = body { true } else { waits } }

    /// Throws `.badRequest` if a line could end early and begin another one.
    func checkLines() throws(TransportError) {
        for text in [method, url] + fields.flatMap({ [$0.name, $0.value] }) {
            guard !text.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw .badRequest("a line end in its head")
            }
        }
        for field in fields where field.name.isEmpty || field.name.utf8.contains(UInt8(ascii: ":")) {
            throw .badRequest("\"\(field.name)\" is no name of a field")
        }
    }
}

/// A part of an open file that is sent.
package struct FileRegion: Sendable {
    /// Open for reading. The file's own position is not used.
    package let descriptor: Int32
    package let offset: Int64
    package let length: Int64
    /// Called with the number of bytes of the region that were handed to the network. It must return at once. They are sent once:
    /// if the connection breaks, the request fails.
    package let sent: @Sendable (Int64) -> Void
    /// Makes the bytes that are sent in place of the file's own; nil: the file's own.
    package let source: (any RegionSource)?

    package init(
        descriptor: Int32,
        offset: Int64,
        length: Int64,
        source: (any RegionSource)? = nil,
        sent: @escaping @Sendable (Int64) -> Void = { _ in }
    ) {
        self.descriptor = descriptor
        self.offset = offset
        self.length = length
        self.source = source
        self.sent = sent
    }
}

/// Makes the bytes of a region while they are sent, such as those of a sealed file.
package protocol RegionSource: Sendable {
    /// Some bytes from this offset on, one at least. `offset` counts like that of the region.
    func bytes(at offset: Int64) throws(TransportError) -> ArraySlice<UInt8>
}
