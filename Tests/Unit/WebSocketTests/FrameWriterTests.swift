import NeuroViewsWebSocket
import Testing

@Suite("Frames of WebSockets")
struct FrameWriterTests {
    @Test(
        "A frame has the shortest form of its length",
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (65_535, [0x82, 126, 255, 255]),
            (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])]
    )
    func lengths(count: Int, head: [UInt8]) {
        let payload = [UInt8](repeating: 7, count: count)
        #expect(FrameWriter.frame(.binary, payload) == head + payload)
    }

    @Test("The masked example of RFC 6455, 5.7 is written")
    func masked() {
        let frame = FrameWriter.frame(.text, Array("Hello".utf8), mask: [0x37, 0xFA, 0x21, 0x3D])
        #expect(frame == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test("A frame that is not the last one of its message has no end bit")
    func fragment() {
        #expect(FrameWriter.frame(.text, [97], isFinal: false) == [0x01, 1, 97])
        #expect(FrameWriter.frame(.continuation, [98]) == [0x80, 1, 98])
    }

    @Test("The reason of a close frame is cut at a character, so that the frame is short enough")
    func reason() {
        #expect(FrameWriter.closePayload(1013, reason: "later") == [0x03, 0xF5] + Array("later".utf8))
        let long = FrameWriter.closePayload(1000, reason: String(repeating: "€", count: 50))
        #expect(long.count == 2 + 41 * 3)
        #expect(String(decoding: long.dropFirst(2), as: UTF8.self) == String(repeating: "€", count: 41))
    }
}
