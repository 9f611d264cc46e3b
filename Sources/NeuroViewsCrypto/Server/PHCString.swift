/// `$scrypt$ln=15,r=8,p=3$salt$hash` of the PHC string format, in the only spelling that this server writes.
struct PHCString: Equatable {
    static let saltByteLimits = 8...64
    static let hashByteLimits = 16...64

    let parameters: ScryptParameters
    let salt: [UInt8]
    let hash: [UInt8]

    init(parameters: ScryptParameters, salt: [UInt8], hash: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    /// Strict: checks names, order, plain decimal numbers, canonical unpadded Base64 and every limit before any
    /// hashing.
    init?(_ text: String) {
        let fields = Array(text.utf8).split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, fields[1].elementsEqual("scrypt".utf8) else { return nil }
        guard let parameters = Self.parameters(fields[2]),
            let salt = Base64.unpadded.decode(Array(fields[3])), Self.saltByteLimits ~= salt.count,
            let hash = Base64.unpadded.decode(Array(fields[4])), Self.hashByteLimits ~= hash.count
        else { return nil }
        self.init(parameters: parameters, salt: salt, hash: hash)
    }

    var text: String {
        let costs = "ln=\(parameters.logN),r=\(parameters.r),p=\(parameters.p)"
        return "$scrypt$\(costs)$\(Base64.unpadded.encode(salt))$\(Base64.unpadded.encode(hash))"
    }

    private static func parameters(_ field: ArraySlice<UInt8>) -> ScryptParameters? {
        let parts = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 3,
            let logN = number(parts[0], after: "ln="),
            let r = number(parts[1], after: "r="),
            let p = number(parts[2], after: "p=")
        else { return nil }
        return try? ScryptParameters(logN: logN, r: r, p: p)
    }

    private static func number(_ part: ArraySlice<UInt8>, after name: String) -> Int? {
        guard part.starts(with: name.utf8) else { return nil }
        let digits = part.dropFirst(name.utf8.count)
        guard 1...9 ~= digits.count, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        // Zero is never a valid parameter, so a leading zero is always a second spelling.
        guard digits.first != UInt8(ascii: "0") else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
