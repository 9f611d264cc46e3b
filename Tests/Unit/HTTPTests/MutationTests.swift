import TestSupport
import Testing

@testable import HTTP

@Suite("Damaged requests")
struct MutationTests {
    private static let interesting = Array("\r\n\t :;,=\"\\#%/?*0159afAFx\u{0}\u{7F}".utf8) + [0x80, 0xFF]

    @Test("Three thousand damaged requests are parsed the same way however they are split")
    func mutations() {
        var random = SeededRandom(seed: 20_260_101)
        let seeds = (acceptedRequests + pipelinedRequests + chunkedRequests).map(\.bytes)
        var outcomes: [String: Int] = [:]
        for _ in 0..<3000 {
            var bytes = (seeds.randomElement(using: &random) ?? []) + (seeds.randomElement(using: &random) ?? [])
            for _ in 0..<Int.random(in: 0...3, using: &random) { Self.damage(&bytes, &random) }
            let whole = Transcript.whole(bytes)
            let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            let pieces = zip([0] + cuts, cuts + [bytes.count]).map { bytes[$0..<$1] }
            #expect(Transcript(pieces) == whole, "\(bytes)")
            #expect(Transcript.single(bytes) == whole, "\(bytes)")
            outcomes[whole.lines.last ?? "", default: 0] += 1
        }
        #expect(outcomes["end", default: 0] > 100)
        #expect(outcomes.count > 20)
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        let byte = interesting.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.remove(at: index)
        case 3: bytes.removeSubrange(index...)
        default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 8)], at: index)
        }
    }
}
