/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same seed, on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// A generator for one worker of one seed.
    init(seed: Int, worker: Int) { state = UInt64(seed) &* 0x2545_f491_4f6c_dd1d ^ UInt64(worker) << 32 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

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
