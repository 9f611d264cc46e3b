import Net

/// The report of one proxy about the connection on which it received the request.
struct ForwardedElement: Equatable, Sendable {
    /// The other end; nil when it is hidden or unknown.
    var client: SocketAddress?
    /// `http` or `https`.
    var scheme: String?
    /// The requested Host.
    var host: String?

    /// A node of `Forwarded: for=` or X-Forwarded-For: an address, with or without a port, an IPv6 one also in brackets.
    /// The port is 0 when there is none. Nil for `unknown`, for obfuscated names and for anything malformed.
    static func node(_ text: String) -> SocketAddress? {
        if IPAddress(text) != nil { return SocketAddress(host: text, port: 0) }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return SocketAddress(host: String(text.dropFirst().dropLast()), port: 0)
        }
        return SocketAddress(text)
    }

    static func scheme(_ text: String) -> String? {
        let scheme = text.lowercased()
        return scheme == "http" || scheme == "https" ? scheme : nil
    }

    static func host(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return Host.isValid(bytes.span, 0..<bytes.count) ? text : nil
    }
}

extension ForwardedElement {
    /// The elements of all X-Forwarded-For lines, the nearest proxy's last. Proto and Host apply to one element each if
    /// their number is equal, and to all elements if there is one value. Otherwise they are ignored.
    static func xForwarded(_ headers: Headers) -> [ForwardedElement] {
        var clients = list(headers.values("x-forwarded-for"))
        // A proxy may send the scheme alone.
        if clients.isEmpty { clients = [""] }
        let schemes = spread(list(headers.values("x-forwarded-proto")), over: clients.count)
        let hosts = spread(list(headers.values("x-forwarded-host")), over: clients.count)
        return clients.indices.map { index in
            ForwardedElement(
                client: node(clients[index]),
                scheme: schemes.flatMap { scheme($0[index]) },
                host: hosts.flatMap { host($0[index]) }
            )
        }
    }

    /// No chain has more proxies. Everything before them is a claim of the client, and may be long.
    private static let hopsMax = 32

    private static func list(_ lines: [String]) -> [String] {
        lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.suffix(hopsMax).map(trimmed)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func spread(_ values: [String], over count: Int) -> [String]? {
        if values.count == count { return values }
        return values.count == 1 ? [String](repeating: values[0], count: count) : nil
    }
}
