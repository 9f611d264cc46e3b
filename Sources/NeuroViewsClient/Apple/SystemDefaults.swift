import Foundation

/// What a client uses on Apple's systems unless its app chooses.
enum SystemDefaults {
    /// `neuroviews` in the app's folder for data that users do not see; on a Mac, a folder of the app's own in it.
    static func folder() throws(ClientError) -> String {
        do {
            let support = try FileManager.default.url(
                for: .applicationSupportDirectory,
                in: .userDomainMask,
                appropriateFor: nil,
                create: true
            )
            let folder = support.appendingPathComponent("neuroviews", isDirectory: true)
            #if os(macOS)
                // Apps without a sandbox share that folder, and no app has the key of another one's stores.
                let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
                return folder.appendingPathComponent(app, isDirectory: true).path
            #else
                return folder.path
            #endif
        } catch {
            throw .store(.other("there is no folder for the stores: \(error.localizedDescription)"))
        }
    }

    /// The Keychain. Two folders have secrets of their own.
    static func secrets(in folder: String) -> any SecretStore { KeychainSecretStore(service: service(of: folder)) }

    /// The Keychain's name for the secrets of a folder; nil for those of no folder.
    static func service(of folder: String?) -> String {
        folder.map { "NeuroViewsClient \(lastingName(of: $0))" } ?? "NeuroViewsClient"
    }

    /// A name of a folder. The system moves an app's home folder, and those of its groups, when it updates the app, so the name is
    /// without them.
    static func lastingName(of folder: String) -> String {
        // With a slash, so that the home folder itself is one of its folders.
        let kept = stored(folder + "/").dropLast()
        return folder.hasPrefix("/") && kept.hasPrefix("~") ? String(kept.dropFirst()) : inGroup(folder) ?? folder
    }

    /// The path of a folder of an app group, without the part that changes; nil for other folders. It does not begin with a
    /// slash: the home folder may have a folder of the same name.
    private static func inGroup(_ folder: String) -> String? {
        let parts = folder.split(separator: "/")
        guard let group = parts.firstIndex(of: "AppGroup"), group + 1 < parts.count,
            UUID(uuidString: String(parts[group + 1])) != nil
        else { return nil }
        return (["AppGroup"] + parts.dropFirst(group + 2).map { String($0) }).joined(separator: "/")
    }

    /// A path as a store keeps it: with "~" for the app's home folder, which the system moves when it updates the app.
    static func stored(_ path: String) -> String {
        let home = NSHomeDirectory()
        // One folder has both names.
        for name in [home, "/private" + home] where path.hasPrefix(name + "/") {
            return "~\(path.dropFirst(name.count))"
        }
        return path
    }

    /// The path that a store keeps, as it is now.
    static func path(_ stored: String) -> String {
        stored.hasPrefix("~/") ? "\(NSHomeDirectory())\(stored.dropFirst())" : stored
    }

    /// URLSession.
    static func transport(_ trust: Trust, _ options: Options) throws(TransportError) -> any Transport {
        URLSessionTransport(
            trust,
            allowsCellularUploads: options.allowsCellularUploads,
            configuration: configuration()
        )
    }

    /// WebSockets of URLSession; none on a watch, where the system gives them to few apps (TN3135).
    static func channels(_ trust: Trust) -> any ChannelTransport {
        #if os(watchOS)
            return NoChannels()
        #else
            return URLSessionChannelTransport(trust, configuration: configuration())
        #endif
    }

    /// The system's session that sends files while the app sleeps.
    static func backgroundSession(
        _ identifier: String,
        _ ends: TaskEnds,
        _ trust: Trust,
        allowsCellular: Bool
    ) -> (any BackgroundSession)? {
        BackgroundURLSession.named(identifier, ends, trust, allowsCellular: allowsCellular)
    }

    /// Keeps a folder on this device, and lets its files be read while the device is locked. A failure does no harm: another device
    /// has no key for them, and the second is what the system does by itself for most apps.
    static func keepHere(_ folder: String) {
        var url = URL(fileURLWithPath: folder, isDirectory: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
        let protection = FileProtectionType.completeUntilFirstUserAuthentication
        try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: folder)
    }

    private static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.neuroViews()
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        return configuration
    }
}

/// No WebSockets: the long poll takes over.
struct NoChannels: ChannelTransport {
    func open(_ request: TransferRequest) async throws(TransportError) -> ChannelOpening {
        throw .other("this system gives apps no WebSocket")
    }
}

extension URLError {
    /// The error as URLSession's own.
    static func of(_ error: any Error) -> URLError? { error as? URLError }

    /// True if the only network is the mobile one, which may not be used.
    var isCellularForbidden: Bool {
        if code == .dataNotAllowed || code == .internationalRoamingOff { return true }
        guard let reason = networkUnavailableReason else { return false }
        return reason == .cellular || reason == .expensive || reason == .constrained
    }
}
