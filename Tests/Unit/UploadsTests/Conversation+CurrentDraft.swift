extension Conversation {
    private static let v8 = "Upload-Draft-Interop-Version: 8"
    private static let piece = "Content-Type: application/partial-upload"
    static let interop8 = Conversation(
        dialect: .interop8,
        exchanges: [
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
            // A client that forgot the upload learns of it by HEAD, and need not send the file again.
            Exchange(
                "PUT",
                [v8, "Upload-Complete: ?1", "Content-Length: 10"],
                "0123456789",
                gets: ["104 | \(v8) | Location: /u | Upload-Limit: max-size=1000", "cut"],
                file: "0123456789"
            ),
            Exchange(
                "PATCH",
                [v8, piece, "Upload-Offset: 10", "Upload-Complete: ?1", "Transfer-Encoding: chunked"],
                gets: ["201 | \(v8) | Upload-Offset: 10 | Upload-Complete: ?1"],
                file: "0123456789"
            ),
            Exchange(
                "PATCH",
                [v8, piece, "Upload-Offset: 10", "Upload-Complete: ?1", "Transfer-Encoding: chunked"],
                "x",
                gets: ["400 | \(v8)"],
                file: "0123456789"
            ),
        ]
    )
}
