import FoundationEssentials
import Glibc
import Machine
import Net
import Settings

/// Checks the listening addresses and the public URL.
struct NetworkCheck {
    let settings: Settings
    let place: DataPlace

    init(_ settings: Settings, _ place: DataPlace) {
        self.settings = settings
        self.place = place
    }

    func findings() -> [Finding] {
        let admin = address(settings.adminListen, "admin listener", "NEUROVIEWS_ADMIN_LISTEN")
        return [address(settings.listen, "listener", "NEUROVIEWS_LISTEN"), admin] + adminReach + [publicURL] + proxies
    }

    private func address(_ address: ListenAddress, _ subject: String, _ setting: String) -> Finding {
        switch address {
        case .off: .ok(subject, "is off")
        case .unix(let path): socket(path, subject, setting)
        case .network(let host, let port, _): network(address, host, port, subject, setting)
        }
    }

    private func socket(_ path: String, _ subject: String, _ setting: String) -> Finding {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else {
            return .wrong(
                subject,
                "\(FileError("write", folder))",
                "make the folder, or choose another with \(setting)"
            )
        }
        var status = stat()
        guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
            return .wrong(subject, "\(path) is there and no socket", "remove it, or choose another with \(setting)")
        }
        return .ok(subject, "unix:\(path)")
    }

    private func network(
        _ address: ListenAddress,
        _ host: String,
        _ port: UInt16,
        _ subject: String,
        _ setting: String
    ) -> Finding {
        guard let socketAddress = SocketAddress(host: host, port: port) else {
            return .wrong(subject, "\(address) is not an address", "set \(setting) to \(ListenAddress.allowed)")
        }
        do throws(SystemError) {
            try BindTrial.run(socketAddress)
            return .ok(subject, "\(address) is free")
        } catch {
            return refused(socketAddress, error, subject, setting)
        }
    }

    private func refused(_ address: SocketAddress, _ error: SystemError, _ subject: String, _ setting: String)
        -> Finding
    {
        switch error.code {
        case EADDRINUSE:
            if let server = server(at: address.port) {
                return .ok(subject, "\(address) is served by process \(server)")
            }
            if ListeningSockets.belongs(port: address.port, to: 1) {
                return .ok(subject, "\(address) is kept for the server by systemd")
            }
            return .wrong(
                subject,
                "\(address) is taken by another program",
                "ss -ltnp 'sport = \(address.port)' names it; stop it, or choose another address with \(setting)"
            )
        case EACCES:
            return .wrong(
                subject,
                "port \(address.port) is for programs with the right to it",
                "choose a port from 1024 on with \(setting), or give the right: AmbientCapabilities=CAP_NET_BIND_SERVICE"
            )
        case EADDRNOTAVAIL:
            return .wrong(
                subject,
                "\(address.host) is not an address of this machine",
                "ip address lists them; choose one with \(setting)"
            )
        default:
            return .wrong(subject, "\(address) can't be used: \(error)", "choose another with \(setting)")
        }
    }

    /// The running server, if it has that port; nil for another program. A server with a database of its own has no lock,
    /// so any process of this program counts.
    private func server(at port: UInt16) -> Int32? {
        guard settings.databaseURL == nil else { return ListeningSockets.ownProgram(port: port) }
        guard let server = place.server else { return nil }
        // This account may not be allowed to see the sockets of the server, which has noted its addresses.
        let isServed = place.served != nil || ListeningSockets.belongs(port: port, to: server)
        return isServed ? server : nil
    }

    private var adminReach: [Finding] {
        guard !settings.adminListen.isLocal else { return [] }
        return [
            .warning(
                "admin listener",
                "\(settings.adminListen) can be reached from other machines, and asks nobody who they are",
                "keep it on 127.0.0.1 with NEUROVIEWS_ADMIN_LISTEN, or behind a firewall"
            )
        ]
    }

    /// Clients sign the public URL, so it must be the URL that they use.
    private var publicURL: Finding {
        guard let url = settings.publicURL(listeningOn: settings.listen) else {
            return .wrong(
                "public URL",
                "a Unix socket has none",
                "set NEUROVIEWS_PUBLIC_URL to the URL that clients write: signatures are made over it"
            )
        }
        let isLocal = Settings.isLocal(url: url)
        if !settings.listen.isLocal && isLocal {
            return .warning(
                "public URL",
                "\(url) means this machine alone, and \(settings.listen) is open to others",
                "set NEUROVIEWS_PUBLIC_URL to the URL that clients write: signatures are made over it"
            )
        }
        if !isLocal && url.hasPrefix("http://") {
            return .warning(
                "public URL",
                "\(url) is not encrypted: passwords and tokens can be read on the way",
                "set NEUROVIEWS_TLS_CERT and NEUROVIEWS_TLS_KEY, or put a proxy in front, and make the URL https"
            )
        }
        return .ok("public URL", url)
    }

    /// An https URL without own TLS means that a proxy handles TLS.
    private var proxies: [Finding] {
        guard settings.tlsFiles == nil, settings.explicitPublicURL?.hasPrefix("https://") == true,
            settings.server.trustedProxies.isEmpty
        else { return [] }
        return [
            .warning(
                "proxy",
                "the one that speaks https is not believed, so that every client seems to be the proxy",
                "set NEUROVIEWS_TRUSTED_PROXIES to its address"
            )
        ]
    }
}
