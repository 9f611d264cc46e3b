import HTTP

/// What every answer tells a browser: nothing here is a page, a frame or a script.
enum SecurityFields {
    /// Cross-Origin-Resource-Policy keeps answers out of other sites' pages; a page that asks by CORS is not subject to it.
    static let all: FieldBlock = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
