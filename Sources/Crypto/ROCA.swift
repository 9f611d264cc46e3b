/// The weakness of RSA keys from some chips, TPMs among them (CVE-2017-15361): their primes are made of powers of 65537, which shows in
/// the remainders of the modulus by small primes. A sound key passes for one with a probability of about 2^-27.
enum ROCA {
    private static let primes: [Int] = [
        11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
    ]
    private static let remainders: [(prime: Int, possible: Set<Int>)] = primes.map { prime in
        var possible: Set<Int> = []
        var power = 1
        while possible.insert(power).inserted { power = power * 65537 % prime }
        return (prime, possible)
    }

    static func isLikely(_ modulus: [UInt8]) -> Bool {
        remainders.allSatisfy { prime, possible in
            possible.contains(modulus.reduce(0) { ($0 << 8 | Int($1)) % prime })
        }
    }
}
