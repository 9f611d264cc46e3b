import Net

@testable import HTTP

/// Proxy fields (Forwarded, X-Forwarded-For) written by a client. Only the hop added by a trusted proxy counts.
enum ForwardedTarget {
    private static let peer = SocketAddress(host: "10.0.0.1", port: 40000)
    /// Not a trusted proxy: the entries to its left are unverified claims.
    private static let client = "203.0.113.9"

    static func check(_ bytes: [UInt8]) throws {
        // A line break would end the field, or the head before the proxy's field.
        guard !bytes.contains(10), !bytes.contains(13) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        for fields in TrustedProxies.Fields.allCases {
            guard var trusted = TrustedProxies("10.0.0.0/8, ::1") else { return }
            trusted.fields = fields
            let claim = try origin(["\(name(fields)): \(text)"], trusted)
            try property("a client has an address", claim?.client.map { IPAddress($0.host) != nil } ?? true)
            let followed = try origin(["\(name(fields)): \(text)", "\(name(fields)): \(hop(fields))"], trusted)
            guard let host = followed?.client?.host else { continue }
            // An unreadable field is ignored: then the proxy itself is the client.
            try property("the client is who the proxy says, not \(host)", host == client || host == peer?.host)
        }
        _ = TrustedProxies(text)
    }

    private static func name(_ fields: TrustedProxies.Fields) -> String {
        fields == .forwarded ? "Forwarded" : "X-Forwarded-For"
    }

    private static func hop(_ fields: TrustedProxies.Fields) -> String {
        fields == .forwarded ? "for=\(client);proto=https" : client
    }

    /// Nil if the parser refuses the message.
    private static func origin(_ lines: [String], _ trusted: TrustedProxies) throws -> RequestOrigin? {
        var parser = RequestParser()
        let message = ["GET / HTTP/1.1", "Host: a"] + lines + ["", ""]
        parser.input = Array(message.joined(separator: "\r\n").utf8)
        guard case .head(let head) = try? parser.next() else { return nil }
        // Bytes that begin another field are out of this target's scope.
        guard head.headers.count == lines.count + 1 else { return nil }
        var origin = RequestOrigin(peer: peer, scheme: "http", host: head.host)
        origin.follow(head.headers, trusted)
        try property("the scheme is one of two", origin.scheme == "http" || origin.scheme == "https")
        let host = Array((origin.host ?? "").utf8)
        try property("the host is one", Host.isValid(host.span, 0..<host.count))
        return origin
    }
}
