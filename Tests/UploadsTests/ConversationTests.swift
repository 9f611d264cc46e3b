import Testing
import Uploads

/// One request of a conversation with what its client sees, and the file afterwards.
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

@Suite("Conversations about one upload")
struct ConversationTests {
    @Test(
        "A client creates, is interrupted, asks for the offset, goes on and completes",
        arguments: [
            Conversation(dialect: .interop3, exchanges: interop3),
            Conversation(dialect: .interop6, exchanges: interop6),
            Conversation(dialect: .interop8, exchanges: interop8),
            Conversation(dialect: .unversioned, exchanges: unversioned), Conversation(dialect: .tus, exchanges: tus),
            Conversation(dialect: .plain, exchanges: plain),
        ]
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

    private static let v3 = "Upload-Draft-Interop-Version: 3"
    private static let interop3 = [
        Exchange(
            "POST",
            [v3, "Upload-Incomplete: ?0", "Content-Length: 10"],
            "01",
            "23",
            cut: true,
            gets: ["104 | \(v3) | Location: /u"],
            file: ""
        ),
        Exchange(
            "HEAD",
            [v3],
            gets: ["204 | \(v3) | Upload-Offset: 4 | Upload-Incomplete: ?1 | Cache-Control: no-store"],
            file: "0123"
        ),
        Exchange(
            "PATCH",
            [v3, "Upload-Offset: 4", "Upload-Incomplete: ?1", "Content-Length: 2"],
            "45",
            gets: ["201 | \(v3) | Upload-Offset: 6 | Upload-Incomplete: ?1"],
            file: "012345"
        ),
        Exchange(
            "PATCH",
            [v3, "Upload-Offset: 4", "Content-Length: 6"],
            "456789",
            gets: ["409 | \(v3) | Upload-Offset: 6 | Upload-Incomplete: ?1"],
            file: "012345"
        ),
        Exchange(
            "PATCH",
            [v3, "Upload-Offset: 6", "Content-Length: 4"],
            "6789",
            gets: ["201 | \(v3) | Upload-Offset: 10 | Upload-Incomplete: ?0"],
            file: "0123456789"
        ),
        Exchange(
            "HEAD",
            [v3],
            gets: ["204 | \(v3) | Upload-Offset: 10 | Upload-Incomplete: ?0 | Cache-Control: no-store"],
            file: "0123456789"
        ),
        Exchange(
            "POST",
            [v3, "Upload-Incomplete: ?0", "Content-Length: 10"],
            "0123456789",
            gets: ["201 | \(v3) | Location: /u | Upload-Offset: 10 | Upload-Incomplete: ?0"],
            file: "0123456789"
        ),
    ]

    private static let v6 = "Upload-Draft-Interop-Version: 6"
    private static let piece = "Content-Type: application/partial-upload"
    private static let interop6 = [
        Exchange(
            "PUT",
            [v6, "Upload-Complete: ?1", "Content-Length: 10"],
            "01",
            "23",
            cut: true,
            gets: ["104 | \(v6) | Location: /u | Upload-Limit: max-size=1000"],
            file: ""
        ),
        // The client lost the 104 with the connection: it gets another one, and continues instead of starting over.
        Exchange(
            "PUT",
            [v6, "Upload-Complete: ?1", "Content-Length: 10"],
            "0123456789",
            gets: ["104 | \(v6) | Location: /u | Upload-Limit: max-size=1000", "cut"],
            file: "0123"
        ),
        Exchange(
            "HEAD",
            [v6],
            gets: [
                "204 | \(v6) | Upload-Offset: 4 | Upload-Complete: ?0 | Upload-Length: 10 | Upload-Limit: max-size=1000"
                    + " | Cache-Control: no-store"
            ],
            file: "0123"
        ),
        Exchange(
            "PATCH",
            [v6, piece, "Upload-Offset: 4", "Upload-Complete: ?0", "Content-Length: 6"],
            "456789",
            gets: ["201 | \(v6) | Upload-Offset: 10 | Upload-Complete: ?0 | Upload-Limit: max-size=1000"],
            file: "0123456789"
        ),
        // The offset is the length, and still the client has to say that it is done.
        Exchange(
            "PATCH",
            [v6, piece, "Upload-Offset: 10", "Upload-Complete: ?1"],
            gets: ["201 | \(v6) | Upload-Offset: 10 | Upload-Complete: ?1"],
            file: "0123456789"
        ),
        Exchange(
            "PATCH",
            [v6, piece, "Upload-Offset: 10", "Upload-Complete: ?1"],
            gets: ["201 | \(v6) | Upload-Offset: 10 | Upload-Complete: ?1"],
            file: "0123456789"
        ),
        Exchange("DELETE", [v6], gets: ["400 | \(v6)"], file: "0123456789"),
    ]

    private static let v8 = "Upload-Draft-Interop-Version: 8"
    private static let interop8 = [
        Exchange(
            "OPTIONS",
            [v8],
            gets: [
                "204 | \(v8) | Allow: DELETE, HEAD, OPTIONS, PATCH, POST, PUT"
                    + " | Accept-Patch: application/partial-upload, application/offset+octet-stream | Upload-Limit: max-size=1000"
                    + " | Tus-Resumable: 1.0.0 | Tus-Version: 1.0.0"
                    + " | Tus-Extension: creation,creation-with-upload,termination,checksum"
                    + " | Tus-Checksum-Algorithm: sha256,sha1 | Tus-Max-Size: 1000"
            ],
            file: ""
        ),
        Exchange(
            "POST",
            [v8, "Upload-Complete: ?0", "Upload-Length: 10"],
            gets: [
                "104 | \(v8) | Location: /u | Upload-Limit: max-size=1000",
                "201 | \(v8) | Location: /u | Upload-Offset: 0 | Upload-Complete: ?0 | Upload-Limit: max-size=1000",
            ],
            file: ""
        ),
        Exchange(
            "PATCH",
            [v8, piece, "Upload-Offset: 0", "Upload-Complete: ?1", "Content-Length: 10"],
            "012",
            "3",
            cut: true,
            gets: [],
            file: ""
        ),
        Exchange(
            "PATCH",
            [v8, piece, "Upload-Offset: 3", "Upload-Complete: ?0", "Content-Length: 1"],
            "x",
            gets: ["409 | \(v8) | Upload-Offset: 4 | Upload-Complete: ?0"],
            file: "0123"
        ),
        Exchange(
            "PATCH",
            [v8, piece, "Upload-Offset: 4", "Upload-Complete: ?0", "Transfer-Encoding: chunked"],
            "4",
            gets: ["204 | \(v8) | Upload-Offset: 5 | Upload-Complete: ?0 | Upload-Limit: max-size=1000"],
            file: "01234"
        ),
        Exchange(
            "PATCH",
            [v8, piece, "Upload-Offset: 5", "Upload-Complete: ?1", "Content-Length: 5"],
            "56789",
            gets: ["201 | \(v8) | Upload-Offset: 10 | Upload-Complete: ?1"],
            file: "0123456789"
        ),
        Exchange(
            "PATCH",
            [v8, piece, "Upload-Offset: 10", "Upload-Complete: ?1", "Content-Length: 1"],
            "x",
            gets: ["400 | \(v8)"],
            file: "0123456789"
        ),
        Exchange(
            "PATCH",
            [v8, piece, "Upload-Offset: 5", "Upload-Complete: ?1", "Content-Length: 5"],
            "56789",
            gets: ["400 | \(v8)"],
            file: "0123456789"
        ),
        Exchange(
            "HEAD",
            [v8],
            gets: [
                "204 | \(v8) | Upload-Offset: 10 | Upload-Complete: ?1 | Upload-Length: 10 | Upload-Limit: max-size=1000"
                    + " | Cache-Control: no-store"
            ],
            file: "0123456789"
        ),
    ]

    private static let unversioned = [
        Exchange("PUT", ["Upload-Complete: ?1", "Content-Length: 10"], "0123", cut: true, gets: [], file: ""),
        // Without a 104 it can't know where to go on, so it begins again.
        Exchange(
            "PUT",
            ["Upload-Complete: ?0", "Content-Length: 2"],
            "01",
            gets: ["201 | Location: /u | Upload-Offset: 2 | Upload-Complete: ?0 | Upload-Limit: max-size=1000"],
            file: "01"
        ),
        Exchange("DELETE", ["Upload-Draft-Interop-Version: 9"], gets: ["204"], file: "01"),
        Exchange("DELETE", [], gets: ["404"], file: "01"),
        Exchange("HEAD", [], gets: ["404"], file: "01"),
    ]

    private static let tusVersion = "Tus-Resumable: 1.0.0"
    private static let tusPiece = "Content-Type: application/offset+octet-stream"
    private static let tus = [
        Exchange(
            "POST",
            [tusVersion, "Upload-Length: 10", "Upload-Metadata: filename YQ=="],
            gets: ["201 | \(tusVersion) | Location: /u | Upload-Offset: 0"],
            file: ""
        ),
        Exchange(
            "PATCH",
            [tusVersion, tusPiece, "Upload-Offset: 0", "Content-Length: 10"],
            "01",
            "23",
            cut: true,
            gets: [],
            file: ""
        ),
        Exchange(
            "HEAD",
            [tusVersion],
            gets: ["200 | \(tusVersion) | Upload-Offset: 4 | Upload-Length: 10 | Cache-Control: no-store"],
            file: "0123"
        ),
        Exchange(
            "PATCH",
            [tusVersion, tusPiece, "Upload-Offset: 3", "Content-Length: 7"],
            "3456789",
            gets: ["409 | \(tusVersion) | Upload-Offset: 4"],
            file: "0123"
        ),
        Exchange(
            "PATCH",
            [
                tusVersion, tusPiece, "Upload-Offset: 4", "Content-Length: 2",
                "Upload-Checksum: sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            ],
            "4",
            "5",
            gets: ["460 | \(tusVersion)"],
            file: "0123"
        ),
        Exchange(
            "PATCH",
            [tusVersion, tusPiece, "Upload-Offset: 4", "Content-Length: 2", "Upload-Checksum: sha1 \(sha1Of45)"],
            "4",
            "5",
            gets: ["204 | \(tusVersion) | Upload-Offset: 6"],
            file: "012345"
        ),
        Exchange(
            "PATCH",
            [tusVersion, tusPiece, "Upload-Offset: 6", "Content-Length: 4"],
            "6789",
            gets: ["204 | \(tusVersion) | Upload-Offset: 10"],
            file: "0123456789"
        ),
        Exchange(
            "PATCH",
            [tusVersion, tusPiece, "Upload-Offset: 10", "Content-Length: 0"],
            gets: ["204 | \(tusVersion) | Upload-Offset: 10"],
            file: "0123456789"
        ),
        Exchange(
            "PATCH",
            [tusVersion, tusPiece, "Upload-Offset: 6", "Content-Length: 4"],
            "6789",
            gets: ["409 | \(tusVersion) | Upload-Offset: 10"],
            file: "0123456789"
        ),
        Exchange(
            "HEAD",
            ["Tus-Resumable: 2.0.0"],
            gets: ["412 | \(tusVersion) | Tus-Version: 1.0.0"],
            file: "0123456789"
        ),
    ]
    private static let sha1Of45 = "+2RDUVYNgpb+baMyI2sfjWGygoo="

    private static let plain = [
        Exchange("PUT", ["Content-Length: 10"], "0123", cut: true, gets: [], file: ""),
        Exchange("PUT", ["Content-Length: 9"], gets: ["400"], file: "0123"),
        Exchange("PUT", ["Transfer-Encoding: chunked"], "0123", "4", gets: ["400"], file: "01234"),
        Exchange(
            "PUT",
            ["Content-Length: 10"],
            "01234",
            "56789",
            gets: ["201 | Location: /u | Upload-Offset: 10 | Upload-Complete: ?1"],
            file: "0123456789"
        ),
        Exchange(
            "PUT",
            ["Content-Length: 10"],
            "9876543210",
            gets: ["201 | Location: /u | Upload-Offset: 10 | Upload-Complete: ?1"],
            file: "0123456789"
        ),
        Exchange("PUT", ["Content-Length: 9"], gets: ["400"], file: "0123456789"),
        Exchange(
            "HEAD",
            [],
            gets: [
                "204 | Upload-Offset: 10 | Upload-Complete: ?1 | Upload-Length: 10 | Upload-Limit: max-size=1000"
                    + " | Cache-Control: no-store"
            ],
            file: "0123456789"
        ),
    ]
}
