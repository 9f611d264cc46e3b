/// A fuzzer's input: a message, followed by bytes that choose the options of the check. A fuzzer can change these bytes
/// without changing the message, and the message stays readable in the corpus.
struct FuzzInput {
    private(set) var message: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        message = bytes[...]
    }

    /// Removes and returns the last byte; 0 if none is left.
    mutating func choice() -> UInt8 { message.popLast() ?? 0 }

    /// Splits the message into up to eight pieces; some may be empty. `message` is final only after this call.
    mutating func pieces() -> [ArraySlice<UInt8>] {
        let wanted = (0..<Int(choice() & 7)).map { _ in Int(choice()) << 8 | Int(choice()) }
        let cuts = wanted.map { message.startIndex + $0 % (message.count + 1) }.sorted()
        return zip([message.startIndex] + cuts, cuts + [message.endIndex]).map { message[$0..<$1] }
    }
}
