import HTTP

/// A document that is the same for everybody until the server is replaced: caches may keep it for a while, and ask by its
/// entity tag whether it is still the one.
struct PublicDocument: Sendable {
    private static let cacheControl = "max-age=300"
    private let response: Response

    init(_ contentType: String, _ text: [UInt8]) {
        response = Response(
            .ok,
            fields: [
                ("Content-Type", contentType), ("ETag", EntityTag.of(text)), ("Cache-Control", Self.cacheControl),
            ],
            content: .bytes(text)
        )
    }

    /// The answer that gives it out; `Preconditions` makes a 304 of it.
    func answer() -> Response { response }
}
