/// The arguments of `backup`.
package struct BackupOptions: Equatable {
    let file: String
    /// The file of the key that a restore will need.
    var keyPath: String?
    /// The recipient of the encrypted backup, in age's notation.
    var recipient: String?

    package init(file: String, keyPath: String? = nil, recipient: String? = nil) {
        self.file = file
        self.keyPath = keyPath
        self.recipient = recipient
    }
}

/// The arguments of `restore`.
package struct RestoreOptions: Equatable {
    let file: String
    /// The file of the key of the backup; nil with `--unauthenticated`.
    var keyPath: String?
    /// The age identity file that decrypts the backup.
    var identity: String?
    /// True if existing accounts or objects may be replaced.
    var replaces: Bool

    package init(file: String, keyPath: String? = nil, identity: String? = nil, replaces: Bool = false) {
        self.file = file
        self.keyPath = keyPath
        self.identity = identity
        self.replaces = replaces
    }
}
