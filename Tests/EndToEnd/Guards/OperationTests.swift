import TestSupport
import Testing

@Suite("Operations that the test matrices read from the OpenAPI document", .blocking)
struct OperationTests {
    private static let id = #"{"name":"id","in":"path","schema":{"type":"string","format":"uuid"},"example":"1"}"#
    private static let body = #"{"schema":{"type":"object"},"examples":{"thing":{"value":{}}}}"#

    /// A document with one operation.
    private static func read(parameter: String = id, content: String = #""application/json":\#(body)"#) throws
        -> [Operation]
    {
        let operation = #"""
            {"operationId":"putThing","parameters":[\#(parameter)],"requestBody":{"content":{\#(content)}},
             "responses":{"404":{"description":"`not-found`"},"409":{"description":"`method-not-allowed`"}}}
            """#
        let paths = #"{"/things/{id}":{"put":\#(operation)}}"#
        let text = #"{"servers":[{"url":"http://127.0.0.1/v2"}],"security":[{"bearerAuth":[]}],"paths":\#(paths)}"#
        return try Operation.all(in: InterfaceDocument(Array(text.utf8)))
    }

    @Test("An operation of the document is read with its token, status codes and problems")
    func complete() throws {
        let operation = try #require(try Self.read().first)
        #expect(operation.testDescription == "PUT /v2/things/{id}")
        #expect(operation.needsToken && operation.needsWhatIsNamed)
        #expect(operation.declares("404 not-found") && operation.declares("404"))
        #expect(
            !operation.declares("404 method-not-allowed") && !operation.declares("405") && !operation.declares("409 x")
        )
    }

    @Test(
        "An operation without an example or with an unknown kind of parameter is refused by name",
        arguments: [
            (id.replacing(#","example":"1""#, with: ""), "the parameter id has no example"),
            (id.replacing("path", with: "cookie"), "the parameter id stands where the matrices know no bad values"),
            (
                id.replacing(#""format":"uuid""#, with: #""format":"uri""#),
                "the parameter id has a schema for which the matrices know no bad values"
            ),
            (
                id.replacing(#""string","format":"uuid""#, with: #""integer""#),
                "the parameter id has a schema for which the matrices know no bad values"
            ),
        ]
    )
    func incomplete(parameter: String, complaint: String) {
        let error = #expect(throws: Program.Failure.self) { try Self.read(parameter: parameter) }
        #expect(error?.description == "PUT /things/{id}: \(complaint)")
    }

    @Test(
        "A body without an example or with several media types is refused by name",
        arguments: [
            (#""application/json":{"schema":{"type":"object"}}"#, "the body has no example"),
            (#""application/json":\#(body),"text/plain":\#(body)"#, "the matrices know bodies of one media type only"),
        ]
    )
    func incomplete(content: String, complaint: String) {
        let error = #expect(throws: Program.Failure.self) { try Self.read(content: content) }
        #expect(error?.description == "PUT /things/{id}: \(complaint)")
    }

    @Test("A header field without known bad values is refused by name")
    func unknownField() throws {
        let field = #"{"name":"X-Thing","in":"header","schema":{"type":"string"},"example":"1"}"#
        let operation = try #require(try Self.read(parameter: field).first)
        let error = #expect(throws: Program.Failure.self) { try Fault.ofHeader(operation) }
        #expect(error?.description == "PUT /v2/things/{id}: add bad values of the field X-Thing to HeaderFaults")
    }
}
