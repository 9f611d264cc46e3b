import Testing
import Uploads

@Suite("Requests to an upload resource")
struct UploadRequestTests {
    @Test(
        "The header fields alone decide an upload's dialect",
        arguments: [
            ([], .plain), (["Upload-Draft-Interop-Version: 3"], .interop3),
            (["Upload-Draft-Interop-Version: 6"], .interop6),
            (["Upload-Draft-Interop-Version: 8", "User-Agent: tusd"], .interop8),
            (["Upload-Draft-Interop-Version: 5"], .plain),
            (["Upload-Draft-Interop-Version: 7", "Upload-Complete: ?1"], .unversioned),
            (["Upload-Draft-Interop-Version: six", "Upload-Complete: ?0"], .unversioned),
            (["Upload-Offset: 3"], .unversioned),
            (["Upload-Draft-Interop-Version: 6", "Upload-Draft-Interop-Version: 6"], .plain),
            (["Upload-Complete: true"], .plain), (["Upload-Offset: -1"], .plain), (["tus-resumable: 0.2.2"], .tus),
            (["Tus-Resumable: 1.0.0", "Upload-Draft-Interop-Version: 8", "Upload-Complete: ?1"], .tus),
        ] as [([String], UploadDialect)]
    )
    func dialects(fields: [String], expected: UploadDialect) throws {
        #expect(UploadDialect(try uploadHead("PUT", fields).headers) == expected)
    }

    private static let v3 = "Upload-Draft-Interop-Version: 3"
    private static let v6 = "Upload-Draft-Interop-Version: 6"
    private static let v8 = "Upload-Draft-Interop-Version: 8"
    private static let tus = "Tus-Resumable: 1.0.0"
    private static let piece = "Content-Type: application/partial-upload"
    private static let tusPiece = "Content-Type: application/offset+octet-stream"

    private static let sha512 = "Repr-Digest: sha-512=:\(String(repeating: "A", count: 86))==:"

    private static func content(_ bytes: Int?, of length: Int? = nil, last: Bool) -> UploadContent {
        UploadContent(contentBytes: bytes, length: length, isLast: last)
    }

    private static let creations: [(String, [String], UploadDialect, UploadContent)] = [
        ("PUT", ["Content-Length: 9"], .plain, content(9, last: true)),
        ("POST", ["Transfer-Encoding: chunked"], .plain, content(nil, last: true)),
        ("PUT", [], .plain, content(0, last: true)),
        ("PUT", [v3, "Content-Length: 9"], .plain, content(9, last: true)),
        ("POST", [v3, "Upload-Incomplete: ?0", "Content-Length: 9"], .interop3, content(9, last: true)),
        ("POST", [v3, "Upload-Incomplete: ?1", "Content-Length: 9"], .interop3, content(9, last: false)),
        (
            "POST", [v3, "Upload-Incomplete: ?1", "Upload-Length: 4", "Content-Length: 9"], .interop3,
            content(9, last: false)
        ),
        ("POST", [v3, "Upload-Complete: ?0", "Content-Length: 9"], .plain, content(9, last: true)),
        (
            "PUT", [v6, "Upload-Complete: ?1", "Upload-Length: 9", "Content-Length: 9"], .interop6,
            content(9, of: 9, last: true)
        ),
        (
            "PUT", [v6, "Upload-Complete: ?0", "Upload-Length: 9", "Content-Length: 9"], .interop6,
            content(9, of: 9, last: false)
        ),
        ("PUT", [v8, "Upload-Complete: ?0;x=1", "Upload-Offset: 0"], .interop8, content(0, last: false)),
        ("PUT", [v8, "Upload-Complete: ?1", "Transfer-Encoding: chunked"], .interop8, content(nil, last: true)),
        (
            "PUT", [v8, "Upload-Complete: ?1", "Upload-Length: nine", "Content-Length: 9"], .interop8,
            content(9, last: true)
        ),
        ("PUT", [v8, "Upload-Complete: 1", "Content-Length: 9"], .plain, content(9, last: true)),
        ("PUT", ["Upload-Complete: ?0", "Content-Length: 9"], .unversioned, content(9, last: false)),
        ("POST", [tus, "Upload-Length: 9"], .tus, content(0, of: 9, last: false)),
        (
            "POST", [tus, "Upload-Length: 9", "Content-Length: 0", "Content-Type: text/plain"], .tus,
            content(0, of: 9, last: false)
        ),
        ("POST", [tus, "Upload-Length: 9", "Content-Length: 4", tusPiece], .tus, content(4, of: 9, last: false)),
    ]

