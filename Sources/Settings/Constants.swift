/// Constants that tests change. Operators have no reason to. A build for tests has a setting for each; a release refuses
/// it as unknown.
package struct Constants: Equatable, Sendable {
    /// The list of rejected passwords, from the Debian package python3-zxcvbn.
    package var commonPasswords = "/usr/lib/python3/dist-packages/zxcvbn/frequency_lists.py"
    /// Incomplete uploads of an account. An app sends a few at a time. Forgotten ones expire after a week.
    package var openUploadsMax = 100
    /// The overlap of pulls by time. It covers wrong clocks and late commits.
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
