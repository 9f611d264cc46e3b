import Testing

@testable import HTTP

@Suite("Offers of another protocol")
struct UpgradeOfferTests {
    private static func head(_ fields: [String], version: String = "1.1") throws -> RequestHead {
        var parser = RequestParser()
        let lines = ["GET / HTTP/\(version)", "Host: h"] + fields + ["", ""]
        parser.input = Array(lines.joined(separator: "\r\n").utf8)
        guard case .head(let head) = try parser.next() else { throw WireError.malformedRequestLine }
        return head
    }

    @Test(
        "An offer stands in Upgrade, and Connection names that field",
        arguments: [
            (["Connection: Upgrade", "Upgrade: websocket"], true),
            (["Connection: keep-alive, upgrade", "Upgrade: h2c, WebSocket"], true),
            (["Connection: keep-alive", "Connection: upgrade", "Upgrade: h2c", "Upgrade: websocket"], true),
            (["Connection: Upgrade"], false),
            (["Upgrade: websocket"], false),
            (["Connection: upgraded", "Upgrade: websocket"], false),
            (["Connection: Upgrade", "Upgrade: websockets"], false),
            (["Connection: Upgrade", "Upgrade:"], false),
        ] as [([String], Bool)]
    )
    func offers(fields: [String], isOffer: Bool) throws {
        #expect(try Self.head(fields).asksToUpgrade(to: "websocket") == isOffer)
    }

    @Test("HTTP/1.0 has no such offer")
    func oldVersion() throws {
        let head = try Self.head(["Connection: Upgrade", "Upgrade: websocket"], version: "1.0")
        #expect(!head.asksToUpgrade(to: "websocket"))
    }

    @Test("What came behind the head is handed over once, and not read as a request")
    func rest() throws {
        var parser = RequestParser()
        parser.input = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET frames".utf8)
        _ = try parser.next()
        _ = try parser.next()
        #expect(String(decoding: parser.takeInput(), as: UTF8.self) == "GET frames")
        #expect(parser.takeInput().isEmpty)
        #expect(parser.isIdle)
    }
}
