/// The arguments of `backup`.
struct BackupOptions: Equatable {
    let file: String
    /// The file of the key that a restore will need.
    var keyPath: String?
    /// The recipient of the encrypted backup, in age's notation.
    var recipient: String?
}

/// The arguments of `restore`.
struct RestoreOptions: Equatable {
    let file: String
    /// The file of the key of the backup; nil with `--unauthenticated`.
    var keyPath: String?
    /// The age identity file that decrypts the backup.
    var identity: String?
    /// True if existing accounts or objects may be replaced.
    var replaces = false
}
