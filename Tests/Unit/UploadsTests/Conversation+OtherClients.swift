extension Conversation {
    static let unversioned = Conversation(
        dialect: .unversioned,
        exchanges: [
            Exchange("PUT", ["Upload-Complete: ?1", "Content-Length: 10"], "0123", cut: true, gets: [], file: ""),
            // Without a 104 the client does not know the URL to continue, so it begins again.
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
    )

    private static let tusVersion = "Tus-Resumable: 1.0.0"
    private static let tusPiece = "Content-Type: application/offset+octet-stream"
    static let tus = Conversation(
        dialect: .tus,
        exchanges: [
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
                "POST",
                [tusVersion, "Upload-Length: 10"],
                gets: ["201 | \(tusVersion) | Location: /u | Upload-Offset: 10"],
                file: "0123456789"
            ),
            Exchange("POST", [tusVersion, "Upload-Length: 9"], gets: ["400 | \(tusVersion)"], file: "0123456789"),
            Exchange(
                "HEAD",
                ["Tus-Resumable: 2.0.0"],
                gets: ["412 | \(tusVersion) | Tus-Version: 1.0.0"],
                file: "0123456789"
            ),
        ]
    )
    private static let sha1Of45 = "+2RDUVYNgpb+baMyI2sfjWGygoo="

    static let plain = Conversation(
        dialect: .plain,
        exchanges: [
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
                "0123456789",
                gets: ["201 | Location: /u | Upload-Offset: 10 | Upload-Complete: ?1"],
                file: "0123456789"
            ),
            Exchange("PUT", ["Content-Length: 10"], "9876543210", gets: ["409"], file: "0123456789"),
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
    )
}
