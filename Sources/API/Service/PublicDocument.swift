import HTTP

/// A document that is the same for everybody until the server is replaced. Caches may keep it for 300 s,
/// and revalidate it by its entity tag.
struct PublicDocument: Sendable {
    private static let cacheControl = "max-age=300"
    /// The response with the document. `Preconditions` turns it into a 304.
    let response: Response

    init(_ contentType: String, _ text: [UInt8]) {
        response = Response(
            .ok,
            fields: [
                ("Content-Type", contentType), ("ETag", EntityTag.of(text)), ("Cache-Control", Self.cacheControl),
            ],
            content: .bytes(text)
        )
    }
}
