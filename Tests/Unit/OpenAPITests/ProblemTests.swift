import JSONSchema
import NeuroViewsJSON
import Problems
import TestSupport
import Testing

@testable import API
@testable import CloudSync

@Suite("Problems in the OpenAPI document")
struct ProblemTests {
    private static let base = "http://127.0.0.1:8080/v2"

    private static func schema(_ name: String) throws -> Schema {
        let document = try InterfaceDocument()
        let value = try #require(document.root["components"]?["schemas"]?[name])
        return try Schema(compiling: document.inlined(value))
    }

    private static func body(_ problem: Problem) throws -> JSONValue {
        guard case .bytes(let bytes) = problem.response(base: base, instance: "1").content else { return .null }
        return try JSONParser.parse(bytes, policy: .requestBody)
    }

    @Test("The document lists exactly the server's problem codes, in the same order")
    func codes() throws {
        let document = try InterfaceDocument()
        let listed = try #require(document.root["components"]?["schemas"]?["ProblemCode"]?["enum"]?.array)
        #expect(listed.map { $0.string ?? "" } == ProblemType.all.map(\.code))
    }

    @Test("Every problem code is in an answer or an example of the document")
    func explained() throws {
        let document = try InterfaceDocument()
        let responses = try #require(document.root["components"]?["responses"]).text
        let paths = try #require(document.root["paths"]).text
        for type in ProblemType.all {
            #expect(
                responses.contains("`\(type.code)`") || paths.contains("`\(type.code)`"),
                "\(type.code)"
            )
        }
    }

    @Test("Every example of a problem has its type's title and status")
    func examples() throws {
        let document = try InterfaceDocument()
        for example in try #require(document.root["components"]?["examples"]?.object).members {
            let type = try #require(ProblemType.all.first { $0.code == example.name }, "\(example.name)")
            let value = try #require(example.value["value"])
            #expect(value["type"]?.string == "\(Self.base)/problems/\(type.code)")
            #expect(value["title"]?.string == type.title)
            #expect(value["status"]?.number?.int64 == Int64(type.status))
        }
    }

    @Test("Every example of an invalid document has the detail that the server makes of its errors")
    func details() throws {
        var count = 0
        func check(_ value: JSONValue) throws {
            for item in value.array ?? [] { try check(item) }
            for member in value.object?.members ?? [] { try check(member.value) }
            guard value["type"]?.string == "\(Self.base)/problems/\(ProblemType.invalidDocument.code)" else { return }
            let violations = try #require(value["errors"]?.array).map { error in
                Violation(
                    pointer: error["pointer"]?.string ?? "",
                    keyword: error["keyword"]?.string ?? "",
                    detail: error["detail"]?.string ?? ""
                )
            }
            #expect(value["detail"]?.string == Problem(CloudSyncError.invalid(violations)).detail)
            count += 1
        }
        try check(InterfaceDocument().root)
        #expect(count > 0)
    }

    @Test("Every example of a problem is documented at its own status", arguments: try InterfaceDocument().operations)
    func statuses(_ operation: InterfaceDocument.Operation) throws {
        let document = try InterfaceDocument()
        for (status, response) in try document.responses(of: operation) {
            let content = response["content"]?["application/problem+json"]
            for example in content?["examples"]?.object?.members ?? [] {
                let answered = try document.resolved(example.value)["value"]?["status"]?.number?.int64
                #expect(answered.map(String.init) == status, "\(operation) \(example.name)")
            }
        }
    }

    @Test("Every problem of the server matches the documented schema", arguments: ProblemType.all)
    func problems(_ type: ProblemType) throws {
        #expect(try Self.schema("Problem").violations(of: Self.body(Problem(type))).isEmpty)
    }

    @Test("Problems with extra members match their documented schemas")
    func members() throws {
        let errors: [(CloudSyncError, schema: String)] = [
            (
                .conflict(.init(reason: .deleted, current: nil, version: VersionTag("3-9f86d081884c"))),
                "ConflictProblem"
            ),
            (.conflict(.init(reason: .versionMismatch, current: nil, version: nil)), "ConflictProblem"),
            (.clockSkew(serverTime: 1_772_366_400), "ClockSkewProblem"),
            (.quotaExceeded(QuotaExcess(quota: .items, limit: 5, used: 5)), "QuotaProblem"),
            (.quotaExceeded(QuotaExcess(quota: .historyBytes, limit: 5, used: 4)), "QuotaProblem"),
            (.ambiguousTarget(names: ["camera", "a \"tablet\""]), "AmbiguousTargetProblem"),
        ]
        for (error, schema) in errors {
            #expect(try Self.schema(schema).violations(of: Self.body(Problem(error))).isEmpty, "\(error)")
        }
        #expect(try !Self.schema("ConflictProblem").accepts(Self.body(Problem(.editedLater))))
        #expect(try !Self.schema("ClockSkewProblem").accepts(Self.body(Problem(.clockSkew))))
    }
}

extension ProblemTests {
    @Test("The detail of a confirmation without members names those to choose from")
    func confirmation() throws {
        let violations = try Schemas()["confirmation.json"].violations(of: .object(JSONObject()))
        let detail = try Self.body(Problem(.invalid(violations)))["detail"]?.string
        let choices = "password; code; assertion; provider, id_token, nonce"
        #expect(detail == "The body must have one of these, has 0: \(choices).")
    }

    @Test("The example of an invalid document equals the validator's answer")
    func invalidDocument() throws {
        let document = try InterfaceDocument()
        let update = try #require(document.operations.first { $0.method == "PUT" })
        let examples = update.value["requestBody"]?["content"]?["application/json"]?["examples"]?.object
        var configuration = try #require(examples?.members.first?.value["value"]?["configuration"]?.object)
        configuration.set("frame_rate", to: .number(JSONNumber(300)))
        configuration = JSONObject(configuration.members.filter { $0.name != "preset" })
        let value = JSONValue.object(JSONObject([.init(name: "configuration", value: .object(configuration))]))
        let violations = try Schemas().configurationBody.violations(of: value)
        let example = document.root["components"]?["examples"]?["invalid-document"]?["value"]
        let made = try Self.body(Problem(.invalid(violations)))
        #expect(made["errors"] == example?["errors"])
        #expect(made["detail"] == example?["detail"])
        #expect(try Self.schema("Problem").violations(of: made).isEmpty)
    }
}
