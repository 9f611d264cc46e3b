import Console
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@testable import API

@Suite("The console's page", .timeLimit(.minutes(Patience.minutes(1))))
struct ConsoleRoutesTests {
    private static let shut = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

    /// The names of the files in a folder of the repository.
    private static func names(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/Sources/Console/web/\(folder)"))
    }

    private static func policies(_ answer: RawResponse) -> [String] {
        answer.fields.filter { $0.name == "Content-Security-Policy" }.map(\.value)
    }

    @Test("The page has one policy, which allows its own scripts; problems beside it keep theirs")
    func fields() async throws {
        try await PolicyServer.run(ConsoleRoutes.routes(isOn: true)) { server throws in
            let page = try server.connect().ask("GET", "/console")
            #expect(page.status == 200 && page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page["Cache-Control"] == "no-cache" && page["Set-Cookie"] == nil)
            let policy = try #require(Self.policies(page).first)
            #expect(Self.policies(page).count == 1)
            for part in ["default-src 'none'", "script-src 'self'", "trusted-types 'none'", "frame-ancestors 'none'"] {
                #expect(policy.split(separator: ";").contains { $0.drop { $0 == " " } == part }, "\(part)")
            }
            #expect(!policy.contains("unsafe"))
            #expect(page["Cross-Origin-Opener-Policy"] == "same-origin" && page["Referrer-Policy"] == "no-referrer")
            #expect(page["X-Content-Type-Options"] == "nosniff")
            let tag = try #require(page["ETag"])
            let same = try server.connect().ask("GET", "/console", fields: [("If-None-Match", tag)])
            #expect(same.status == 304 && Self.policies(same) == [policy])
            let head = try server.connect().ask("HEAD", "/console")
            #expect(head.status == 200 && Self.policies(head) == [policy])
            for target in ["/console/none.js", "/console/index.html", "/console/", "/console/..%2Fcss"] {
                let missing = try server.connect().ask("GET", target)
                #expect(missing.status == 404 && Self.policies(missing) == [Self.shut], "\(target)")
            }
        }
    }

    @Test("Each file of the page has its media type and the embedded bytes")
    func files() async throws {
        let names = try Self.names("user").union(Self.names("shared")).subtracting([ConsoleFiles.index]).sorted()
        #expect(!names.isEmpty)
        try await PolicyServer.run(ConsoleRoutes.routes(isOn: true)) { server throws in
            for name in names {
                let answer = try server.connect().ask("GET", "/console/\(name)")
                #expect(answer.status == 200, "\(name)")
                #expect(Array(answer.body) == ConsoleFiles.all(of: .user)[name]?.bytes, "\(name)")
                let type = ["js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"]
                let expected = type[String(name.split(separator: ".").last ?? "")] ?? "none"
                #expect(answer["Content-Type"]?.hasPrefix(expected) == true, "\(name)")
            }
        }
    }

    @Test("No file of either page is lost, and the page of operators is not among those of people")
    func doors() throws {
        for door in ConsoleFiles.Door.allCases {
            let names = try Self.names(door.rawValue).union(Self.names("shared"))
            #expect(Set(ConsoleFiles.all(of: door).keys) == names)
        }
        let user = try #require(ConsoleFiles.all(of: .user)[ConsoleFiles.index]).bytes
        #expect(ConsoleFiles.all(of: .operator)[ConsoleFiles.index]?.bytes != user)
    }

    @Test("The policy permits the style in each page by its digest, and no other one")
    func style() throws {
        let policy = try #require(SecurityFields.page(store: nil).value("Content-Security-Policy"))
        for door in ConsoleFiles.Door.allCases {
            let index = try #require(ConsoleFiles.all(of: door)[ConsoleFiles.index])
            let page = String(decoding: index.bytes, as: UTF8.self)
            let style = try #require(page.firstMatch(of: /<style>([^<]+)<\/style>/)?.1)
            let digest = Base64.padded.encode(SHA256.hash(Array(style.utf8)))
            #expect(policy.contains("; style-src 'self' 'sha256-\(digest)'; "), "\(door)")
        }
    }

    @Test("A console that is off has no route")
    func off() async throws {
        try await PolicyServer.run(ConsoleRoutes.routes(isOn: false)) { server throws in
            for target in ["/console", "/console/view.js"] {
                #expect(try server.connect().ask("GET", target).problem == "not-found", "\(target)")
            }
        }
    }

    @Test("The policy names the origin of an S3 store for pictures, films and uploads, not for scripts")
    func store() throws {
        let origin = "https://s3.example.org"
        let policy = try #require(SecurityFields.page(store: origin).value("Content-Security-Policy"))
        let naming = policy.split(separator: ";").filter { $0.contains(origin) }.map { $0.drop { $0 == " " } }
        #expect(naming.map { $0.prefix { $0 != " " } } == ["img-src", "media-src", "connect-src"])
        #expect(SecurityFields.page(store: nil).value("Content-Security-Policy")?.contains("http") == false)
    }
}
