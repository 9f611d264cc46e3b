import Foundation

/// What the server runs with. The initial values are the defaults; `SettingDefinition.all` says how each is written.
struct Settings: Equatable, Sendable {
    enum Registration: String, CaseIterable, Sendable { case open, closed }
    enum Signatures: String, CaseIterable, Sendable { case required, optional }
    enum LogLevel: String, CaseIterable, Sendable { case error, info, debug }

    var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// PEM files of certificate and key; both or neither.
    var tlsCertificate: String?
    var tlsKey: String?
    var adminListen = ListenAddress(host: "127.0.0.1", port: 8081)
    /// As it was set, without a slash at the end; nil: `publicURL(listeningOn:)` follows the listener.
    var explicitPublicURL: String?
    /// A libpq URI or conninfo; nil: a private cluster under the data folder.
    var databaseURL: String?
    var data = "./data"
    /// As it was set; nil: `secretFilePath` puts it under the data folder.
    var explicitSecretFile: String?
    var registration = Registration.closed
    var signatures = Signatures.required

    var eventLoops = ProcessInfo.processInfo.activeProcessorCount
    var databaseConnections = 8
    var databaseQueueMax = 1024
    var databaseWaitMs = 5000

    var bodyMaxBytes = 1 << 20
    var headerMaxBytes = 16384
    var headerFieldsMax = 100
    var headerTimeoutMs = 10000
    var idleTimeoutMs = 75000
    var bodyMinBytesPerSecond = 1024
    var answerTimeoutMs = 30000
    var tlsHandshakeTimeoutMs = 10000
    var connectionsMax = 10000

    var tokenLifetimeS = 3600
    var syncOverlapS = 86400
    var clockSkewS = 300
    var hstsMaxAgeS = 31_536_000
    var logLevel = LogLevel.info

    /// The file of the master key.
    var secretFilePath: String { explicitSecretFile ?? data + "/secret.key" }

    /// The data folder's absolute path, for programs that are started elsewhere.
    var dataFolder: String { URL(fileURLWithPath: data).resolvingSymlinksInPath().path }

    /// What the public listener speaks TLS with; nil: it speaks plain HTTP.
    var tlsFiles: TLSFiles? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return TLSFiles(certificatePath: tlsCertificate, keyPath: tlsKey)
    }

    /// The base of every absolute URL; by default that of the address the listener was really bound to.
    func publicURL(listeningOn bound: ListenAddress) -> String {
        if let explicitPublicURL { return explicitPublicURL }
        let loopback = ListenAddress(host: bound.isIPv6 ? "::1" : "127.0.0.1", port: bound.port, isIPv6: bound.isIPv6)
        return "\(tlsFiles == nil ? "http" : "https")://\(bound.isEveryAddress ? loopback : bound)/v2"
    }
}
