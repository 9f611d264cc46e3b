import CloudSync

/// What no operator has a reason to change. Tests change it: a build for tests has a setting for each, and a release
/// refuses that like any unknown one.
package struct Constants: Equatable, Sendable {
    /// A list of common passwords, which are rejected: that of the Debian package python3-zxcvbn.
    package var commonPasswords = "/usr/lib/python3/dist-packages/zxcvbn/frequency_lists.py"
    /// Incomplete uploads of an account. An app sends a few at a time; those that it forgot expire after a week.
    package var openUploadsMax = 100
    /// How far a pull by time reaches back: over clocks, and transactions that committed late.
    package var syncOverlapSeconds = 86_400
    /// The largest body of a batch. Clients send several.
    package var batchBodyMaxBytes = 4 << 20
    /// Slower requests are logged with the parts of their time.
    package var slowRequestMs = 1000
    #if DEBUG
        /// Binary logarithm of scrypt's N. Tests hash hundreds of passwords; a release always hashes at full cost.
        package var passwordCost = 15
    #endif
}
