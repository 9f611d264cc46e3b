import HTTP
import JSON
import TestSupport
import Testing

@testable import API

@Suite("Document and policies")
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

    @Test("A token is asked for where the document says so")
    func access() async throws {
        for (operation, policy) in try await Self.policies() {
            #expect(policy.isForSessions == (operation.value["security"]?.array?.isEmpty != true), "\(operation)")
        }
    }

    @Test("A body is taken where the document has one")
    func bodies() async throws {
        for (operation, policy) in try await Self.policies() {
            let takesBody = policy.collectsBody || policy.streamsBody
            #expect(takesBody == (operation.value["requestBody"] != nil), "\(operation)")
        }
    }

    @Test("A packed body is accepted where the document has Content-Encoding")
    func codings() async throws {
        let document = try InterfaceDocument()
        for (operation, policy) in try await Self.policies() {
            let names = try document.parameters(of: operation).compactMap { $0["name"]?.string }
            #expect((policy.codings == .gzip) == names.contains("Content-Encoding"), "\(operation)")
        }
    }

    @Test("An Idempotency-Key is accepted where the document has it")
    func idempotency() async throws {
        let document = try InterfaceDocument()
        for (operation, policy) in try await Self.policies() {
            let names = try document.parameters(of: operation).compactMap { $0["name"]?.string }
            #expect((policy.idempotency == .accepted) == names.contains("Idempotency-Key"), "\(operation)")
        }
    }
}
