/// What `backup` is to write.
struct BackupOptions: Equatable {
    let file: String
    /// The file of the key that restores will ask for.
    var keyPath: String?
    /// Whom the backup is encrypted for, as age names them.
    var recipient: String?
}

/// What `restore` is to read.
struct RestoreOptions: Equatable {
    let file: String
    /// The file of the key that the backup was made with; nil: `--unauthenticated`.
    var keyPath: String?
    /// The file of age's identity that decrypts the backup.
    var identity: String?
    /// Whether a state with accounts or objects may be replaced.
    var replaces = false
}
