import Glibc

/// One address that a connection string leads to.
struct DatabaseHost: Hashable, Sendable {
    /// A name, an address or a folder of Unix sockets, as it was written.
    let name: String
    /// The numeric address; empty: libpq finds it.
    let address: String
    /// Empty: PostgreSQL's usual one.
    let port: String

    /// For libpq, which still checks certificates and passfiles by the name.
    var options: [(String, String)] { [("host", name), ("hostaddr", address), ("port", port)] }

    /// One for each address of the name, so that each has its time: a name may have a silent one.
    func resolved() -> [DatabaseHost] {
        guard address.isEmpty, !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("@") else { return [self] }
        let addresses = Self.addresses(of: name)
        return addresses.isEmpty ? [self] : addresses.map { DatabaseHost(name: name, address: $0, port: port) }
    }

    private static let addressesMax = 8

    private static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var entry = list
        while let current = entry?.pointee, found.count < addressesMax {
            if let text = numeric(current), !found.contains(text) { found.append(text) }
            entry = current.ai_next
        }
        return found
    }

    private static func numeric(_ entry: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            entry.ai_addr,
            entry.ai_addrlen,
            &text,
            socklen_t(text.count),
            nil,
            0,
            NI_NUMERICHOST
        )
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension DatabaseHost {
    /// More hosts than that are not tried.
    private static let hostsMax = 16

    /// An empty one among others is PostgreSQL's usual one.
    private static func port(_ text: String) -> String { text.isEmpty ? "5432" : text }

    /// The hosts of a connection string, completed by the environment. Empty where it names none, or not as libpq wants it: libpq then has
    /// its say.
    static func all(
        in connectionString: String,
        _ variable: (String) -> String? = LibpqEnvironment.value
    ) -> [DatabaseHost] {
        let options = ConnectionOptions(connectionString)
        func list(_ keyword: String) -> [String] {
            let value = options?.completed(keyword, variable) ?? ""
            return value.isEmpty ? [] : value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(names.count, addresses.count)
        guard [0, count].contains(names.count), [0, count].contains(addresses.count),
            [0, 1, count].contains(ports.count)
        else { return [] }
        return (0..<min(count, hostsMax)).map { index in
            DatabaseHost(
                name: names.isEmpty ? "" : names[index],
                address: addresses.isEmpty ? "" : addresses[index],
                port: ports.isEmpty ? "" : port(ports[ports.count == 1 ? 0 : index])
            )
        }
    }
}
