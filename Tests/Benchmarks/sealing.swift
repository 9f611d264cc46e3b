/// Seals and opens segments of a stream in one thread, and prints the bytes a second of both. It is compiled with the sources of
/// NeuroViewsCrypto.
@main
struct Sealing {
    static func main() throws {
        let limit = Duration.seconds(Double(CommandLine.arguments.dropFirst().first ?? "") ?? 3)
        let stream = try SealedStream(key: SecureRandom.bytes(AESGCM.keyBytes), SealedStream.Header(), context: [])
        let bytes = Int(SealedLayout.segmentBytes) - AESGCM.tagBytes
        var segment = [UInt8](repeating: 7, count: bytes)
        segment.reserveCapacity(Int(SealedLayout.segmentBytes))
        var (sealing, opening, count) = (Duration.zero, Duration.zero, Int64(0))
        while sealing + opening < limit {
            count += 1
            let begin = ContinuousClock.now
            try stream.seal(&segment, at: count, isLast: false)
            let middle = ContinuousClock.now
            try stream.open(&segment, at: count, isLast: false)
            (sealing, opening) = (sealing + (middle - begin), opening + (ContinuousClock.now - middle))
        }
        let all = Double(count) * Double(bytes)
        print(all / (sealing / .seconds(1)), all / (opening / .seconds(1)))
    }
}
