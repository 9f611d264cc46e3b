import NeuroViewsWebSocket
import Testing

@Suite("Messages of WebSockets")
struct MessageReaderTests {
    private static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// Frames of a client.
    private static func sent(
        _ opcode: Opcode,
        _ payload: [UInt8],
        isFinal: Bool = true
    ) -> [UInt8] {
        FrameWriter.frame(opcode, payload, isFinal: isFinal, mask: key)
    }

    private static func sent(_ opcode: Opcode, _ text: String, isFinal: Bool = true) -> [UInt8] {
        sent(opcode, Array(text.utf8), isFinal: isFinal)
    }

    private static func read(
        _ bytes: [UInt8],
        maxBytes: Int = 1 << 20,
        role: MessageReader.Role = .server
    ) -> [MessageReader.Event] {
        var reader = MessageReader(role: role, messageMaxBytes: maxBytes)
        return reader.take(bytes)
    }

    private static func text(_ text: String) -> MessageReader.Event { .message(Array(text.utf8), isText: true) }

    @Test("The examples of RFC 6455, 5.7 are read")
    func examples() {
        let whole: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(Self.read(whole, role: .client) == [Self.text("Hello")])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Self.read(masked) == [Self.text("Hello")])
        let fragmented: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        #expect(Self.read(fragmented, role: .client) == [Self.text("Hello")])
        #expect(Self.read([0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], role: .client) == [.ping(Array("Hello".utf8))])
    }

    @Test("Messages of each length are read, also byte by byte", arguments: [0, 1, 125, 126, 65_535, 65_536])
    func lengths(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let frame = Self.sent(.binary, payload)
        #expect(Self.read(frame) == [.message(payload, isText: false)])
        var reader = MessageReader(role: .server, messageMaxBytes: 1 << 20)
        var events: [MessageReader.Event] = []
        var ends = 0
        for byte in frame {
            events += reader.take([byte])
            if !reader.isWithin { ends += 1 }
        }
        #expect(events == [.message(payload, isText: false)])
        #expect(reader.keptBytes == 0 && ends == 1)
    }

    @Test("Control frames between the frames of a message are read first")
    func interleaved() {
        let bytes =
            Self.sent(.text, "Hel", isFinal: false) + Self.sent(.ping, "1")
            + Self.sent(.continuation, "", isFinal: false) + Self.sent(.pong, "2")
            + Self.sent(.continuation, "lo") + Self.sent(.binary, [255])
        #expect(
            Self.read(bytes) == [.ping([49]), .pong([50]), Self.text("Hello"), .message([255], isText: false)]
        )
    }

    @Test(
        "A frame that breaks the protocol is fault 1002",
        arguments: [
            // Reserved bits, opcodes.
            [0xC1], [0xA1], [0x91], [0x83], [0x87], [0x8B], [0x8F],
            // A frame without a mask.
            [0x81, 0x00],
            // Control frames that are fragmented or large.
            [0x09], [0x08], [0x89, 0xFE, 0, 126],
            // Lengths in a longer form than needed, and one with the highest bit.
            [0x82, 0xFE, 0, 125], [0x82, 0xFF, 0, 0, 0, 0, 0, 0, 255, 255], [0x82, 0xFF, 128, 0, 0, 0, 0, 0, 0, 0],
            // A continuation of nothing.
            [0x80, 0x80, 0, 0, 0, 0],
            // A new message before the end of one.
            [0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0],
            // A close frame with half a code.
            [0x88, 0x81, 0, 0, 0, 0, 3],
        ] as [[UInt8]]
    )
    func wrongFrames(bytes: [UInt8]) {
        #expect(Self.read(bytes) == [.fault(.protocolError)])
    }

    @Test("A masked frame of a server is fault 1002")
    func masked() {
        #expect(Self.read(Self.sent(.text, "a"), role: .client) == [.fault(.protocolError)])
    }

    @Test("A message that is too large is fault 1009 before its payload arrives, also in fragments")
    func tooLarge() {
        #expect(Self.read([0x82, 0x8B, 1, 2, 3, 4], maxBytes: 10) == [.fault(.tooBig)])
        #expect(Self.read(Self.sent(.text, "0123456789"), maxBytes: 10) == [Self.text("0123456789")])
        let first = Self.sent(.text, "01234", isFinal: false)
        #expect(Self.read(first + [0x80, 0x86, 1, 2, 3, 4], maxBytes: 10) == [.fault(.tooBig)])
        #expect(Self.read([0x82, 0xFF, 127, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]) == [.fault(.tooBig)])
    }

    @Test("A message of too many frames is fault 1008, and the next message counts anew")
    func tooManyFrames() {
        let first = Self.sent(.text, "a", isFinal: false)
        let next = Self.sent(.continuation, "", isFinal: false)
        let last = Self.sent(.continuation, "b")
        let most = first + [[UInt8]](repeating: next, count: 62).flatMap { $0 } + last
        #expect(Self.read(most + most) == [Self.text("ab"), Self.text("ab")])
        #expect(Self.read(first + [[UInt8]](repeating: next, count: 64).flatMap { $0 }) == [.fault(.policy)])
    }

    @Test(
        "Text that is not UTF-8 is fault 1007 at its first wrong byte",
        arguments: [
            [0x80], [0xC0], [0xC1], [0xE0, 0x9F], [0xED, 0xA0], [0xF0, 0x8F], [0xF4, 0x90], [0xF5], [0xFF],
            [0xE2, 0x82, 0x28], [0xF0, 0x9F, 0x98, 0x61], [0x61, 0xC3, 0xC3],
        ] as [[UInt8]]
    )
    func notUTF8(bytes: [UInt8]) {
        #expect(Self.read(Self.sent(.text, bytes)) == [.fault(.notText)])
        #expect(Self.read(Self.sent(.binary, bytes)) == [.message(bytes, isText: false)])
        // The frame goes on, and no byte before the last one is wrong.
        let begun: [UInt8] = [0x81, 0xFE, 1, 0] + Self.key + zip(bytes, 0...).map { $0 ^ Self.key[$1 % 4] }
        #expect(Self.read(begun) == [.fault(.notText)])
        #expect(Self.read(Array(begun.dropLast())) == [])
    }

    @Test("Characters that are split over frames are one text, and half a character at the end is fault 1007")
    func splitCharacters() {
        let text = Array("κόσμε €😀".utf8)
        var bytes: [UInt8] = []
        for (index, byte) in text.enumerated() {
            bytes += Self.sent(index == 0 ? .text : .continuation, [byte], isFinal: index == text.count - 1)
        }
        #expect(Self.read(bytes) == [.message(text, isText: true)])
        #expect(Self.read(Self.sent(.text, Array(text.dropLast()))) == [.fault(.notText)])
    }

    @Test("A close frame has a code and a reason, or none, and ends the reading")
    func closes() {
        let more = Self.sent(.text, "more")
        #expect(Self.read(Self.sent(.close, "") + more) == [.close(code: nil, reason: "")])
        let payload = FrameWriter.closePayload(4001, reason: "später")
        #expect(Self.read(Self.sent(.close, payload) + more) == [.close(code: 4001, reason: "später")])
        #expect(Self.read(Self.sent(.close, FrameWriter.closePayload(1000) + [0xFF])) == [.fault(.notText)])
        var reader = MessageReader(role: .server, messageMaxBytes: 10)
        #expect(reader.take([0x81, 0x00]) == [.fault(.protocolError)])
        #expect(reader.take(more) == [])
    }

    @Test(
        "A close code that may not be sent is fault 1002",
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
            (1007, true), (1014, true), (1015, false), (1016, false), (2999, false), (3000, true), (4999, true),
            (5000, false), (65_535, false),
        ] as [(UInt16, Bool)]
    )
    func closeCodes(code: UInt16, isValid: Bool) {
        let events = Self.read(Self.sent(.close, FrameWriter.closePayload(code)))
        #expect(events == [isValid ? .close(code: code, reason: "") : .fault(.protocolError)])
    }

    @Test("Bytes of a message that has begun are counted as kept, until its end")
    func kept() {
        var reader = MessageReader(role: .server, messageMaxBytes: 100)
        _ = reader.take(Self.sent(.text, "0123", isFinal: false) + Self.sent(.ping, "abc").dropLast())
        #expect(reader.keptBytes == 6)
        #expect(reader.take(Array(Self.sent(.ping, "abc").suffix(1))) == [.ping(Array("abc".utf8))])
        #expect(reader.take(Self.sent(.continuation, "4")) == [Self.text("01234")])
        #expect(reader.keptBytes == 0)
        // A length alone keeps nothing.
        _ = reader.take([0x82, 0xE4, 1, 2, 3, 4])
        #expect(reader.keptBytes == 0)
    }
}