    @Test("A creation is parsed with its length and its completeness", arguments: creations)
    func creation(method: String, fields: [String], dialect: UploadDialect, content: UploadContent) throws {
        let expected = UploadRequest(dialect: dialect, action: .create(content))
        #expect(try UploadRequest(uploadHead(method, fields)) == expected)
    }

    private static let others: [(String, [String], UploadDialect, UploadRequest.Action)] = [
        ("HEAD", [v3], .interop3, .retrieveOffset), ("HEAD", [v8, "Upload-Offset: 3"], .interop8, .retrieveOffset),
        ("HEAD", [], .plain, .retrieveOffset), ("HEAD", [tus], .tus, .retrieveOffset),
        ("DELETE", [v6, "Upload-Length: 3"], .interop6, .cancel), ("DELETE", [tus], .tus, .cancel),
        ("OPTIONS", [v6], .interop6, .describe), ("OPTIONS", [], .plain, .describe),
        ("OPTIONS", ["Tus-Resumable: 9"], .tus, .describe),
        ("POST", [tus, "X-HTTP-Method-Override: DELETE"], .tus, .cancel),
        (
            "POST", [tus, tusPiece, "X-HTTP-Method-Override: PATCH", "Upload-Offset: 3", "Content-Length: 2"], .tus,
            .append(content(2, last: false), at: 3)
        ),
        (
            "PATCH",
            [tus, tusPiece, v8, "Upload-Complete: ?1", "Upload-Length: 2", "Upload-Offset: 3", "Content-Length: 2"],
            .tus,
            .append(content(2, last: false), at: 3)
        ),
        ("PATCH", [v3, "Upload-Offset: 3", "Content-Length: 2"], .interop3, .append(content(2, last: true), at: 3)),
        (
            "PATCH", [v3, "Upload-Offset: 3", "Upload-Incomplete: ?1", "Content-Length: 2", "Content-Type: video/mp4"],
            .interop3,
            .append(content(2, last: false), at: 3)
        ),
        (
            "PATCH", [v6, piece, "Upload-Offset: 3", "Content-Length: 2"], .interop6,
            .append(content(2, last: false), at: 3)
        ),
        (
            "PATCH", [v6, "Content-Type: Application/Partial-Upload ; a=b", "Upload-Offset: 3", "Upload-Complete: ?1"],
            .interop6,
            .append(content(0, last: true), at: 3)
        ),
        (
            "PATCH", [v8, piece, "Upload-Offset: 3", "Upload-Complete: ?1", "Upload-Length: 5", "Content-Length: 2"],
            .interop8,
            .append(content(2, of: 5, last: true), at: 3)
        ),
        (
            "PATCH", [piece, "Upload-Offset: 3", "Upload-Complete: ?0", "Transfer-Encoding: chunked"], .unversioned,
            .append(content(nil, last: false), at: 3)
        ),
    ]

    @Test("Every upload request is parsed in its dialect", arguments: others)
    func other(method: String, fields: [String], dialect: UploadDialect, action: UploadRequest.Action) throws {
        #expect(try UploadRequest(uploadHead(method, fields)) == UploadRequest(dialect: dialect, action: action))
    }

