/// What a fuzzer made: a message, and at its end the bytes that choose how it is taken. A fuzzer can move them about
/// without changing the message, and the message stays readable in the corpus.
struct FuzzInput {
    private(set) var message: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        message = bytes[...]
    }

    /// The last byte, taken away; 0 when there is none left.
    mutating func choice() -> UInt8 { message.popLast() ?? 0 }

    /// The message in up to eight pieces, some of which may be empty; only then is the message what it should be.
    mutating func pieces() -> [ArraySlice<UInt8>] {
        let wanted = (0..<Int(choice() & 7)).map { _ in Int(choice()) << 8 | Int(choice()) }
        let cuts = wanted.map { message.startIndex + $0 % (message.count + 1) }.sorted()
        return zip([message.startIndex] + cuts, cuts + [message.endIndex]).map { message[$0..<$1] }
    }
}
