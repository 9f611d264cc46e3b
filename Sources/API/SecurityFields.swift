import Console
import HTTP

/// The fields of responses for browsers.
enum SecurityFields {
    /// Those of every response but the console's files: nothing else is a page, a frame or a script.
    /// Cross-Origin-Resource-Policy keeps responses out of other sites' pages. It does not apply to requests by CORS.
    static let all: FieldBlock = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// Those of the console's files. `store` is the origin of recordings' files outside this server, if any.
    static func page(store: String?) -> FieldBlock { FieldBlock(ConsoleFiles.fields(store: store)) }
}
