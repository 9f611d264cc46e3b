import NeuroViewsCrypto

/// The files of the console's pages, embedded in the binary, and what browsers must know about them.
package enum ConsoleFiles {
    /// The two pages.
    package enum Door: String, Sendable, CaseIterable {
        /// The page that the server has for people.
        case user
        /// The page that the command `console` has for operators.
        case `operator`
    }

    /// A file as it is sent.
    package struct File: Sendable {
        /// The value of Content-Type.
        package let mediaType: String
        /// The content.
        package let bytes: [UInt8]
    }

    /// The name of the page itself; the others are its parts.
    package static let index = "index.html"

    /// The files of a page by name. Files of a page win over shared ones.
    package static func all(of door: Door) -> [String: File] {
        folder("shared").merging(folder(door.rawValue)) { $1 }
    }

    /// Files in further folders have no name in a page's flat list.
    private static func folder(_ name: String) -> [String: File] {
        let prefix = "web/\(name)/"
        var files: [String: File] = [:]
        for (path, bytes) in EmbeddedFiles.all where path.hasPrefix(prefix) {
            let name = String(path.dropFirst(prefix.count))
            guard let ending = name.split(separator: ".").last, let type = mediaTypes[String(ending)] else { continue }
            files[name] = File(mediaType: type, bytes: bytes)
        }
        return files
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// The style in the pages themselves, as the policy names it (CSP Level 3, 2.3.1). It is one for both pages.
    private static let styleSource: String = {
        let page = all(of: .user)[index]?.bytes ?? []
        guard let begin = page.firstRange(of: Array("<style>".utf8)),
            let end = page.firstRange(of: Array("</style>".utf8))
        else { return "" }
        return " 'sha256-\(Base64.padded.encode(SHA256.hash(Array(page[begin.upperBound..<end.lowerBound]))))'"
    }()

    /// The header fields of every file. Scripts and styles come from the page's own server alone, and no text becomes a
    /// script. `store` is an origin that has pictures, films and uploads as well.
    package static func fields(store: String? = nil) -> [(name: String, value: String)] {
        let sources = (["'self'"] + [store].compactMap { $0 }).joined(separator: " ")
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'\(styleSource)", "img-src \(sources)",
            "media-src \(sources)", "connect-src \(sources)", "form-action 'none'", "base-uri 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ]
        return [
            ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", policy.joined(separator: "; ")),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }
}
