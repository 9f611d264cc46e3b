#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a client uses on Linux unless its app chooses.
enum SystemDefaults {
    /// `neuroviews` in the user's folder for data (XDG Base Directory Specification).
    static func folder() throws(ClientError) -> String {
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/neuroviews" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw .invalidArgument("no folder for the stores: set HOME, XDG_DATA_HOME or Options.folder")
        }
        return home + "/.local/share/neuroviews"
    }

    /// Files that only the user can read.
    static func secrets(in folder: String) -> any SecretStore { FileSecretStore(folder: folder + "/secrets") }

    /// A name of a folder: nobody moves it here.
    static func lastingName(of folder: String) -> String { folder }

    /// A path as a store keeps it: nobody moves the home folder here.
    static func stored(_ path: String) -> String { path }

    /// The path that a store keeps, as it is now.
    static func path(_ stored: String) -> String { stored }

    /// libcurl.
    static func transport(_ trust: Trust, _ options: Options) throws(TransportError) -> any Transport {
        try CurlTransport(trust)
    }

    /// WebSockets over libcurl's connections.
    static func channels(_ trust: Trust) -> any ChannelTransport { CurlChannelTransport(trust) }

    /// None: nobody stops a program here.
    static func backgroundSession(
        _ identifier: String,
        _ ends: TaskEnds,
        _ trust: Trust,
        allowsCellular: Bool
    ) -> (any BackgroundSession)? {
        nil
    }

    /// Nothing: each user chooses what is backed up.
    static func keepHere(_ folder: String) {}
}
