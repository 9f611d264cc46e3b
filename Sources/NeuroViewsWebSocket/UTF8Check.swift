/// Finds the first byte that is not UTF-8 (RFC 3629, 4), in a text that arrives in pieces.
struct UTF8Check {
    /// The bytes that the current character lacks.
    private var lacking = 0
    /// The values that its next byte may have.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// True between two characters.
    var isComplete: Bool { lacking == 0 }

    /// Returns false if the text can't be UTF-8, whatever follows.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        // Most texts are ASCII, which shows in many bytes at a time.
        if lacking == 0, bytes.reduce(0, |) < 0x80 { return true }
        for byte in bytes {
            if lacking > 0 {
                guard next.contains(byte) else { return false }
                next = 0x80...0xBF
                lacking -= 1
            } else if byte >= 0x80 {
                guard begin(byte) else { return false }
            }
        }
        return true
    }

    /// Begins a character of several bytes. Its second byte excludes longer forms than needed, surrogates, and values
    /// above U+10FFFF.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: lacking = 1
        case 0xE0: (lacking, next) = (2, 0xA0...0xBF)
        case 0xED: (lacking, next) = (2, 0x80...0x9F)
        case 0xE1...0xEF: lacking = 2
        case 0xF0: (lacking, next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: lacking = 3
        case 0xF4: (lacking, next) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
