/// The cost of a password hash (RFC 7914): N = 2^logN, block size r, parallelisation p.
public struct ScryptParameters: Sendable, Equatable {
    /// The memory limit of one hash, in bytes. It stops a manipulated row from exhausting the machine's memory.
    public static let maxMemoryBytes = 256 << 20
    /// The work limit of one hash, as N times r times p: about ten times the default.
    public static let maxWork = 1 << 23
    /// N = 2^15, r = 8, p = 3: 32 MiB. OWASP's password storage sheet lists it among settings of equal strength.
    public static let standard = ScryptParameters(uncheckedLogN: 15, r: 8, p: 3)
    #if DEBUG
        /// Less work, for tests that are not about hashing. A release build does not have it.
        package static func forTests(logN: Int) -> ScryptParameters {
            ScryptParameters(uncheckedLogN: logN, r: 8, p: 3)
        }
    #endif

    /// Binary logarithm of N.
    public let logN: Int
    /// Block size, in units of 128 bytes.
    public let r: Int
    /// Parallelisation: the number of independent mixings.
    public let p: Int

    /// Throws `.scryptParameters` outside RFC 7914's ranges or beyond the two limits above.
    public init(logN: Int, r: Int, p: Int) throws(CryptoError) {
        let refusal = CryptoError.scryptParameters(logN: logN, r: r, p: p)
        guard 1...24 ~= logN, 1...1024 ~= r, 1...1024 ~= p, logN < 16 * r else { throw refusal }
        self.init(uncheckedLogN: logN, r: r, p: p)
        guard memoryBytes <= Self.maxMemoryBytes, work <= Self.maxWork else { throw refusal }
    }

    private init(uncheckedLogN logN: Int, r: Int, p: Int) {
        self.logN = logN
        self.r = r
        self.p = p
    }

    /// The bytes that OpenSSL allocates: N + 2 blocks for mixing, and p initial blocks.
    public var memoryBytes: Int { 128 * r * ((1 << logN) + 2 + p) }

    /// The amount of mixing: N times r times p.
    public var work: Int { (1 << logN) * r * p }

    /// Returns true if these parameters need less memory or less work than `other`.
    func areWeaker(than other: ScryptParameters) -> Bool {
        memoryBytes < other.memoryBytes || work < other.work
    }
}
