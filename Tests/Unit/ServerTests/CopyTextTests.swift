import TestSupport
import Testing

@testable import Operations

@Suite("Rows in a dump's COPY text", .blocking)
struct CopyTextTests {
    private final class Taken: RowTaker {
        var bytes = 0
        var ends = 0
        func begin(_ table: CopiedTable) {}
        func take(_ rows: UnsafeRawBufferPointer) { bytes += rows.count }
        func end() { ends += 1 }
    }

    @Test("A row of a dump that arrives in many pieces is scanned once")
    func pieces() throws {
        let (pieceBytes, pieces) = (1 << 14, 8192)
        let piece = [UInt8](repeating: 0x61, count: pieceBytes)
        var text = CopyText()
        let taken = Taken()
        try text.read(Array("COPY neuroviews.users (id, email) FROM stdin;\n".utf8), taken)
        let time = try ContinuousClock().measure {
            // The pieces have 128 MiB in all. A search through all of it for each piece would read 512 GiB.
            for _ in 0..<pieces { try text.read(piece, taken) }
        }
        try text.read(Array("\n\\.\n".utf8), taken)
        try text.finish()
        #expect(taken.bytes == pieceBytes * pieces + 1)
        #expect(taken.ends == 1)
        #expect(time < .milliseconds(Patience.ms(5000)))
    }
}