    private static let refused: [(String, [String], UploadRefusal)] = [
        ("GET", [], .methodNotAllowed), ("GET", [tus], .methodNotAllowed), ("PUT", [tus], .methodNotAllowed),
        ("PUT", ["Content-Range: bytes 0-3/9", "Content-Length: 4"], .unexpectedField("Content-Range")),
        ("PUT", [v8, "Upload-Complete: ?1", "Upload-Offset: 1"], .unexpectedField("Upload-Offset")),
        ("PUT", [v6, "Upload-Complete: ?1", "Upload-Length: 8", "Content-Length: 9"], .inconsistentLength),
        ("PUT", [v6, "Upload-Complete: ?1", "Upload-Length: 9", "Content-Length: 8"], .inconsistentLength),
        ("PUT", [v8, "Upload-Complete: ?0", "Upload-Length: 8", "Content-Length: 9"], .inconsistentLength),
        ("PATCH", [], .missingField("Upload-Offset")), ("PATCH", [v3], .missingField("Upload-Offset")),
        ("PATCH", [v8, piece, "Upload-Complete: ?1"], .missingField("Upload-Offset")),
        ("PATCH", [v8, piece, "Upload-Complete: ?1", "Upload-Offset: 1.0"], .missingField("Upload-Offset")),
        ("PATCH", [v8, piece, "Upload-Offset: 3", "Upload-Complete: yes"], .missingField("Upload-Complete")),
        (
            "PATCH", [v6, "Upload-Offset: 3", "Upload-Complete: ?1"],
            .unsupportedMediaType(accepted: "application/partial-upload")
        ),
        ("PATCH", [v8, tusPiece, "Upload-Offset: 3"], .unsupportedMediaType(accepted: "application/partial-upload")),
        (
            "PATCH", ["Upload-Offset: 3", "Upload-Complete: ?1"],
            .unsupportedMediaType(accepted: "application/partial-upload")
        ),
        (
            "PATCH", [v8, piece, "Upload-Offset: 3", "Upload-Complete: ?1", "Upload-Length: 6", "Content-Length: 2"],
            .inconsistentLength
        ),
        (
            "PATCH",
            [
                v8, piece, "Upload-Offset: 999999999999999", "Upload-Complete: ?1",
                "Content-Length: 9223372036854775807",
            ],
            .inconsistentLength
        ),
        ("HEAD", [v3, "Upload-Incomplete: ?1"], .unexpectedField("Upload-Incomplete")),
        ("HEAD", [v6, "Upload-Offset: x"], .unexpectedField("Upload-Offset")),
        ("HEAD", [v6, "Upload-Length: 3"], .unexpectedField("Upload-Length")),
        ("DELETE", [v6, "Upload-Complete: ?1"], .unexpectedField("Upload-Complete")),
        ("PUT", [v8, "Upload-Complete: ?1", "Content-Digest: sha-256=:AQI=:"], .invalidDigest("Content-Digest")),
        ("PATCH", [v8, piece, "Upload-Offset: 0", "Upload-Complete: ?1", sha512], .unsupportedDigest),
        ("POST", [v8, "Upload-Complete: ?0", sha512], .unsupportedDigest),
        ("PUT", [v8, "Upload-Complete: ?1", sha512], .unsupportedDigest),
        ("HEAD", ["Tus-Resumable: 0.2.2"], .unsupportedTusVersion), ("PATCH", [tus, tus], .unsupportedTusVersion),
        ("POST", [tus], .missingField("Upload-Length")),
        ("POST", [tus, "Upload-Length: -1"], .invalidField("Upload-Length")),
        ("POST", [tus, "Upload-Length: 99999999999999999999"], .invalidField("Upload-Length")),
        ("POST", [tus, "Upload-Length:"], .invalidField("Upload-Length")),
        ("POST", [tus, "Upload-Length: 9", "Upload-Length: 9"], .repeatedField("Upload-Length")),
        ("POST", [tus, "Upload-Defer-Length: 1"], .unexpectedField("Upload-Defer-Length")),
        ("POST", [tus, "Upload-Length: 9", "Upload-Concat: partial"], .unexpectedField("Upload-Concat")),
        (
            "POST", [tus, "Upload-Length: 9", "Content-Length: 4", "Content-Type: text/plain"],
            .unsupportedMediaType(accepted: "application/offset+octet-stream")
        ),
        ("POST", [tus, tusPiece, "Upload-Length: 3", "Content-Length: 4"], .inconsistentLength),
        ("PATCH", [tus, "Upload-Offset: 3"], .unsupportedMediaType(accepted: "application/offset+octet-stream")),
        ("PATCH", [tus, tusPiece], .missingField("Upload-Offset")),
        ("PATCH", [tus, tusPiece, "Upload-Offset: x"], .invalidField("Upload-Offset")),
        ("PATCH", [tus, tusPiece, "Upload-Offset: 0", "Upload-Checksum: md5 AQI="], .unsupportedChecksum),
    ]

