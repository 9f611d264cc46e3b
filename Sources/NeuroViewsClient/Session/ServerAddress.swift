#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The address of a server's interface.
struct ServerAddress: Hashable, Sendable {
    private static let version = "/v2"

    let origin: Origin
    /// The absolute URL that paths are put behind. The host is in lower case, and a usual port is left out, since servers
    /// compare the signed URL with their public one.
    let base: String
    /// The name of the server's folder on this device: `cloud.example.org`, `127.0.0.1_8080`.
    let folderName: String

    /// Takes the address of the server, with or without `/v2`. Throws `.invalidArgument` for a URL that names none.
    init(_ server: URL) throws(ClientError) {
        let url = server.absoluteString
        guard let origin = Origin(url), !url.contains(where: { "?#\\ ".contains($0) || !$0.isASCII }) else {
            throw .invalidArgument("The server's URL needs http or https, a host's name in ASCII, and no query.")
        }
        self.origin = origin
        let isUsual = origin.port == (origin.isEncrypted ? 443 : 80)
        let prefix = Self.prefix(of: url)
        base =
            "\(origin.isEncrypted ? "https" : "http")://\(origin.host)\(isUsual ? "" : ":\(origin.port)")\(prefix)\(Self.version)"
        let place = origin.isEncrypted && isUsual ? "" : "_\(origin.port)"
        let letters = (origin.host + place + prefix).map { $0.isLetter || $0.isNumber || ".-".contains($0) ? $0 : "_" }
        folderName = String(letters)
    }

    /// The path before the interface's version, without a slash at its end.
    private static func prefix(of url: String) -> Substring {
        let path = url.drop { $0 != ":" }.dropFirst(3)
        var prefix = path[(path.firstIndex(of: "/") ?? path.endIndex)...]
        while prefix.last == "/" { prefix.removeLast() }
        guard prefix == version || prefix.hasSuffix(version) else { return prefix }
        prefix.removeLast(version.count)
        while prefix.last == "/" { prefix.removeLast() }
        return prefix
    }
}

/// The folder of a server: lock files, and a folder for the store of each account.
struct ServerFolder: Hashable, Sendable {
    let path: String

    /// Makes the folder `<folder>/<host>` if it is missing, for this user alone.
    init(_ folder: String, _ address: ServerAddress) throws(ClientError) {
        path = "\(folder)/\(address.folderName)"
        do throws(PrivateFolder.Failure) {
            _ = try PrivateFolder.make(path)
        } catch {
            switch error {
            case .notPrivate(let path): throw .store(.notPrivate(path))
            case .system(let failure): throw .store(.other(failure.description))
            }
        }
    }

    /// The folder of an account's store.
    func store(of user: UUID) -> String { "\(path)/\(user.uuidString.lowercased())" }
}
