extension Conversation {
    private static let v3 = "Upload-Draft-Interop-Version: 3"
    static let interop3 = Conversation(
        dialect: .interop3,
        exchanges: [
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
            // HEAD shows the client that the upload is complete.
            Exchange(
                "POST",
                [v3, "Upload-Incomplete: ?0", "Content-Length: 10"],
                "0123456789",
                gets: ["104 | \(v3) | Location: /u", "cut"],
                file: "0123456789"
            ),
        ]
    )

    private static let v6 = "Upload-Draft-Interop-Version: 6"
    private static let piece = "Content-Type: application/partial-upload"
    static let interop6 = Conversation(
        dialect: .interop6,
        exchanges: [
            Exchange(
                "PUT",
                [v6, "Upload-Complete: ?1", "Content-Length: 10"],
                "01",
                "23",
                cut: true,
                gets: ["104 | \(v6) | Location: /u | Upload-Limit: max-size=1000"],
                file: ""
            ),
            // The client lost the 104 with the connection. It gets another one, and continues instead of starting over.
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
            // The offset equals the length, but the client must still declare the end.
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
    )
}
