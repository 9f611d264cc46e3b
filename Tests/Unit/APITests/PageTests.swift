import HTTP
import NeuroViewsJSON
import Testing

@testable import API
@testable import CloudSync

@Suite("Pages of lists")
struct PageTests {
    @Test(
        "A page names the position after its last entry only if there are more",
        arguments: [
            ([3, 2, 1], #"{"numbers":[{"n":3},{"n":2}],"has_more":true,"next":2}"#),
            ([3, 2], #"{"numbers":[{"n":3},{"n":2}],"has_more":false,"next":null}"#),
            ([], #"{"numbers":[],"has_more":false,"next":null}"#),
        ]
    )
    func next(found: [Int], text: String) {
        let page = Page(found, limit: 2)
        let next: (Int, inout JSONWriter) -> Void = { $1.integer(Int64($0)) }
        let response = Response.page(page, of: "numbers", itemBytes: 8, next: next) { number, writer in
            writer.member("n", integer: Int64(number))
        }
        guard case .bytes(let bytes) = response.content else {
            Issue.record("The page has no bytes.")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
