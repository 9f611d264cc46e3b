import Testing

@testable import HTTP

@Suite("Offers to upgrade the protocol")
struct UpgradeOfferTests {
    private static func head(_ fields: [String], version: String = "1.1") throws -> RequestHead {
        var parser = RequestParser()
        let lines = ["GET / HTTP/\(version)", "Host: h"] + fields + ["", ""]
        parser.input = Array(lines.joined(separator: "\r\n").utf8)
        guard case .head(let head) = try parser.next() else { throw WireError.malformedRequestLine }
        return head
    }

    @Test(
        "An offer needs the Upgrade field and its name in Connection",
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

    @Test("HTTP/1.0 can't offer an upgrade")
    func oldVersion() throws {
        let head = try Self.head(["Connection: Upgrade", "Upgrade: websocket"], version: "1.0")
        #expect(!head.asksToUpgrade(to: "websocket"))
    }

    @Test("Bytes behind an upgraded head are handed over once, and not parsed as a request")
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
