import Foundation
import TestSupport
import Testing

@Suite("The file of OpenID providers at the start", .blocking)
struct ProvidersFileStartTests {
    private func file(_ text: String) throws -> String {
        let path = Sandbox.makeFolder() + "/providers.json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private let start = #"[{"name":"a","issuer":"https://a.example.org","audiences":["x"],"#

    @Test("A bad file of providers stops the start and is a finding of the doctor, with a remedy")
    func bad() throws {
        let data = Sandbox.makeFolder() + "/data"
        for (text, wanted) in [
            ("{}", "must be a JSON array"), ("[1]", "entry 1 is not an object"),
            (#"\#(start)"jwks_url":"https://a.example.org/k","audience":"x"}]"#, #"unknown member "audience""#),
            (
                #"\#(start)"jwks_url":"http://a.example.org/k"}]"#,
                "entry 1 needs jwks_url: a URL that begins with https://"
            ),
            (#"\#(start)"jwks_url":"http://127.0.0.1.example.org/k"}]"#, "needs jwks_url"),
            (#"\#(start)"jwks_url":"http://localhost@example.org/k"}]"#, "needs jwks_url"),
            (#"\#(start)"jwks_url":"file:///etc/passwd"}]"#, "needs jwks_url"),
            (#"\#(start)"jwks_file":"missing.json"}]"#, "missing.json"),
            (#"\#(start)"jwks_url":"https://a.example.org/k","jwks_file":"x"}]"#, "either jwks_url or jwks_file"),
            (#"[{"name":"a b","issuer":"https://a.example.org","audiences":["x"],"jwks_file":"x"}]"#, "needs a name"),
            (#"[{"name":"a","issuer":"a.example.org","audiences":["x"],"jwks_file":"x"}]"#, "needs issuer"),
            (#"[{"name":"a","issuer":"https://a.example.org","audiences":[],"jwks_file":"x"}]"#, "needs audiences"),
        ] {
            let path = try file(text)
            let program = try Operator.run(["serve", "--data", data, "--openid-providers-file", path])
            #expect(program.status != 0 && program.complaint.contains(wanted), "\(text): \(program.complaint)")
            #expect(program.complaint.contains("NEUROVIEWS_OPENID_PROVIDERS_FILE") || text.contains("missing"))
        }
        let doctor = try Operator.run(["doctor", "--data", data, "--openid-providers-file", try file("{}")])
        #expect(doctor.status == 1 && doctor.output.contains("must be a JSON array"))
    }

    @Test("The doctor fetches the providers' keys, and warns if it can't")
    func doctor() throws {
        let scene = try OpenIDScene.shared.get()
        let data = Sandbox.makeFolder() + "/data"
        let good = try TestIssuer.file(
            [scene.local],
            more: [
                scene.google.entry(#""jwks_url":"\#(scene.peer.url("/google"))""#),
                scene.apple.entry(#""jwks_url":"\#(scene.peer.url("/missing"))""#),
            ]
        )
        let output = try Operator.run(["doctor", "--data", data, "--openid-providers-file", good]).output
        #expect(output.contains("OpenID provider google") && output.contains("keys: 1"))
        #expect(output.contains("OpenID provider apple") && output.contains("the status is 404"))
    }

    @Test("A file of providers that everybody can change is refused")
    func writable() throws {
        let path = try TestIssuer.file([TestIssuer("a")])
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let data = Sandbox.makeFolder() + "/data"
        let program = try Operator.run(["serve", "--data", data, "--openid-providers-file", path])
        #expect(program.status != 0 && program.complaint.contains("chmod o-w"), "\(program.complaint)")
    }
}
