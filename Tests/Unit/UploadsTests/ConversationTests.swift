import Testing
import Uploads

/// One request of a conversation, with the answers to the client and the file afterwards.
struct Exchange: Sendable {
    let method: String
    let fields: [String]
    var content: [String] = []
    var isCut = false
    let answers: [String]
    let file: String

    init(
        _ method: String,
        _ fields: [String],
        _ content: String...,
        cut: Bool = false,
        gets answers: [String],
        file: String
    ) {
        (self.method, self.fields, self.content, isCut) = (method, fields, content, cut)
        (self.answers, self.file) = (answers, file)
    }
}

/// A client's requests in one dialect.
struct Conversation: Sendable, CustomTestStringConvertible {
    let dialect: UploadDialect
    let exchanges: [Exchange]

    var testDescription: String { dialect.rawValue }
}

@Suite("Upload conversations by dialect")
struct ConversationTests {
    @Test(
        "A client creates an upload, is interrupted, asks for the offset, continues and completes",
        arguments: [Conversation.interop3, .interop6, .interop8, .unversioned, .tus, .plain]
    )
    func conversation(of client: Conversation) throws {
        var server = MemoryServer(length: 10)
        for (number, exchange) in client.exchanges.enumerated() {
            let pieces = exchange.content.map { Array($0.utf8) }
            let answers = try server.handle(exchange.method, exchange.fields, pieces, isCut: exchange.isCut)
            #expect(answers == exchange.answers, "exchange \(number)")
            if !exchange.isCut {
                #expect(String(decoding: server.file, as: UTF8.self) == exchange.file, "exchange \(number)")
            }
        }
    }
}
