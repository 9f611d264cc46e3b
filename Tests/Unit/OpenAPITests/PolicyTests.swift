import HTTP
import NeuroViewsJSON
import TestSupport
import Testing

@testable import API

@Suite("OpenAPI document and endpoint policies")
struct PolicyTests {
    /// Each documented operation with its route's policy.
    private static func policies() async throws -> [(InterfaceDocument.Operation, EndpointPolicy)] {
        let document = try InterfaceDocument()
        let routes = try await InterfaceTests.application().router.routes
        return try document.operations.map { operation in
            let pattern = try document.target(of: operation)
            let route = routes.first { $0.method.name == operation.method && $0.pattern.description == pattern }
            return (operation, try #require(route?.endpoint.policy, "\(operation)"))
        }
    }

    @Test("Exactly the operations with security in the document require a token")
    func access() async throws {
        for (operation, policy) in try await Self.policies() {
            #expect(policy.isForSessions == (operation.value["security"]?.array?.isEmpty != true), "\(operation)")
        }
    }

    @Test("Exactly the operations with a request body in the document accept one")
    func bodies() async throws {
        for (operation, policy) in try await Self.policies() {
            let takesBody = policy.collectsBody || policy.streamsBody
            #expect(takesBody == (operation.value["requestBody"] != nil), "\(operation)")
        }
    }

    @Test("Exactly the operations with Content-Encoding in the document accept a compressed body")
    func codings() async throws {
        let document = try InterfaceDocument()
        for (operation, policy) in try await Self.policies() {
            let names = try document.parameters(of: operation).compactMap { $0["name"]?.string }
            #expect((policy.codings == .gzip) == names.contains("Content-Encoding"), "\(operation)")
        }
    }

    @Test("An operation knows exactly its documented query parameters; marked paths take any")
    func queries() async throws {
        let document = try InterfaceDocument()
        let routes = try await InterfaceTests.application().router.routes
        var marked: Set<String> = []
        for operation in document.operations {
            let pattern = try document.target(of: operation)
            let route = routes.first { $0.method.name == operation.method && $0.pattern.description == pattern }
            let names = try #require(route?.endpoint, "\(operation)").queryNames?.own
            let listed = try document.parameters(of: operation).filter { $0["in"]?.string == "query" }
            let isMarked = operation.pathItem["x-any-query"]?.bool == true
            #expect(names == (isMarked ? nil : listed.compactMap { $0["name"]?.string }), "\(operation)")
            if isMarked { marked.insert(operation.path) }
        }
        let links = ["/downloads/{link}", "/uploads/{token}"]
        #expect(marked.isSuperset(of: links + ["/healthz", "/readyz", "/problems", "/problems/{code}"]))
    }

    @Test("Exactly the operations with an Idempotency-Key in the document accept one")
    func idempotency() async throws {
        let document = try InterfaceDocument()
        for (operation, policy) in try await Self.policies() {
            let names = try document.parameters(of: operation).compactMap { $0["name"]?.string }
            #expect((policy.idempotency == .accepted) == names.contains("Idempotency-Key"), "\(operation)")
        }
    }
}
