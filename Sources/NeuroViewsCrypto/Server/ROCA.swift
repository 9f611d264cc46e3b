/// Detects weak RSA keys of some chips and TPMs (CVE-2017-15361). Their primes are built from powers of 65537. This
/// shows in the modulus's remainders by small primes. A sound key is rejected with a probability of about 2^-27.
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
