import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Addresses of servers")
struct ServerAddressTests {
    @Test(
        "An address leads to the interface's URL and to a folder of its own",
        arguments: [
            ("https://cloud.example.org", "https://cloud.example.org/v2", "cloud.example.org"),
            ("https://Cloud.Example.ORG:443/", "https://cloud.example.org/v2", "cloud.example.org"),
            ("https://cloud.example.org/v2", "https://cloud.example.org/v2", "cloud.example.org"),
            ("https://cloud.example.org/v2/", "https://cloud.example.org/v2", "cloud.example.org"),
            ("https://cloud.example.org:8443", "https://cloud.example.org:8443/v2", "cloud.example.org_8443"),
            ("http://cloud.example.org", "http://cloud.example.org/v2", "cloud.example.org_80"),
            ("http://127.0.0.1:8080/v2", "http://127.0.0.1:8080/v2", "127.0.0.1_8080"),
            ("http://[::1]:8080", "http://[::1]:8080/v2", "___1__8080"),
            ("https://my-cloud.example.org", "https://my-cloud.example.org/v2", "my-cloud.example.org"),
            ("https://example.org/cameras", "https://example.org/cameras/v2", "example.org_cameras"),
            ("https://example.org/cameras/v2/", "https://example.org/cameras/v2", "example.org_cameras"),
            ("https://example.org/xv2", "https://example.org/xv2/v2", "example.org_xv2"),
        ]
    )
    func good(text: String, base: String, folder: String) throws {
        let address = try ServerAddress(try #require(URL(string: text)))
        #expect(address.base == base)
        #expect(address.folderName == folder)
    }

    @Test(
        "An address with a query, a user, another scheme or no host is refused",
        arguments: [
            "https://example.org?x=1", "https://example.org/#x", "https://ada@example.org", "ftp://example.org",
            "file:///tmp", "example.org", "https://example.org:0",
        ]
    )
    func bad(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: ClientError.self) { try ServerAddress(url) }
    }

    @Test("The folder of a server is private, and each account's store is in it by its id")
    func folder() throws {
        let above = Sandbox.makeFolder() + "/data"
        let address = try ServerAddress(try #require(URL(string: "https://cloud.example.org")))
        let folder = try ServerFolder(above, address)
        #expect(folder.path == above + "/cloud.example.org")
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        let user = try #require(UUID(uuidString: "0B6F3B1E-54C8-4D0F-8D57-3F9F1F0A9C11"))
        #expect(folder.store(of: user) == folder.path + "/0b6f3b1e-54c8-4d0f-8d57-3f9f1f0a9c11")
        chmod(folder.path, 0o755)
        #expect(throws: ClientError.store(.notPrivate(folder.path))) { try ServerFolder(above, address) }
    }
}
