import TestSupport

extension SeededRandom {
    /// The generator of one worker for one seed.
    init(seed: Int, worker: Int) { self.init(seed: UInt64(seed) &* 0x2545_f491_4f6c_dd1d ^ UInt64(worker) << 32) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// A UUID (version 4) in upper or lower case.
    mutating func uuid(isUpperCase: Bool) -> String {
        let digits = Array(isUpperCase ? "0123456789ABCDEF" : "0123456789abcdef")
        return String(
            (0..<36).map { index -> Character in
                switch index {
                case 8, 13, 18, 23: "-"
                case 14: "4"
                case 19: digits[8 + below(4)]
                default: digits[below(16)]
                }
            }
        )
    }
}