    @Test(
        "An upload's field for protocol, place or length that occurs twice is refused, also joined by a proxy",
        arguments: ["PUT", "POST", "PATCH", "HEAD", "DELETE"],
        [
            ["Upload-Draft-Interop-Version: 8", "Upload-Draft-Interop-Version: 8"],
            ["Upload-Draft-Interop-Version: 8, 6"], ["Upload-Offset: 3", "upload-offset: 3"],
            ["Upload-Complete: ?1", "Upload-Complete: ?0"], ["Upload-Incomplete: ?1 , ?1"],
            ["Upload-Length: 9", "Upload-Length: nine"],
        ]
    )
    func repeated(method: String, fields: [String]) throws {
        let name = try #require(fields[0].split(separator: ":").first.map(String.init))
        let head = try uploadHead(method, fields)
        #expect(throws: UploadRefusal.repeatedField(name)) { try UploadRequest(head) }
    }

    @Test("A field of an upload with a comma in a parameter is not repeated, and tus ignores fields of the draft")
    func notRepeated() throws {
        let fields = [Self.v8, #"Upload-Complete: ?1;note="a,b""#, "Content-Length: 9"]
        let expected = UploadRequest(dialect: .interop8, action: .create(Self.content(9, last: true)))
        #expect(try UploadRequest(uploadHead("PUT", fields)) == expected)
        #expect(try UploadRequest(uploadHead("OPTIONS", [Self.v8, Self.v8])).action == .describe)
        #expect(try UploadRequest(uploadHead("HEAD", [Self.tus, Self.v8, Self.v8])).action == .retrieveOffset)
    }

    @Test("A contradictory or incomplete upload request is refused", arguments: refused)
    func refusal(method: String, fields: [String], expected: UploadRefusal) throws {
        let head = try uploadHead(method, fields)
        #expect(throws: expected) { try UploadRequest(head) }
    }

    @Test("Upload digests are read in the dialects that have them")
    func digests() throws {
        let digest = try #require(UploadDigest(.sha256, Array(repeating: 0, count: 32)))
        let value = DigestFields.value([digest])
        let put = try UploadRequest(uploadHead("PUT", ["Content-Digest: \(value)", "Repr-Digest: \(value)"]))
        let both = UploadContent(
            contentBytes: 0,
            isLast: true,
            contentDigests: [digest],
            representationDigests: [digest]
        )
        #expect(put.action == .create(both))
        #expect(put.content?.sha256 == digest.bytes)
        #expect(try UploadRequest(uploadHead("PUT", [Self.sha512])).content?.representationDigests.count == 1)
        let part = [
            Self.v8, Self.piece, "Upload-Offset: 3", "Upload-Complete: ?1", "Repr-Digest: \(value)", Self.sha512,
        ]
        #expect(try UploadRequest(uploadHead("PATCH", part)).content?.sha256 == digest.bytes)
        let checksum = "Upload-Checksum: sha256 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let patch = try UploadRequest(uploadHead("PATCH", [Self.tus, Self.tusPiece, "Upload-Offset: 0", checksum]))
        #expect(patch.action == .append(UploadContent(contentBytes: 0, isLast: false, contentDigests: [digest]), at: 0))
    }
}
