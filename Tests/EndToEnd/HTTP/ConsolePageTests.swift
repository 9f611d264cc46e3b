import TestSupport
import Testing

@Suite("The console beside the API", .blocking)
struct ConsolePageTests {
    @Test("A server has the console's page unless it is off")
    func page() throws {
        let page = try Shared.client().send("GET", "/console")
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
        #expect(page.field("content-security-policy")?.contains("script-src 'self'") == true)
        #expect(try Shared.client().send("GET", "/console/view.js").status == 200)
        let other = try Shared.client().send("GET", "/v2/version")
        #expect(other.field("content-security-policy")?.contains("script") == false)
        let off = try ServerProcess(["--console", "off"])
        #expect(try off.client.send("GET", "/console").status == 404)
        #expect(try off.client.send("GET", "/console/view.js").status == 404)
    }

    @Test("The version says what a server offers before a login")
    func features() throws {
        let open = try Shared.client().send("GET", "/v2/version").raw("features")
        #expect(
            open == #"{"registration":"open","mail":false,"passkeys":true,"providers":["apple"],"previews":false,"#
                + #""signatures":"optional"}"#
        )
        let strict = try Shared.strictServer.get().client.send("GET", "/v2/version").raw("features")
        #expect(strict?.contains(#""registration":"closed""#) == true)
        #expect(strict?.contains(#""signatures":"required""#) == true)
    }
}
