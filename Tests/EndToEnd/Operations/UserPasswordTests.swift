import TestSupport
import Testing

@Suite("The command user password", .blocking)
struct UserPasswordTests {
    private func change(_ email: String, _ password: String) throws -> Program {
        let server = try Shared.server.get()
        return try Program.run(
            [Program.server, "user", "password", email, "--data", server.data],
            input: password + "\n"
        )
    }

    @Test("user password sets the password and ends the account's sessions")
    func changes() throws {
        let device = try Shared.newDevice()
        let changed = try change(device.email.uppercased(), "a new one for ana")
        #expect(changed.status == 0, "\(changed.complaint)")
        #expect(changed.output.hasSuffix("sessions ended: 1\n"))
        #expect(try device.pull().verdict == "401 session-ended")
        func logIn(_ password: String) throws -> Int {
            let body = #"{"email":"\#(device.email)","password":"\#(password)"}"#
            return try device.client.send("POST", "/v2/auth/login", body: body).status
        }
        #expect(try logIn("a new one for ana") == 200)
        #expect(try logIn(Device.password) == 401)
    }

    @Test("user password refuses an unknown address and a too short password")
    func refusals() throws {
        let unknown = try change("unknown@example.org", "a new one for nobody")
        #expect(unknown.status == 67)
        #expect(try change("unknown@example.org", "short").complaint.contains("must have at least 8 characters"))
    }
}
