import HTTP

/// The fields of every response for browsers: nothing here is a page, a frame or a script.
enum SecurityFields {
    /// Cross-Origin-Resource-Policy keeps responses out of other sites' pages. It does not apply to requests by CORS.
    static let all: FieldBlock = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
